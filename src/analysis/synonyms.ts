// Adds the words which depend on several words of a text. analyser.ts calls `addSynonyms` for each text, as a token
// filter.
//
// text                                | added
// `Plan General de Ordenación Urbana` | `pgou`: the acronym of a phrase
// `Unidad de Ejecución 1`             | `ue1`: the acronym with its number (numbered-codes.ts)
// `Sector II`, `2ª fase`, `PGOU 97`   | `sector 2`, `fase 2`, `1997`: the entities of rules.ts
// `C/ Mayor`                          | `calle mayor`: a kind of street with its name (street-names.ts)
// `Daroca, sin número`                | `s/n`: the mark of an address without a number
// `modi cación`                       | `modificacion`: a word that has lost its ligature
//
// token.ts adds the synonyms of a single token, and spaced-codes.ts the joined forms of codes with spaces.
import { months } from './dates.ts'
import { readEntities } from './entities.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { steps } from './lexicon-word.ts'
import { noNumberMark, startsNoNumberMark } from './no-number-mark.ts'
import { numberWord } from './number-words.ts'
import { addNumberedAcronym, addNumberedCode } from './numbered-codes.ts'
import { findNumberStem, toNumberedStem } from './numerals.ts'
import { findNextNode, type PhraseNode } from './phrase-trie.ts'
import { addSpacedCodes } from './spaced-codes.ts'
import { addStreets } from './street-names.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits } from './word.ts'

/**
 * Adds the synonyms of each word that depend on the words beside it. Prefixes such as `modif*` do not match synonyms.
 * What they should find too is added as a joined form: `modificacion` for `modi cación`.
 */
export function addSynonyms(text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  let found = 0
  for (let position = 0; position < words.length; position++) {
    const word = words[position] as LexiconWord
    if (word.steps === 0) continue
    found |= word.steps
    if (word.ligatureWordsByHead !== undefined) {
      // `modi cación` has lost its ligature and is also `modificación`: `modi` is the head, `cacion` the tail.
      const wholeWord = word.ligatureWordsByHead.get(words[position - 1]?.form ?? '')
      if (wholeWord !== undefined) added.add({ joinedForms: [wholeWord] }, { first: position - 1, last: position })
    }
    // The mark `s/n` of an address without a number is a group of two words. The code `S-N-3`, of three, has no mark.
    const mayBeMark = (word.steps & steps.noNumberMarks) !== 0
    if (mayBeMark && startsNoNumberMark(words, position) && (codesByPosition.get(position)?.words.length ?? 0) <= 2) {
      added.add({ synonyms: [noNumberMark] }, { first: position, last: position + 1 })
    }
    if (word.phrases !== undefined && !isAfterSquareMetres(words, position)) {
      addPhraseSynonyms(word.phrases, position, text)
    }
    if ((word.steps & steps.rules) !== 0) addNumberedCode(position, text)
  }
  if ((found & steps.rules) !== 0) addEntities(text)
  if ((found & steps.streets) !== 0) addStreets(text)
  addSpacedCodes(text, (found & steps.letters) !== 0)
}

function addEntities(text: TextAnalysis): void {
  for (const { entities, hasNumberWord } of readEntities(text)) {
    for (const { stem, number, position, first, last } of entities) {
      text.added.add({ synonyms: [wordOf(stem)] }, { first, last })
      if (!hasNumberWord) continue
      // The term `nº 3` finds `Sector nº III`, but not `Sector III`.
      const digits = findNumberStem(text.words[position]) ?? number
      const numbered = wordOf(toNumberedStem(numberWord.stem, digits))
      text.added.add({ synonyms: [numbered] }, { first, last })
      // In `Modificación nº V`, a 5 stands beside the modification too (neighbours.ts).
      if (text.words[position]?.stem !== digits) {
        text.added.add({ synonyms: [wordOf(digits)] }, { first: position, last: position })
      }
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
