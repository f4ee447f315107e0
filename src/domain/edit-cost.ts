// Weighted edit distance between folded words. An error that is hard to hear or to see costs half an edit: letters that
// sound alike in Spanish, a silent h, a doubled letter, `ll` for `y`, a missing space.

/** The cost of an edit that is hard to hear or see. */
export const halfEdit = 0.5

/**
 * A longer candidate costs infinity. The number is arbitrary: it only has to be more than any municipality name in the
 * list and any word of a vocabulary has.
 */
const candidateCharactersMax = 103

/**
 * The three matrix rows of `editCost`, reused between calls. Column 0 is for the empty candidate. There is one column
 * more than characters, because `editCost` also writes the column after the last one that it computes.
 */
const matrixRows = [0, 1, 2].map(() => new Float64Array(candidateCharactersMax + 2))
/** By column of the matrix: the cost of inserting the character of the candidate. */
const insertionCosts = new Float64Array(candidateCharactersMax + 1)

/**
 * Optimal string alignment distance (insertion, deletion, substitution, transposition) with the costs of this file.
 * A cost above `costMax` may be returned as infinity. A character may move by at most `shiftMax` places: only a band of
 * this width on each side of the diagonal of the matrix is computed. A row of the matrix belongs to a character of
 * `typed`, a column to one of `candidate`.
 */
export function editCost(
  typed: string,
  candidate: string,
  costMax: number,
  shiftMax: number = candidateCharactersMax,
): number {
  let [beforePrevious, previous, current] = matrixRows as [Float64Array, Float64Array, Float64Array]
  const lengthDifference = Math.abs(typed.length - candidate.length)
  if (candidate.length > candidateCharactersMax || lengthDifference > shiftMax) return Number.POSITIVE_INFINITY
  // The row of the empty text: every character of the candidate is inserted.
  previous[0] = 0
  for (let column = 1; column <= candidate.length; column++) {
    insertionCosts[column] = insertOrDeleteCost(candidate, column - 1)
    previous[column] = (previous[column - 1] as number) + (insertionCosts[column] as number)
  }
  let previousMin = 0
  for (let row = 1; row <= typed.length; row++) {
    const typedUnit = typed.charCodeAt(row - 1)
    const deletionCost = insertOrDeleteCost(typed, row - 1)
    const firstColumn = Math.max(1, row - shiftMax)
    const lastColumn = Math.min(candidate.length, row + shiftMax)
    // The cells beside the band, which this row and the next ones read.
    current[firstColumn - 1] = firstColumn === 1 ? (previous[0] as number) + deletionCost : Number.POSITIVE_INFINITY
    current[lastColumn + 1] = Number.POSITIVE_INFINITY
    let rowMin = current[firstColumn - 1] as number
    for (let column = firstColumn; column <= lastColumn; column++) {
      const candidateUnit = candidate.charCodeAt(column - 1)
      let cost = Math.min(
        (previous[column - 1] as number) + substitutionCost(typedUnit, candidateUnit),
        (previous[column] as number) + deletionCost,
        (current[column - 1] as number) + (insertionCosts[column] as number),
      )
      const isSwapped =
        row > 1 &&
        column > 1 &&
        typedUnit === candidate.charCodeAt(column - 2) &&
        candidateUnit === typed.charCodeAt(row - 2)
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

/** Less than a whole edit, because two letters in the wrong order are a frequent slip of fast typing. */
const transpositionCost = 0.75

const letterL = 'l'.charCodeAt(0)
const letterY = 'y'.charCodeAt(0)

/** Whether the first `length` letters end in `ll`. */
function endsInDoubleL(word: string, length: number): boolean {
  return length > 1 && word.charCodeAt(length - 1) === letterL && word.charCodeAt(length - 2) === letterL
}

/** Groups of letters that sound alike in Spanish, at least in some words. */
const soundGroups = ['bv', 'csz', 'gjx', 'iy', 'ckq']

/** For each ASCII character, a bit set of the sound groups that it belongs to. */
const soundsByLetter = new Uint8Array(128)
for (const [group, letters] of soundGroups.entries()) {
  for (const letter of letters) {
    const unit = letter.charCodeAt(0)
    soundsByLetter[unit] = (soundsByLetter[unit] ?? 0) | (1 << group)
  }
}

/** `a` and `b` are UTF-16 code units. */
function substitutionCost(a: number, b: number): number {
  if (a === b) return 0
  return soundsAlike(a, b) ? halfEdit : 1
}

function soundsAlike(a: number, b: number): boolean {
  return a < 128 && b < 128 && ((soundsByLetter[a] as number) & (soundsByLetter[b] as number)) !== 0
}

const space = ' '.charCodeAt(0)
const letterH = 'h'.charCodeAt(0)

/** The cost of inserting or deleting the character at the index. */
function insertOrDeleteCost(word: string, index: number): number {
  const unit = word.charCodeAt(index)
  // A missing space is as easy to overlook as a silent `h`.
  const isSilent = unit === space || unit === letterH
  const isDoubled = index > 0 && word.charCodeAt(index - 1) === unit
  return isSilent || isDoubled ? halfEdit : 1
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
