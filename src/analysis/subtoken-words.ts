// The word of a subtoken, with the forms and synonyms that are indexed with it: the word of `UE` is `ue`, and the words
// of `unidad de ejecución` are its synonyms. subtoken-groups.ts calls `toWord` for the subtokens of a token.
import { symbols } from './abbreviations.ts'
import type { AddedWords } from './added-words.ts'
import { formWithSignLetter } from './codes.ts'
import {
  codeLetters,
  expansionsByAcronym,
  type LexiconWord,
  numberSymbol,
  ordinalsByDigits,
  upperCaseNumerals,
  withForm,
  wordOf,
} from './lexicon.ts'
import type { Subtoken } from './subtokens.ts'

/**
 * Returns the word at the position of the subtoken, and adds its other forms and synonyms to `added`. The other forms
 * go to `joinedForms`, which prefixes match but phrases do not: the parts of a token that is indexed as one word
 * (`P.G.O.U.`), and other readings (the `no` of `no.5`). `next` is the next subtoken of its group.
 */
export function toWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  // `P.G.O.U.` also contains `p`, `g`, `o` and `u`; `1.250` also contains `1` and `250`.
  joinedForms.push(...subtoken.dottedParts.map(wordOf))
  switch (subtoken.kind) {
    case 'numberAbbreviation':
      // `no.5` contains the word `no`; `nº` does not.
      if (subtoken.form === 'no') joinedForms.push(wordOf('no'))
      return numberSymbol
    case 'digits':
      return wordOf(subtoken.form)
    case 'ordinal': {
      const ordinal = ordinalsByDigits.get(subtoken.form)
      // `20ª` has no ordinal in the lexicon: it is the number 20, and `20a`.
      if (ordinal === undefined) {
        joinedForms.push(wordOf(formWithSignLetter(subtoken)))
        return wordOf(subtoken.form)
      }
      // The word of `2ª` has the form `2` and the stem `2º`. Its synonyms are `segundo` and `2`.
      synonyms.push(ordinal.spelledOut, wordOf(subtoken.form))
      return ordinal.inDigits
    }
    case 'letters':
      return toLetterWord(subtoken, next, added)
  }
}

/**
 * The word of a run of letters: that of a symbol (`C/`), the letter of a code (`A-6`), a Roman numeral in upper case,
 * or the word of the lexicon.
 */
function toLetterWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  const { form, trailingSign } = subtoken
  const symbolWord = trailingSign === '' ? undefined : symbolWords.get(form + trailingSign)
  if (symbolWord !== undefined) {
    synonyms.push(...symbolWord.synonyms)
    return symbolWord.word
  }
  // An ordinal sign that makes no symbol is a letter: `Antº` is `anto`. Most forms have no sign.
  const word = wordOf(formWithSignLetter(subtoken))
  // The `A` of `A-6` has a stem of its own, so that it is not the preposition `a`.
  const codeLetter = next?.kind === 'digits' ? codeLetters.get(word.form) : undefined
  if (codeLetter !== undefined) {
    // The plain `a` is another form. The term `SECTOR A 6` searches for it, because its A may be a preposition
    // (`readCapitalLetter` in term-labels.ts).
    joinedForms.push(word)
    return codeLetter
  }
  synonyms.push(...word.synonyms)
  const expansion = expansionsByAcronym.get(word.form)
  // `NÚM.5` is "number", not normas urbanísticas municipales; analyser.ts sees to `NÚM. 5`. Without the dot (`NÚM 5`)
  // it may be either. Its stem is that of `número` in any case.
  const isNumber = word.form === 'num' && next?.delimiterBefore === '.'
  const isAcronym = !isNumber && (subtoken.isUpperCase || next?.kind === 'digits')
  if (expansion !== undefined && (isAcronym || !expansion.isUpperCaseOnly)) synonyms.push(...expansion.synonyms)
  // `III` may be a number by itself; `iii` is one only after a word such as `fase` (numeral-synonyms.ts).
  return (subtoken.isUpperCase ? upperCaseNumerals.get(word.form) : undefined) ?? word
}

/**
 * `C/`, `Pº` and the like, by symbol. The word of `pº` has the form `po` and the stem of `paseo`. Terms match stems, so
 * the word `po` is added as a synonym: the term `po` finds `Pº` too.
 */
const symbolWords = new Map(
  symbols.map(({ symbol, word, letters }) => [
    symbol,
    { word: withForm(wordOf(word), letters), synonyms: [wordOf(letters)] },
  ]),
)
