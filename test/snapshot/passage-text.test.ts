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
const wordsInContext =
  `A S N R y a e de la 1 2 3 12 2002 II V 3ª tercera última UE UE-1 SUNC-R SUNCR UBZ fase fases sector
  sectores parc. nº No. Cap. s/n unidad ejecución plan general ordenación urbana ley diciembre modi
  cación`.split(/\s+/)
const anyWordInContext = fc.constantFrom(...wordsInContext, 'urba-\n')
const anyWord = fc.oneof({ weight: 4, arbitrary: anyWordInContext }, fc.constantFrom(...titleWords))
const anyText = fc.array(anyWord, { minLength: 80, maxLength: 350, size: 'max' }).map((words) => words.join(' '))
const terms = [
  ...['UE-1', 'UE2', 'SUNC-R-3', 'PGOU', '"plan general"', 'fase 3', 'tercera fase', 'sector 2', 'nº 3', 'parcela 3'],
  ...['modificación', 'urbana', 's/n', 'A', 'plan ley', 'ubz*', 'ue*', 'sun*', 'LOUA', 'unidad de ejecución 12'],
].map((search) => analyseTerm(search))

test('a passage is the same whether the whole text is analysed or only the words around the match', () => {
  let passagesCompared = 0
  const check = fc.property(anyText, (text) => {
    const usedSegment = segmentOf(text)
    const wordCount = analyseText(text).words.length
    for (const term of terms) {
      for (let word = 0; word < wordCount; word += 3) {
        const window = { first: word, last: word }
        const passage = cutPassage(usedSegment, term, window)
        if (passage === undefined) continue
        // When a short segment is used for the first time, only the words around the window are analysed.
        assert.deepEqual(cutPassage(segmentOf(text), term, window), passage)
        passagesCompared++
      }
    }
  })
  fc.assert(check, { numRuns: 60, seed: 13 })
  assert.ok(passagesCompared > 1000, `only ${passagesCompared} passages were compared`)
})
