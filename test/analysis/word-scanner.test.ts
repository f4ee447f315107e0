// Tests of `WordScanner`, which finds the offsets of the words of a text. It must count the words as the analyser does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTextWithOffsets } from '../../src/analysis/analyser.ts'
import { WordScanner } from '../../src/analysis/word-scanner.ts'
import { seed } from '../seed.ts'
import { titles, titleWords } from './titles.ts'

/** Titles, tokens that are no plain word, and random characters, separated by spaces. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...titles, ...titleWords),
      fc.constantFrom(
        // Words that a line end or a PDF has broken.
        'urbani-\nzable',
        'cap\u00ad\ntación',
        'modiﬁ cación',
        'rehabilitaci ón',
        // `No.` and `n.` abbreviate "number" with their dot. The dot of `fin.` is plain punctuation.
        'No. 5',
        'n.',
        'fin. Y',
        // A token of two words, a slash that belongs to its word, and a hyphen that breaks no word.
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

test('the words of a text have the offsets that the analyser gives them, however far the text is scanned', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), fc.nat(60), (text, position, characters) => {
      const { starts, ends } = analyseTextWithOffsets(text).offsets
      const scanner = new WordScanner(text)
      // Finds the words up to the one at `position`, and those that start up to `characters` after the end of that
      // word.
      scanner.scan(position, characters)
      const found = scanner.starts.length
      assert.deepEqual(scanner.starts, starts.slice(0, found))
      assert.deepEqual(scanner.ends, ends.slice(0, found))
      const end = ends[position]
      if (end === undefined) assert.ok(scanner.isAtEnd)
      // A word that is not found starts more than `characters` after the end of the word at `position`.
      else for (const start of starts.slice(found)) assert.ok(start > end + characters)
      // A second scan goes on with the rest of the text.
      scanner.scan(starts.length, 0)
      assert.ok(scanner.isAtEnd)
      assert.deepEqual({ starts: scanner.starts, ends: scanner.ends }, { starts, ends })
    }),
    { seed, numRuns: 3_000 },
  )
})

test('a scan ends with the first word that is too far from the word at the position', () => {
  const text = 'uno dos, UE-4. Cinco seis siete ocho nueve.'
  const scanner = new WordScanner(text)
  // The word at position 3, counted from 0, is the `4` of the code. `seis` is the first word that starts farther from
  // the end of the code than the length of `. Cinco`. Both words of the code have the offsets of the whole code.
  scanner.scan(3, '. Cinco'.length)
  assert.deepEqual(
    scanner.starts.map((start, word) => text.slice(start, scanner.ends[word])),
    ['uno', 'dos', 'UE-4', 'UE-4', 'Cinco', 'seis'],
  )
  assert.equal(scanner.isAtEnd, false)
})

test('a scan reaches the end of a text whose last token has no words', () => {
  const scanner = new WordScanner('uno dos tres 😀 ')
  scanner.scan(2, 100)
  assert.ok(scanner.isAtEnd)
  assert.equal(scanner.starts.length, 3)
})
