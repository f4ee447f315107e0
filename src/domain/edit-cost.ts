// Weighted edit distance between words. An error that is hard to hear or to see costs half an edit: letters that
// sound alike in Spanish, a silent h, a doubled letter, `ll` for `y`, a missing space.

/** The cost of an edit that is hard to hear or see. */
export const halfEdit = 0.5
/** Less than a whole edit, because two letters in the wrong order are a frequent slip of fast typing. */
const transpositionCost = 0.75

/** A longer candidate costs infinity. The number is more than any name of a municipality or word of a vocabulary has. */
const candidateCharactersMax = 103

/** Three rows of the matrix of `editCost`, reused between calls. Column 0 is for the empty candidate. */
const matrixRows = [0, 1, 2].map(() => new Float64Array(candidateCharactersMax + 1))

/**
 * Optimal string alignment distance (insertion, deletion, substitution, transposition) with the costs of this file.
 * A cost above `costMax` may be returned as infinity. A row of the matrix belongs to a character of `typed`, a column
 * to one of `candidate`.
 */
export function editCost(typed: string, candidate: string, costMax: number): number {
  if (candidate.length > candidateCharactersMax) return Number.POSITIVE_INFINITY
  let [beforePrevious, previous, current] = matrixRows as [Float64Array, Float64Array, Float64Array]
  // The row of the empty text: every character of the candidate is inserted.
  previous[0] = 0
  for (let column = 1; column <= candidate.length; column++) {
    previous[column] = (previous[column - 1] as number) + gapCost(candidate, column - 1)
  }
  let previousMin = 0
  for (let row = 1; row <= typed.length; row++) {
    const typedUnit = typed.charCodeAt(row - 1)
    const deletionCost = gapCost(typed, row - 1)
    let rowMin = (previous[0] as number) + deletionCost
    current[0] = rowMin
    for (let column = 1; column <= candidate.length; column++) {
      const candidateUnit = candidate.charCodeAt(column - 1)
      let cost = (previous[column - 1] as number) + substitutionCost(typedUnit, candidateUnit)
      cost = Math.min(cost, (previous[column] as number) + deletionCost)
      cost = Math.min(cost, (current[column - 1] as number) + gapCost(candidate, column - 1))
      const isSwapped = typedUnit === candidate.charCodeAt(column - 2) && candidateUnit === typed.charCodeAt(row - 2)
      if (isSwapped) cost = Math.min(cost, (beforePrevious[column - 2] as number) + transpositionCost)
      // `y` for `ll`, or the reverse.
      if (typedUnit === letterY && endsInDoubleL(candidate, column)) {
        cost = Math.min(cost, (previous[column - 2] as number) + halfEdit)
      }
      if (candidateUnit === letterY && endsInDoubleL(typed, row)) {
        cost = Math.min(cost, (beforePrevious[column - 1] as number) + halfEdit)
      }
      current[column] = cost
      if (cost < rowMin) rowMin = cost
    }
    // A cell may depend on the two rows before it. So a later cell can be within the limit unless all costs of this row
    // and of the row before are above the limit.
    if (rowMin > costMax && previousMin > costMax) return Number.POSITIVE_INFINITY
    previousMin = rowMin
    ;[beforePrevious, previous, current] = [previous, current, beforePrevious]
  }
  return previous[candidate.length] as number
}

const letterH = 'h'.charCodeAt(0)
const letterL = 'l'.charCodeAt(0)
const letterY = 'y'.charCodeAt(0)
const space = ' '.charCodeAt(0)

/** Whether the first `length` letters end in `ll`. */
function endsInDoubleL(word: string, length: number): boolean {
  return word.charCodeAt(length - 1) === letterL && word.charCodeAt(length - 2) === letterL
}

/** Groups of letters that sound alike in Spanish, at least in some words. */
const soundGroups = ['bv', 'csz', 'gjx', 'iy', 'ckq']

/** For each ASCII character, a bit set of the sound groups that it belongs to. */
const soundsByLetter = Uint8Array.from({ length: 128 }, (_, unit) =>
  soundGroups.reduce((bits, group, index) => bits | (group.includes(String.fromCharCode(unit)) ? 1 << index : 0), 0),
)

/** `a` and `b` are UTF-16 code units. */
function substitutionCost(a: number, b: number): number {
  if (a === b) return 0
  const soundAlike = a < 128 && b < 128 && ((soundsByLetter[a] as number) & (soundsByLetter[b] as number)) !== 0
  return soundAlike ? halfEdit : 1
}

/** The cost of inserting or deleting the character at the index. A missing space is as easy to overlook as an `h`. */
function gapCost(word: string, index: number): number {
  const unit = word.charCodeAt(index)
  return unit === space || unit === letterH || word.charCodeAt(index - 1) === unit ? halfEdit : 1
}

/**
 * Bit set of the letters of a word, for a fast check before `editCost`: words whose sets differ in many bits are not
 * near each other. Bit 1 is `a`, bit 26 is `z`. Other characters may share a bit with a letter, which can only make two
 * sets more alike.
 */
export function toLetterSet(word: string): number {
  let letters = 0
  // The low five bits of a lower-case ASCII letter are its place in the alphabet.
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31)
  return letters
}

/** The number of bits that are set, added up in parallel: in pairs, in fours, in bytes. */
export function countBits(value: number): number {
  const inPairs = value - ((value >>> 1) & 0x55555555)
  const inFours = (inPairs & 0x33333333) + ((inPairs >>> 2) & 0x33333333)
  return Math.imul((inFours + (inFours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The known words within `costMax` of `word`, nearest first, ties in the order given: for the names of commands, flags,
 * parameters, paths and column headings. Case is ignored.
 */
export function nearestWords(
  word: string,
  known: readonly string[],
  costMax: number = Number.POSITIVE_INFINITY,
): string[] {
  const lower = word.toLowerCase().slice(0, candidateCharactersMax)
  return known
    .map((candidate) => ({ candidate, cost: editCost(lower, candidate.toLowerCase(), Number.POSITIVE_INFINITY) }))
    .filter(({ cost }) => cost <= costMax)
    .sort((a, b) => a.cost - b.cost)
    .map(({ candidate }) => candidate)
}
