// The names nearest to one that belongs to no municipality, for the suggestions of a 404. Letters that sound alike in
// Spanish count as half an error, and a part of a name (`Alcalá`) leads to the names that hold it.
import type { Municipality } from './municipality.ts'
import { foldName } from './municipality-name.ts'

const suggestionsMax = 5

/** The names nearest to a misspelt one, best first, at most five; where none is near, those least far. */
export function nearestNames(name: string, candidates: readonly Municipality[]): string[] {
  const asked = foldName(name).slice(0, askedCharactersMax)
  if (asked === '') return []
  const spelling = toSpelling(asked)
  const best = new Map<string, number>()
  for (const { key, letters, municipality } of spellingsOf(candidates)) {
    const cost = costBetween(spelling, { key, letters }, errorsMax(asked))
    if (cost !== undefined) keepLower(best, municipality.name, cost)
  }
  if (best.size === 0 && asked.length >= leastFarCharactersMin) addLeastFar(spelling, candidates, best)
  return [...best]
    .sort(([a, x], [b, y]) => x - y || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(([found]) => found)
}

/** Of fewer letters nothing can be guessed. */
const leastFarCharactersMin = 3

/** So many are compared letter by letter: those that share most letters and have about the same length. */
const comparedMax = 64

function addLeastFar(asked: Spelling, candidates: readonly Municipality[], best: Map<string, number>): void {
  const ranked: KnownSpelling[][] = []
  for (const spelling of spellingsOf(candidates)) {
    const unlike = bits(asked.letters ^ spelling.letters) + Math.abs(asked.key.length - spelling.key.length)
    ranked[unlike] ??= []
    ranked[unlike].push(spelling)
  }
  for (const { key, municipality } of ranked.flat().slice(0, comparedMax)) {
    keepLower(best, municipality.name, editCost(asked.key, key, Number.POSITIVE_INFINITY))
  }
}

function keepLower(best: Map<string, number>, name: string, cost: number): void {
  if (cost < (best.get(name) ?? Number.POSITIVE_INFINITY)) best.set(name, cost)
}

/** The longest name of a municipality has 40 characters or so; comparing more would only cost time. */
const askedCharactersMax = 60

interface Spelling {
  readonly key: string
  /** A bit for each letter that occurs. */
  readonly letters: number
}

interface KnownSpelling extends Spelling {
  readonly municipality: Municipality
}

const known = new WeakMap<readonly Municipality[], KnownSpelling[]>()

/** Worked out once for the municipalities of a snapshot, which never change. */
function spellingsOf(candidates: readonly Municipality[]): KnownSpelling[] {
  let spellings = known.get(candidates)
  if (spellings === undefined) {
    spellings = candidates.flatMap((municipality) =>
      municipality.keys.map((key) => ({ ...toSpelling(key), municipality })),
    )
    known.set(candidates, spellings)
  }
  return spellings
}

function toSpelling(key: string): Spelling {
  let letters = 0
  for (let at = 0; at < key.length; at++) letters |= 1 << (key.charCodeAt(at) & 31)
  return { key, letters }
}

/** How many errors still make it the same word. */
function errorsMax(asked: string): number {
  return asked.length <= 3 ? 1 : asked.length <= 7 ? 2 : 3
}

/** To have asked for the beginning of a name only costs less than one error, for another part of it less than two. */
const beginningCost = 0.75
const partCost = 1.5

function costBetween(asked: Spelling, candidate: Spelling, errors: number): number | undefined {
  if (isPart(asked.key, candidate.key)) return candidate.key.startsWith(asked.key) ? beginningCost : partCost
  if ((asked.letters & ~candidate.letters) === 0 && leavesOut(asked.key, candidate.key)) return partCost
  // `Ayuntamiento de Sevilla`: of the names that it holds, the longest.
  if ((candidate.letters & ~asked.letters) === 0 && isPart(candidate.key, asked.key)) {
    return partCost + 1 - candidate.key.length / asked.key.length
  }
  if (Math.abs(asked.key.length - candidate.key.length) > errors) return undefined
  // A letter that one has and the other has not is at least half an error.
  if (bits(asked.letters ^ candidate.letters) > errors * 2) return undefined
  const cost = editCost(asked.key, candidate.key, errors)
  return cost > errors ? undefined : cost
}

function isPart(asked: string, key: string): boolean {
  return key.length > asked.length && asked.length > 2 && ` ${key} `.includes(` ${asked} `)
}

/** All words of the one in the other, in their order: `Arroyo Encomienda` leaves out `de la`. */
function leavesOut(asked: string, key: string): boolean {
  const words = key.split(' ')
  let from = 0
  for (const word of asked.split(' ')) {
    from = words.indexOf(word, from) + 1
    if (from === 0) return false
  }
  return asked.includes(' ')
}

function bits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}

const rows = [0, 1, 2].map(() => new Float64Array(askedCharactersMax + 44))

/** Insertions, deletions, substitutions and swaps of neighbours; sounds alike count half. Gives up beyond `costMax`. */
function editCost(a: string, b: string, costMax: number): number {
  let [beforeLast, last, current] = rows as [Float64Array, Float64Array, Float64Array]
  if (b.length + 1 > last.length) return Number.POSITIVE_INFINITY
  for (let column = 0; column <= b.length; column++) last[column] = column
  for (let row = 1; row <= a.length; row++) {
    const unit = a.charCodeAt(row - 1)
    let best = row
    current[0] = row
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1)
      let cost = (last[column - 1] as number) + (unit === other ? 0 : soundsAlike(unit, other) ? 0.5 : 1)
      cost = Math.min(
        cost,
        (last[column] as number) + letterCost(unit),
        (current[column - 1] as number) + letterCost(other),
      )
      if (row > 1 && column > 1 && unit === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other) {
        cost = Math.min(cost, (beforeLast[column - 2] as number) + 1)
      }
      current[column] = cost
      if (cost < best) best = cost
    }
    if (best > costMax) return Number.POSITIVE_INFINITY
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last[b.length] as number
}

/** A bit for each sound that the letter may stand for. */
const soundClasses = new Uint8Array(128)
for (const [index, sounds] of ['bv', 'csz', 'gjx', 'iy', 'ckq'].entries()) {
  for (const letter of sounds)
    soundClasses[letter.charCodeAt(0)] = (soundClasses[letter.charCodeAt(0)] ?? 0) | (1 << index)
}

function soundsAlike(a: number, b: number): boolean {
  return a < 128 && b < 128 && ((soundClasses[a] as number) & (soundClasses[b] as number)) !== 0
}

const silent: ReadonlySet<number> = new Set([' ', 'h'].map((letter) => letter.charCodeAt(0)))

/** What it costs to leave a letter out or put it in. */
function letterCost(unit: number): number {
  return silent.has(unit) ? 0.5 : 1
}
