// Adds the synonyms which depend on several words of a text. A synonym is another word that is indexed for the same
// place in the text. analyser.ts calls `addSynonyms` for each text, as a token filter.
//
// text                                | added
// `Plan General de Ordenación Urbana` | `pgou`: the acronym of a phrase
// `Unidad de Ejecución 1`             | `ue1` and more: the acronym with a number (numeral-synonyms.ts)
// `PGOU 97`                           | `1997`: the year of a plan
// `Benavente III`                     | `3`: the Arabic number of a Roman numeral
// `Daroca, sin número`                | `s/n`: the mark of an address without a number
// `modi cación`                       | `modificacion`: a word that has lost its ligature
// `Sector II`                         | `sector 2` and more (numeral-synonyms.ts)
// `2ª fase`, `2ª modificación`        | `fase 2` and more (phase-numbers.ts, modification-numbers.ts)
//
// token.ts adds the synonyms of a single token, and spaced-codes.ts the joined forms of codes with spaces.
import { months } from './dates.ts'
import type { LexiconWord } from './lexicon.ts'
import { addModificationSynonyms } from './modification-numbers.ts'
import { noNumberMark, startsNoNumberMark } from './no-number-mark.ts'
import { addNumberedAcronym, addNumeralSynonyms } from './numeral-synonyms.ts'
import { addPhaseSynonyms, wordsKeepingRomanNumeral } from './phase-numbers.ts'
import { findNextNode, type PhraseNode } from './phrase-trie.ts'
import { findPlanYear } from './plan-years.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits } from './word.ts'

/**
 * Adds the synonyms of each word that depend on the words beside it: `1997` for the 97 of `PGOU 97`. Prefixes such as
 * `modif*` do not match synonyms. What they should find too is added as a joined form: `modificacion` for
 * `modi cación`.
 */
export function addSynonyms(text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  for (let position = 0; position < words.length; position++) {
    const word = words[position] as LexiconWord
    if (word.ligatureWordsByHead !== undefined) {
      // `modi cación` has lost its ligature and is also `modificación`: `modi` is the head, `cacion` the tail.
      const wholeWord = word.ligatureWordsByHead.get(words[position - 1]?.form ?? '')
      if (wholeWord !== undefined) added.add({ joinedForms: [wholeWord] }, { first: position - 1, last: position })
    }
    // The mark `s/n` of an address without a number is a group of two words. The code `S-N-3`, of three, has no mark.
    if (startsNoNumberMark(words, position) && (codesByPosition.get(position)?.words.length ?? 0) <= 2) {
      added.add({ synonyms: [noNumberMark] }, { first: position, last: position + 1 })
    }
    if (word.phrases !== undefined && !isAfterSquareMetres(words, position)) {
      addPhraseSynonyms(word.phrases, position, text)
    }
    if (word.mayHaveNumeral) {
      addNumeralSynonyms(position, text)
      addPhaseSynonyms(position, text)
      addModificationSynonyms(position, text)
    }
    if (word.form.length === 2 && isDigits(word)) {
      // `PGOU 97` is also `PGOU 1997`.
      const year = findPlanYear(words, position)
      if (year !== undefined) added.add({ synonyms: [year] }, { first: position, last: position })
    }
    // `Benavente III` is also `Benavente 3`, but `Carlos III` is not `Carlos 3`.
    if (word.arabicNumeral !== undefined && !wordsKeepingRomanNumeral.has(words[position - 1]?.form ?? '')) {
      added.add({ synonyms: [word.arabicNumeral] }, { first: position, last: position })
    }
  }
}

/** The T and the M of `m²t/m²s` (floor area by site area) are units, not the initials of `término municipal`. */
function isAfterSquareMetres(words: readonly LexiconWord[], position: number): boolean {
  return words[position - 1]?.form === '2' && words[position - 2]?.form === 'm'
}

/**
 * Adds the synonyms of each phrase that starts with the word at `start`: `pp` for `Plan Parcial`. The function follows
 * the trie of the phrases that have an acronym (phrase-trie.ts) from `startNode`, which is the node of that word. It
 * skips stop words, numbers and, after a number, the name of a month.
 */
function addPhraseSynonyms(startNode: PhraseNode, start: number, text: TextAnalysis): void {
  const { words, added } = text
  let node = startNode
  /** The stop words since the last word that belongs to the phrase. */
  let skippedStopWords = 0
  /** Whether a number has interrupted the phrase, so that the name of a month may follow. */
  let hasNumber = false
  for (let position = start + 1; position < words.length; position++) {
    const word = words[position] as LexiconWord
    const child = findNextNode(node, word)
    if (child === undefined) {
      if (word.isStopWord) {
        if (++skippedStopWords > skippedStopWordsMax) return
        continue
      }
      // For example `Ley 7/2002, de 17 de diciembre, de Ordenación Urbanística`.
      if (isDigits(word)) hasNumber = true
      else if (!hasNumber || !months.has(word.form)) return
      continue
    }
    node = child
    skippedStopWords = 0
    if (node.acronym !== undefined) {
      added.add({ synonyms: node.synonyms, joinedForms: node.joinedForms }, { first: start, last: position })
      // `Unidad de Ejecución 1` is also `UE1`.
      addNumberedAcronym({ acronym: node.acronym, first: start }, position + 1, text)
    }
    if (node.children.size === 0) return
  }
}

/** More stop words between two words end a phrase. `Ley 7/2002, de 17 de diciembre, de Ordenación` has three. */
const skippedStopWordsMax = 3
