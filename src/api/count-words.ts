// Counts the words of a search term, whatever separates them. parameters.ts refuses a term with more words than
// `termWordsMax`, and term-suggestions.ts does not suggest one.
import { quotationMark } from '../analysis/term-parser.ts'

/**
 * Adds up the words of the parts between white space or quotation marks. A part has as many words as it has runs of
 * several letters: `norte/sur` has two. Numbers and initials are parts of a code, which is one word (`UE-1`,
 * `P.G.O.U.`), unless it has more than `codePartsMax` parts: `1/2/3/4/5` has two words.
 */
export function countWords(term: string): number {
  let count = 0
  for (const part of term.split(/\s+/u).flatMap((text) => text.split(quotationMark))) {
    const runs = part.match(runOfLettersOrDigits) ?? []
    const words = runs.filter((run) => severalLetters.test(run) && !doubleInitial.test(run))
    count += Math.max(words.length, Math.ceil(runs.length / codePartsMax))
  }
  return count
}

/** The most parts of a code that count as one word. An inscription code (`40076-PU-20180525-294919`) has four. */
const codePartsMax = 4

/** Combining marks and invisible characters, such as a soft hyphen, do not end a run. */
const runOfLettersOrDigits = /\p{L}[\p{L}\p{M}\p{Cf}]*|\p{N}+/gu
const severalLetters = /^\p{L}[\p{M}\p{Cf}]*\p{L}/u
/** The plural of an initial, as in `NN.SS.` */
const doubleInitial = /^(\p{L})\1$/u
