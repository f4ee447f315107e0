// The word `NUM` of a search term, in capitals or with dots inside (`n.u.m.`). It is the acronym of the Normas
// Urbanísticas Municipales, or "number", because many people type whole terms in capitals. What follows it decides. Any
// other spelling (`num`, `NÚM`) is always "number". term-tokens.ts calls `findNumWord` for each token of a term.
import { numAcronym } from './acronym-expansions.ts'
import type { LexiconWord } from './lexicon.ts'
import { numberOrNumAcronym } from './number-words.ts'
import { isRomanNumeral } from './numerals.ts'
import { analyseToken } from './token.ts'
import { Tokenizer } from './tokenizer.ts'
import { isDigits } from './word.ts'
import { isOfClass } from './word-classes.ts'

/**
 * Finds the word of the current token if it is `NUM` and may be the acronym. Undefined if it is only "number", and for
 * any other token. The first row that applies decides:
 *
 * term                    | `NUM` is    | why
 * `NUM 5`, `N.U.M. V`     | only number | a number in digits or a Roman numeral follows
 * `N.U.M. CUELLAR`        | the acronym | it has dots inside
 * `Parcela NUM A-5`       | either      | a code, or a letter in capitals, follows
 * `modificación NUM`      | the acronym | no word follows, or only stop words
 * `NUM MODIFICACION 3`    | the acronym | the 3 is the number of the modification
 * `Modificación NUM. dos` | either      | a dot follows, as after any abbreviation
 * `NUM DE POLICIA`        | either      | the whole term is in capitals
 * `NUM de Cuéllar`        | the acronym | any other case
 */
export function findNumWord(tokenizer: Tokenizer): LexiconWord | undefined {
  const { text, spelling, end } = tokenizer
  if (spelling !== 'NUM' && !initials.test(spelling)) return undefined
  const following = new Tokenizer(text)
  following.nextOffset = tokenizer.nextOffset
  if (!following.advance()) return numAcronym
  const { words, groups } = analyseToken(following)
  const [word] = words
  if (word !== undefined && (isDigits(word) || isRomanNumeral(word))) return undefined
  if (spelling !== 'NUM') return numAcronym
  const isCode = groups[0]?.joinedCode !== undefined || /^\p{Lu}$/u.test(following.spelling)
  if (isCode) return numberOrNumAcronym
  const contentWord = findContentWord(following)
  if (contentWord === undefined || takesNumberAfterIt(contentWord)) return numAcronym
  const isInCapitals = text === text.toUpperCase()
  return isInCapitals || text.charAt(end) === '.' ? numberOrNumAcronym : numAcronym
}

/** The tokenizer leaves out a dot at the end. */
const initials = /^N\.U\.M$/i

/** The first word from the current token on that is no stop word: `policia` for the `DE` of `DE POLICIA`. */
function findContentWord(tokenizer: Tokenizer): LexiconWord | undefined {
  do {
    const word = analyseToken(tokenizer).words.find(({ isStopWord }) => !isStopWord)
    if (word !== undefined) return word
  } while (tokenizer.advance())
  return undefined
}

/**
 * Whether the number of the word stands after it, so that a `NUM` before it is not "number": true for `modificación`,
 * because `Modificación 3` is `Modificación nº 3` (word-classes.ts). False for an acronym, although `UE 4` is
 * `UE nº 4`: the `NUM` of `NUM UE 4` may still be "number".
 */
function takesNumberAfterIt({ wordClass }: LexiconWord): boolean {
  return isOfClass(wordClass, 'MODIFICATION') || isOfClass(wordClass, 'PARTIAL')
}
