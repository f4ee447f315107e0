// Counts the words of a search term for the limit `termWordsMax`, whatever separates them. parameters.ts refuses a term
// with more, and term-suggestions.ts suggests none.
import { quotationMark } from '../analysis/term-parser.ts'

/**
 * A part between white space or quotation marks is one word, also if it is a code (`UE-1`, `P.G.O.U.`), or as many as
 * it joins: `norte/sur` has two. Numbers and initials are parts of a code, but only so many: `1/2/3/4/5` has two words.
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

/** An inscription code such as `40076-PU-20180525-294919` has four parts. */
const codePartsMax = 4

/** Combining marks and invisible characters, such as a soft hyphen, do not end a run. */
const runOfLettersOrDigits = /\p{L}[\p{L}\p{M}\p{Cf}]*|\p{N}+/gu
const severalLetters = /^\p{L}[\p{M}\p{Cf}]*\p{L}/u
/** The plural of an initial, as in `NN.SS.` */
const doubleInitial = /^(\p{L})\1$/u
