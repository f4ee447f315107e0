// Suggestions for a municipality name that is not found (a 404 lists them): the names with the lowest cost. The cost is
// the weighted edit distance, in which letters that sound alike in Spanish cost half an edit. An input that is part of
// a name (`Alcalá`, `coru`), or contains one (`Ayuntamiento de Sevilla`), has another cost (`matchCost`).
import { countBits, editCost, halfEdit, toLetterSet } from './edit-cost.ts'
import { foldName, withoutArticle } from './municipality-name.ts'

/** A municipality, or another place such as a province, that may be suggested. */
interface Candidate {
  readonly name: string
  /** The folded names by which it is found. */
  readonly lookupKeys: readonly string[]
  /** Number of records. Of two names that match equally well, the one with more records comes first. */
  readonly records?: number
}

const suggestionsMax = 5

/**
 * At most `suggestionsMax` names, best match first. When no name is similar, these are the least different names, or
 * none for an input of fewer than `fallbackCharactersMin` characters.
 */
export function suggestNames(name: string, candidates: readonly Candidate[]): string[] {
  const folded = foldName(name).slice(0, inputCharactersMax)
  if (folded === '') return []
  const input = toSpelling(folded)
  const matches = new Map<string, Match>()
  for (const spelling of spellingsOf(candidates)) {
    const cost = matchCost(input, spelling, toSimilarCostMax(folded.length))
    if (cost !== undefined) setLowerCost(matches, spelling, cost)
  }
  if (matches.size === 0 && folded.length >= fallbackCharactersMin) addLeastDifferent(input, candidates, matches)
  return [...matches.values()]
    .sort(compareMatches)
    .slice(0, suggestionsMax)
    .map(({ name: suggestion }) => suggestion)
}

interface Match {
  readonly name: string
  readonly records: number
  readonly cost: number
}

/** The lowest cost comes first, then the most records, then the shortest name, then the alphabet. */
function compareMatches(a: Match, b: Match): number {
  return a.cost - b.cost || b.records - a.records || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)
}

/** A shorter input gives no useful suggestion when no name is similar. */
const fallbackCharactersMin = 3

/**
 * If no name is similar, the edit distance, which is expensive, is computed for at most this many spellings: those
 * closest in letters and length.
 */
const comparedMax = 64

/** Adds the names that differ least from the input: in the letters that only one of the two has, and in length. */
function addLeastDifferent(input: Spelling, candidates: readonly Candidate[], matches: Map<string, Match>): void {
  // The index is the difference.
  const spellingsByDifference: CandidateSpelling[][] = []
  for (const spelling of spellingsOf(candidates)) {
    const difference = countBits(input.letters ^ spelling.letters) + Math.abs(input.key.length - spelling.key.length)
    spellingsByDifference[difference] ??= []
    spellingsByDifference[difference].push(spelling)
  }
  // Those with the smallest difference come first. `flat` skips the differences that no candidate has.
  for (const spelling of spellingsByDifference.flat().slice(0, comparedMax)) {
    setLowerCost(matches, spelling, editCost(input.key, spelling.key, Number.POSITIVE_INFINITY))
  }
}

/** Sets the cost of the name of the spelling, unless another spelling of the name has a lower cost. */
function setLowerCost(matches: Map<string, Match>, { name, records }: CandidateSpelling, cost: number): void {
  if (cost < (matches.get(name)?.cost ?? Number.POSITIVE_INFINITY)) matches.set(name, { name, records, cost })
}

/** A longer input is cut, because comparing takes time. The longest official name has 47 characters. */
const inputCharactersMax = 60

interface Spelling {
  /** The folded name. */
  readonly key: string
  /** Bit set of the letters that occur (`toLetterSet`). */
  readonly letters: number
}

interface CandidateSpelling extends Spelling {
  /** The name to suggest. */
  readonly name: string
  readonly records: number
}

const spellingsCache = new WeakMap<readonly Candidate[], CandidateSpelling[]>()

/** All spellings of all candidates. They are cached for each list, because the list of a snapshot never changes. */
function spellingsOf(candidates: readonly Candidate[]): CandidateSpelling[] {
  let spellings = spellingsCache.get(candidates)
  if (spellings === undefined) {
    spellings = candidates.flatMap(({ name, lookupKeys, records = 0 }) =>
      lookupKeys.map((key) => ({ ...toSpelling(key), name, records })),
    )
    spellingsCache.set(candidates, spellings)
  }
  return spellings
}

function toSpelling(key: string): Spelling {
  return { key, letters: toLetterSet(key) }
}

