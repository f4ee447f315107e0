// Counts the words of a search term, whatever separates them. parameters.ts refuses a term with more words than
// `termWordsMax`, and term-suggestions.ts does not suggest one.
import { quotationMark } from '../analysis/term-parser.ts'

/**
 * Adds up the words of the pieces between white space or quotation marks. A piece counts as many words as it has runs
 * of several letters (`norte/sur`: two), but at least one for every `codePartsMax` runs of letters or digits, rounded
 * up. So a short code is one word (`UE-1`, `P.G.O.U.`), and `1/2/3/4/5` is two.
 */
export function countWords(term: string): number {
  let count = 0
  for (const piece of term.split(/\s+/u).flatMap((text) => text.split(quotationMark))) {
    const runs = piece.match(runOfLettersOrDigits) ?? []
    const words = runs.filter((run) => severalLetters.test(run) && !doubleInitial.test(run))
    count += Math.max(words.length, Math.ceil(runs.length / codePartsMax))
  }
  return count
}

/** The most runs that count as one word. An inscription code (`40076-PU-20180525-294919`) has four. */
const codePartsMax = 4

/** Combining marks and invisible characters, such as a soft hyphen, do not end a run of letters. */
const runOfLettersOrDigits = /\p{L}[\p{L}\p{M}\p{Cf}]*|\p{N}+/gu
const severalLetters = /^\p{L}[\p{M}\p{Cf}]*\p{L}/u
/** Two equal letters are the plural of an initial, as in `NN.SS.`, and count like one letter. */
const doubleInitial = /^(\p{L})\1$/u
