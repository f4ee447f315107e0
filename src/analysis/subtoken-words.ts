// The word of a subtoken, which is a run of letters or of digits in a token, with the joined forms (other spellings)
// and synonyms (other words) that are indexed with it. The subtoken `UE` of the token `UE-1` has the word `ue` and the
// synonyms `unidad` and `ejecucion`. subtoken-groups.ts calls `toWord` for the subtokens of a token.
import { symbols } from './abbreviations.ts'
import { expansionsByAcronym } from './acronym-expansions.ts'
import type { AddedWords } from './added-words.ts'
import { codeLetters, toCodePart } from './code-letters.ts'
import { formWithSignLetter } from './codes.ts'
import { cedillaWords, type LexiconWord, wordOf } from './lexicon.ts'
import { withForm } from './lexicon-word.ts'
import { numberSymbol } from './number-words.ts'
import { ordinalsByDigits, upperCaseNumerals } from './numerals.ts'
import type { Subtoken } from './subtokens.ts'

/**
 * Returns the word of the subtoken, and adds what is indexed with it to `added`. `next` is the next subtoken of the
 * same code, if any: the 1 for the `UE` of `UE-1`.
 *
 * subtoken   | word (form and stem)     | joined forms         | synonyms
 * `suelo`    | `suelo`                  | none                 | none
 * `UE`       | `ue`                     | none                 | `unidad`, `ejecucion`
 * `P.G.O.U.` | `pgou`                   | `p`, `g`, `o`, `u`   | the words of the full form
 * `2ª`       | form `2`, stem `2º`      | none                 | `segundo`, `2`
 * `20ª`      | `20`                     | `20a`                | none: the lexicon has no such ordinal
 * `nº`       | form `nº`, stem `numero` | none                 | none
 * `no.5`     | form `nº`, stem `numero` | `no`                 | none
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
      if (ordinal === undefined) {
        joinedForms.push(wordOf(formWithSignLetter(subtoken)))
        return wordOf(subtoken.form)
      }
      synonyms.push(ordinal.spelledOut, wordOf(subtoken.form))
      return subtoken.trailingSign === 'ª' ? ordinal.feminineInDigits : ordinal.inDigits
    }
    case 'letters':
      return toLetterWord(subtoken, next, added)
  }
}

/**
 * Returns the word of a run of letters, and adds what is indexed with it to `added`.
 *
 * subtoken           | word                     | case
 * `suelo`            | `suelo`                  | a word of the lexicon
 * `C/`               | form `c`, stem `calle`   | a symbol
 * `plaça`            | form `placa`             | with the full word `plaza`: only the ç tells it from `placa`
 * the A of `A-6`     | form `a`, stem `A`       | the letter of a code
 * the PCA of `PCA-3` | form and stem `pca`      | letters of a code, which are no abbreviation of `plaza`
 * `III`              | form `iii`, numeral `3`  | a Roman numeral in upper case
 */
function toLetterWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  const { form, trailingSign } = subtoken
  const symbolWord = trailingSign === '' ? undefined : symbolWords.get(form + trailingSign)
  if (symbolWord !== undefined) {
    synonyms.push(...symbolWord.synonyms)
    return symbolWord.word
  }
  const cedillaWord = subtoken.hasCedilla ? cedillaWords.get(form) : undefined
  if (cedillaWord !== undefined) {
    synonyms.push(cedillaWord.fullWord)
    // The word without the ç is a joined form too, so that titles with `Plaça Europa` come first for `placa europa`.
    joinedForms.push(wordOf(form))
    return cedillaWord.word
  }
  // An ordinal sign that makes no symbol is a letter: `Antº` is `anto`. Most forms have no sign.
  const plainWord = wordOf(formWithSignLetter(subtoken))
  const isBeforeDigits = next?.kind === 'digits'
  const word = subtoken.isUpperCase && isBeforeDigits ? toCodePart(plainWord) : plainWord
  // The `A` of `A-6` has a stem of its own, `A`, so that it is not the preposition `a`.
  const codeLetter = isBeforeDigits ? codeLetters.get(word.form) : undefined
  if (codeLetter !== undefined) {
    // The plain `a` is added too. The term `SECTOR A 6` searches for it, because its A may be a preposition
    // (`readCapitalLetter` in term-labels.ts).
    joinedForms.push(word)
    return codeLetter
  }
  synonyms.push(...word.synonyms)
  addExpansion(word, subtoken, next, added)
  // `III` may be a number by itself; `iii` is one only after a word such as `fase` (rules.ts).
  return (subtoken.isUpperCase ? upperCaseNumerals.get(word.form) : undefined) ?? word
}

/** Adds the words of the full form of an acronym as synonyms: `unidad` and `ejecucion` for `UE`. */
function addExpansion(
  { form }: LexiconWord,
  { isUpperCase }: Subtoken,
  next: Subtoken | undefined,
  { synonyms }: AddedWords,
): void {
  const expansion = expansionsByAcronym.get(form)
  if (expansion === undefined) return
  // `NÚM.5` is "number", not the acronym of `normas urbanísticas municipales`; analyser.ts handles `NÚM. 5`. Without
  // the dot (`NÚM 5`) it may be either. Its stem is that of `número` in any case.
  const isNumber = form === 'num' && next?.delimiterBefore === '.'
  const isAcronym = !isNumber && (isUpperCase || next?.kind === 'digits')
  if (isAcronym || !expansion.isUpperCaseOnly) synonyms.push(...expansion.synonyms)
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
