// Tests of how a passage is cut from the text of a segment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTerm, analyseText } from '../../src/analysis/analyser.ts'
import { cutPassage } from '../../src/snapshot/passage-text.ts'
import type { Segment } from '../../src/snapshot/segments.ts'
import { titleWords } from '../analysis/titles.ts'

function segmentOf(text: string): Segment {
  return { document: 1, page: 1, recognised: false, text }
}

// `any…` are arbitraries of fast-check, which draw random values of their name. What these words mean to the analyser
// depends on the words around them: enumerations, ordinals, codes with spaces, interrupted phrases, broken words.
const wordsInContext = `A S N R y a e de la 1 2 3 12 2002 II V 3ª tercera última UE UE-1 SUNC-R SUNCR UBZ fase fases
  sector sectores parc. nº No. Cap. s/n unidad ejecución plan general ordenación urbana ley diciembre modi cación
  1,2,3,4,5,6,7,8,9,10,11,12 UE-1,UE-2,UE-3,UE-4,UE-5,UE-6`
const anyWordInContext = fc.constantFrom(...wordsInContext.split(/\s+/), 'urba-\n')
const anyWord = fc.oneof({ weight: 4, arbitrary: anyWordInContext }, fc.constantFrom(...titleWords))
/** A title as somebody pastes it into a search, longer than what is analysed around a single word. */
const longPhrase = Array.from({ length: 38 }, (_, number) => `frase${number}`).join(' ')
/** Longer texts are never analysed as a whole. */
const wholeCharactersMax = 2_000
const anyText = fc
  .tuple(fc.array(anyWord, { minLength: 60, maxLength: 350, size: 'max' }), fc.nat(60))
  .map(([words, phraseIndex]) => words.toSpliced(phraseIndex, 0, longPhrase).join(' ').slice(0, wholeCharactersMax))
const terms = [
  ...['UE-1', 'UE2', 'SUNC-R-3', 'PGOU', '"plan general"', 'fase 3', 'tercera fase', 'sector 2', 'nº 3', 'parcela 3'],
  ...['modificación', 'urbana', 's/n', 'A', 'plan ley', 'ubz*', 'ue*', 'sun*', 'LOUA', 'unidad de ejecución 12'],
  ...[`"${longPhrase}" frase37`, '12 1'],
].map((search) => analyseTerm(search))

test('a passage is the same whether the whole text is analysed or only the words around the match', () => {
  const anyTerm = analyseTerm('plan')
  let passagesCompared = 0
  const check = fc.property(anyText, (text) => {
    const wordCount = analyseText(text).words.length
    const usedSegment = segmentOf(text)
    // A short segment is analysed as a whole from the fourth use on.
    for (let use = 0; use < 3; use++) cutPassage(usedSegment, anyTerm, { first: 0, last: 0 })
    for (const term of terms) {
      for (let word = 0; word < wordCount; word += 3) {
        const window = { first: word, last: word }
        const passage = cutPassage(segmentOf(text), term, window)
        assert.deepEqual(cutPassage(usedSegment, term, window), passage)
        if (passage !== undefined) passagesCompared++
      }
    }
  })
  fc.assert(check, { numRuns: 15, seed: 13 })
  assert.ok(passagesCompared > 1000, `only ${passagesCompared} passages were compared`)
})
