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

/** A folded name, and the bit set of its letters (`toLetterSet`). */
interface Spelling {
  readonly key: string
  readonly letters: number
}

interface CandidateSpelling extends Spelling {
  readonly candidate: Candidate
}

const suggestionsMax = 5
/** A longer input is cut, because comparing takes time. The longest official name has 47 characters. */
const inputCharactersMax = 60
/** A shorter input gives no useful suggestion when no name is similar. */
const fallbackCharactersMin = 3
/** If no name is similar, the edit distance is computed for the spellings closest in letters and length: this many. */
const comparedMax = 64

/**
 * At most `suggestionsMax` names, best match first. When no name is similar, these are the least different names, or
 * none for an input of fewer than `fallbackCharactersMin` characters.
 */
export function suggestNames(name: string, candidates: readonly Candidate[]): string[] {
  const key = foldName(name).slice(0, inputCharactersMax)
  if (key === '') return []
  const input = { key, letters: toLetterSet(key) }
  const spellings = spellingsOf(candidates)
  const similarCostMax = toSimilarCostMax(key.length)
  let suggested = rank(spellings, (spelling) => matchCost(input, spelling, similarCostMax))
  if (suggested.length === 0 && key.length >= fallbackCharactersMin) {
    const difference = ({ letters, key: other }: Spelling): number =>
      countBits(input.letters ^ letters) + Math.abs(key.length - other.length)
    const closest = spellings.toSorted((a, b) => difference(a) - difference(b)).slice(0, comparedMax)
    suggested = rank(closest, (spelling) => editCost(key, spelling.key, Number.POSITIVE_INFINITY))
  }
  return suggested.slice(0, suggestionsMax)
}

/** The names with a cost: the lowest cost first, then the most records, then the shortest name, then the alphabet. */
function rank(
  spellings: readonly CandidateSpelling[],
  toCost: (spelling: CandidateSpelling) => number | undefined,
): string[] {
  /** By name, its lowest cost and the number of its records. */
  const matches = new Map<string, { readonly cost: number; readonly records: number }>()
  for (const spelling of spellings) {
    const cost = toCost(spelling)
    const { name, records = 0 } = spelling.candidate
    if (cost !== undefined && cost < (matches.get(name)?.cost ?? Number.POSITIVE_INFINITY)) {
      matches.set(name, { cost, records })
    }
  }
  return [...matches]
    .sort(([a, one], [b, other]) => {
      const byMatch = one.cost - other.cost || other.records - one.records
      return byMatch || a.length - b.length || (a < b ? -1 : 1)
    })
    .map(([name]) => name)
}

/** By list of candidates: all spellings. They are kept because the list of a snapshot never changes. */
const spellingsCache = new WeakMap<readonly Candidate[], readonly CandidateSpelling[]>()

function spellingsOf(candidates: readonly Candidate[]): readonly CandidateSpelling[] {
  const known = spellingsCache.get(candidates)
  if (known !== undefined) return known
  const spellings = candidates.flatMap((candidate) =>
    candidate.lookupKeys.map((key) => ({ key, letters: toLetterSet(key), candidate })),
  )
  spellingsCache.set(candidates, spellings)
  return spellings
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
/** A shorter part, such as `de`, is in too many names. */
const partCharactersMin = 3
/** A shorter input is not compared with the start of a name: with one edit it would match too many names. */
const startCharactersMin = 5

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
function matchCost(input: Spelling, { key, letters }: Spelling, costMax: number): number | undefined {
  // The letter sets exclude most candidates from the slower comparisons of texts below.
  const mayContainInput = (input.letters & ~letters) === 0
  if (mayContainInput && input.key.length >= partCharactersMin) {
    if (containsWords(key, input.key)) return key.startsWith(input.key) ? prefixCost : partCost
    if (withoutArticle(key).startsWith(input.key)) return prefixCost + unfinishedCost
    if (key.includes(` ${input.key}`)) return partCost + unfinishedCost
    if (containsInOrder(key, input.key)) return partCost
  }
  const mayBeInInput = (letters & ~input.letters) === 0
  if (mayBeInInput && key.length >= partCharactersMin && containsWords(input.key, key)) {
    // The longest contained name costs least.
    return partCost + 1 - key.length / input.key.length
  }
  // Each extra character nearly always costs a whole edit, so names of very different length match only at the start.
  if (Math.abs(input.key.length - key.length) > costMax) return matchStart(input.key, key)
  // An estimate that excludes most candidates: each letter that only one of the two has counts as half an edit. It also
  // excludes a similar name with several letters that only sound alike: `Bejís` for the input `Vegiz`.
  if (countBits(input.letters ^ letters) * halfEdit > costMax) return undefined
  const cost = editCost(input.key, key, costMax)
  return cost > costMax ? undefined : cost
}

/**
 * The cost of an input that differs from the first words of the name by at most one edit, but not in the first letter,
 * such as `Castila` for `Castilla y León`.
 */
function matchStart(input: string, key: string): number | undefined {
  if (input.length < startCharactersMin || key.length < input.length || key.charAt(0) !== input.charAt(0)) return
  // With one edit, the first words of the name are at most one character shorter or longer than the input.
  const firstWordsEnd = key.indexOf(' ', input.length - 1)
  if (firstWordsEnd < 0 || firstWordsEnd > input.length + 1) return
  const cost = editCost(input, key.slice(0, firstWordsEnd), 1)
  return cost > 1 ? undefined : prefixCost + cost
}

/** Whether `key` contains `part` as a sequence of whole words, and has more words. */
function containsWords(key: string, part: string): boolean {
  return key.length > part.length && ` ${key} `.includes(` ${part} `)
}

/** Whether `key` has all words of `part`, two or more, in the same order: `Arroyo Encomienda` omits `de la`. */
function containsInOrder(key: string, part: string): boolean {
  const words = key.split(' ')
  let next = 0
  for (const word of part.split(' ')) next = words.indexOf(word, next) + 1 || Number.POSITIVE_INFINITY
  return part.includes(' ') && next <= words.length
}