/** The highest cost at which a name counts as similar. A longer input may have more errors. */
function toSimilarCostMax(inputCharacters: number): number {
  if (inputCharacters <= 3) return 1
  return inputCharacters <= 7 ? 2 : 3
}

/** An input that is the start of a name costs less than one edit; one that is another part of it, less than two. */
const prefixCost = 0.75
const partCost = 1.5

/** Added if the last word of the input is not finished (`coru`), so that names with the whole word come first. */
const unfinishedCost = 0.05

/**
 * The lower the cost, the more likely the input means the candidate. Undefined when the two are not similar. The first
 * row that applies decides:
 *
 * | input | name | cost |
 * |---|---|---|
 * | `alcala` | `alcala de henares` | `prefixCost` |
 * | `henares` | `alcala de henares` | `partCost` |
 * | `coru`, `hena` | `a coruna`, `alcala de henares` | the same and `unfinishedCost` |
 * | `arroyo encomienda` | `arroyo de la encomienda` | `partCost` |
 * | `ayuntamiento de sevilla` | `sevilla` | `partCost` and the share of the input that is not the name |
 * | `castila` | `castilla y leon` | `prefixCost` and one edit |
 * | `sevila` | `sevilla` | the edit distance |
 */
function matchCost(input: Spelling, candidate: Spelling, costMax: number): number | undefined {
  if (containsWords(candidate.key, input.key)) return candidate.key.startsWith(input.key) ? prefixCost : partCost
  // The letter sets exclude most candidates from the slower comparisons of texts below.
  const mayContainInput = (input.letters & ~candidate.letters) === 0
  const mayBeInInput = (candidate.letters & ~input.letters) === 0
  if (mayContainInput && input.key.length >= partCharactersMin) {
    if (withoutArticle(candidate.key).startsWith(input.key)) return prefixCost + unfinishedCost
    if (candidate.key.includes(` ${input.key}`)) return partCost + unfinishedCost
  }
  if (mayContainInput && containsInOrder(candidate.key, input.key)) return partCost
  // The longest contained name costs least.
  if (mayBeInInput && containsWords(input.key, candidate.key)) {
    return partCost + 1 - candidate.key.length / input.key.length
  }
  // Each extra character nearly always costs a whole edit, so names of very different length match only at the start.
  if (Math.abs(input.key.length - candidate.key.length) > costMax) return matchStart(input, candidate)
  // An estimate of the cost, which excludes most candidates: each letter that only one of the two has counts as half an
  // edit. Two letters that sound alike (`v`, `b`) then count as a whole edit, although they cost half of one. So a name
  // with several of them is excluded although it is similar: `Bejís` for the input `Vegiz`. Without the estimate,
  // suggestions take more than 5 ms.
  if (countBits(input.letters ^ candidate.letters) * halfEdit > costMax) return undefined
  const cost = editCost(input.key, candidate.key, costMax)
  return cost > costMax ? undefined : cost
}

/**
 * The cost of an input that differs from the first words of the name by at most one edit, but not in the first letter,
 * such as `Castila` for `Castilla y León`.
 */
function matchStart({ key: input }: Spelling, { key }: Spelling): number | undefined {
  if (input.length < startCharactersMin || key.length < input.length) return undefined
  const hasSameFirstLetter = key.charCodeAt(0) === input.charCodeAt(0)
  if (!hasSameFirstLetter) return undefined
  // With one edit, the first words of the name are at most one character shorter or longer than the input.
  const [lengthMin, lengthMax] = [input.length - 1, input.length + 1]
  const firstWordsEnd = key.indexOf(' ', lengthMin)
  if (firstWordsEnd < 0 || firstWordsEnd > lengthMax) return undefined
  const cost = editCost(input, key.slice(0, firstWordsEnd), 1)
  return cost > 1 ? undefined : prefixCost + cost
}

/** A shorter input is not compared with the start of a name: with one edit it would match too many names. */
const startCharactersMin = 5

/** A shorter part, such as `de`, is in too many names. */
const partCharactersMin = 3

/** Whether `key` contains `part` as a sequence of whole words, and has more words. False for a very short part. */
function containsWords(key: string, part: string): boolean {
  return key.length > part.length && part.length >= partCharactersMin && ` ${key} `.includes(` ${part} `)
}

/** Whether `key` has all words of `part`, two or more, in the same order: `Arroyo Encomienda` omits `de la`. */
function containsInOrder(key: string, part: string): boolean {
  if (!part.includes(' ')) return false
  const words = key.split(' ')
  let nextIndex = 0
  for (const word of part.split(' ')) {
    const index = words.indexOf(word, nextIndex)
    if (index < 0) return false
    nextIndex = index + 1
  }
  return true
}
