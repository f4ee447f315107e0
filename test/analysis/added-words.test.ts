// Tests of the part of a text that each of its words stands for (its offsets), and each of its added words (its span).
// An added word is a joined form (`ue23` for `UE-23`) or a synonym.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseText, analyseTextWithOffsets } from '../../src/analysis/analyser.ts'

/** Texts with codes, abbreviations, enumerations, words broken at a line end or in a PDF, and a spaced heading. */
const texts = [
  'Modificación del P.G.O.U. de Ávila, UE-23 y UE 24; SUNC-R 3, C/ Mayor nº 5',
  'Plan General de Ordenación Urbana: Unidad de Ejecución nº 1, 2 y 4',
  'suelo urbani-\nzable, modiﬁ cación y modifi cación; rehabilitaci ón del a ́mbito',
  'M E M O R I A de la 3ª fase, fase II, Sector V y parc. 7; UBZ R 5, S SUNC 1',
  'UE-1, 2 y 4; UE nº 3 del Plan Parcial; modi cación puntual; No. 5',
]

/** The stem of every word, joined form and synonym of the text, with the part of the text that it stands for. */
function toWordsWithParts(text: string): { stem: string; part: string }[] {
  const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans, offsets } = analyseTextWithOffsets(text)
  /** The text from the first to the last of these words. The defaults are for the compiler: every span has both. */
  const toPart = (first = 0, last = 0): string => text.slice(offsets.starts[first], offsets.ends[last])
  return [
    ...words.map(({ stem }, index) => ({ stem, part: toPart(index, index) })),
    // `firsts` and `lasts` are parallel to the list of added words.
    ...joinedForms.map(({ stem }, i) => ({ stem, part: toPart(joinedFormSpans.firsts[i], joinedFormSpans.lasts[i]) })),
    ...synonyms.map(({ stem }, i) => ({ stem, part: toPart(synonymSpans.firsts[i], synonymSpans.lasts[i]) })),
  ]
}

for (const text of texts) {
  test(`every word or added word of ${JSON.stringify(text)} is found in the part that it stands for`, () => {
    for (const { stem, part } of toWordsWithParts(text)) {
      // With a dot, because `No` is an abbreviation only before one.
      const found = analyseText(`${part}.`)
      const stems = [...found.words, ...found.joinedForms, ...found.synonyms].map((word) => word.stem)
      assert.ok(stems.includes(stem), `${stem} stands for ${JSON.stringify(part)}`)
    }
  })
}

test('a joined form, a synonym or a broken word stands for all of its parts', () => {
  /** The different parts of the text that words with the stem stand for. */
  const partsOf = (text: string, stem: string) => [
    ...new Set(toWordsWithParts(text).flatMap((word) => (word.stem === stem ? [word.part] : []))),
  ]
  // Both the whole name and `Plan General` alone have the synonym.
  assert.deepEqual(partsOf('el Plan General de Ordenación Urbana vigente', 'pgou'), [
    'Plan General',
    'Plan General de Ordenación Urbana',
  ])
  // The analyser adds the codes of single tokens first, so the result is not in the order of the text.
  assert.deepEqual(partsOf('el SUNC-R 3 y el SUNC-R-3', 'suncr3'), ['SUNC-R-3', 'SUNC-R 3'])
  assert.deepEqual(partsOf('el suelo urbani-\n  zable', analyseText('urbanizable').words[0]?.stem ?? ''), [
    'urbani-\n  zable',
  ])
})
