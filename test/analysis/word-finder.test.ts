// Tests of `findWords`, which returns the part of a text with the words at given positions. It must count the words as
// the analyser does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTextWithOffsets } from '../../src/analysis/analyser.ts'
import { findWords } from '../../src/analysis/word-finder.ts'
import { seed } from '../seed.ts'
import { titles, titleWords } from './titles.ts'

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...titles, ...titleWords),
      fc.constantFrom(
        'urbani-\nzable',
        'cap\u00ad\ntación',
        'modiﬁ cación',
        'rehabilitaci ón',
        'No. 5',
        'n.',
        'fin. Y',
        'l’Alcúdia',
        'C/',
        'a-',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...`abnoñÁ·'´ºª./-,\u00ad\n 05`), maxLength: 12 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(' '))

test('the part begins at or before its first word, and ends before the word after its last one or with the text', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), fc.nat(20), (text, first, extraWords) => {
      const { words, offsets } = analyseTextWithOffsets(text)
      // `firstPosition` is that of the first word of the part. It may be less than `first`, because the part begins
      // with a whole token.
      const { start, end, firstPosition } = findWords(text, first, first + extraWords)
      const last = Math.min(first + extraWords, words.length - 1)
      assert.ok(firstPosition <= first)
      // The part begins between the word before and its first word.
      if (firstPosition < words.length) assert.ok(start <= (offsets.starts[firstPosition] ?? 0))
      if (firstPosition > 0) assert.ok(start >= (offsets.ends[firstPosition - 1] ?? 0))
      // It ends between its last word and the next one, or with the text.
      const lastEnd = offsets.ends[last] ?? 0
      if (last >= 0) assert.ok(end >= lastEnd)
      if (first + extraWords >= words.length - 1) assert.equal(end, text.length)
      else assert.ok(end <= (offsets.starts.find((wordStart) => wordStart >= lastEnd) ?? text.length))
    }),
    { seed, numRuns: 3_000 },
  )
})

test('the part starts and ends with the tokens of the first and the last word', () => {
  const text = 'uno dos, UE-4. Cinco seis siete ocho nueve.'
  // The words are counted from 0: 3 is the `4` of the code, 5 is `seis`.
  const { start, end, firstPosition } = findWords(text, 3, 5)
  assert.equal(text.slice(start, end), 'UE-4. Cinco seis')
  // The token `UE-4` begins with the word `UE`.
  assert.equal(firstPosition, 2)
})

test('the part with the last word ends with the text, even if a token without words follows', () => {
  const text = 'uno dos tres 😀 '
  assert.equal(findWords(text, 1, 2).end, text.length)
})
