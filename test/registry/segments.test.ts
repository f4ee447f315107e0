// Tests of segments, the stored text of records page by page: how a text is cut, packed into chunks and read again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RecordDocument } from '../../src/domain/document.ts'
import { readSegments, type Segment, TextChunkWriter, toSegments } from '../../src/registry/pages.ts'
import { seed } from '../seed.ts'

/** The longest segment, in UTF-16 units. */
const segmentLengthMax = 16_000

const emptyDocument: RecordDocument = {
  href: null,
  sha256: null,
  pages: 1,
  read: 1,
  recognised: 0,
  unread: 0,
  reason: null,
  texts: [],
}

/** A document whose pages have these texts. The second page was recognised from an image. */
function documentOf(...pages: readonly string[]): RecordDocument {
  return { ...emptyDocument, texts: pages.map((text, index) => ({ page: index + 1, text, recognised: index === 1 })) }
}

/** Packs the segments into chunks and reads them all back. */
function writeAndRead(segments: readonly Segment[]): Segment[] {
  const writer = new TextChunkWriter()
  const chunks = [...segments.map((segment) => writer.add(segment)), writer.finish()].filter(
    (each) => each !== undefined,
  )
  // The writer numbers the segments from 0 through all chunks.
  const numbers = segments.map((_, number) => number)
  return [...readSegments(chunks, numbers).values()]
}

test('every page with text is a segment, after the text of the record itself', () => {
  const segments = toSegments({ text: 'fila', documents: [documentOf('uno', ' \n', 'tres'), documentOf('cuatro')] })
  assert.deepEqual(segments, [
    { document: null, page: null, recognised: false, text: 'fila' },
    { document: 1, page: 1, recognised: false, text: 'uno' },
    { document: 1, page: 3, recognised: false, text: 'tres' },
    { document: 2, page: 1, recognised: false, text: 'cuatro' },
  ])
  const [, secondPage] = toSegments({ text: '', documents: [documentOf('a', 'b')] })
  assert.equal(secondPage?.recognised, true)
  assert.deepEqual(toSegments({ text: ' ', documents: [] }), [])
})

test('a long page is cut at white space into segments that lose no word', () => {
  const words = Array.from({ length: 20_000 }, (_, number) => `palabra${number}`)
  const segments = toSegments({ text: '', documents: [documentOf(words.join(' '))] })
  assert.ok(segments.length > 10)
  for (const { text, page } of segments) assert.ok(text.length <= segmentLengthMax && page === 1)
  assert.deepEqual(
    segments.flatMap(({ text }) => text.split(' ')),
    words,
  )
})

test('a text without white space is cut, but not inside a character', () => {
  // Each 𝒜 has two UTF-16 units. After the `a`, the longest segment would end inside one.
  const longText = `a${'𝒜'.repeat(20_000)}`
  const segments = toSegments({ text: longText, documents: [] })
  assert.equal(segments.map(({ text }) => text).join(''), longText)
  for (const { text } of segments) assert.ok(text.isWellFormed() && text.length <= segmentLengthMax)
})

test('segments are read as they were written, whatever they contain', () => {
  // `toSegments` replaces the lone surrogate and removes the control character for the writing direction (\u202e). The
  // last text is longer than the buffer into which a chunk is decompressed.
  const texts = ['ñandú', 'a\0b', '\ud800solo', 'e\u0301'.repeat(300), '\u202eabc', '𝒜', 'x'.repeat(15_000)]
  const segments = toSegments({ text: 'fila', documents: [documentOf(...texts), documentOf(...texts.toReversed())] })
  assert.deepEqual(writeAndRead(segments), segments)
  assert.ok(segments.every(({ text }) => text.isWellFormed()))
})

test('any number of chunks of any size is read at once', () => {
  // A page is a unit that is repeated up to a length. The longest is just short enough for one segment.
  const anyPage = fc.record({ length: fc.nat(15_000), unit: fc.constantFrom('a', 'plan ', 'ñ𝒜') })
  fc.assert(
    fc.property(fc.array(anyPage, { minLength: 1 }), (pages) => {
      const texts = pages.map(({ length, unit }) => unit.repeat(Math.floor(length / unit.length)))
      const segments = toSegments({ text: '', documents: [documentOf(...texts)] })
      assert.deepEqual(writeAndRead(segments), segments)
    }),
    { seed },
  )
})

test('a chunk gives only the segments that are asked for', () => {
  const writer = new TextChunkWriter()
  for (const segment of toSegments({ text: 'a', documents: [documentOf('b', 'c')] })) writer.add(segment)
  const chunk = writer.finish()
  assert.ok(chunk)
  assert.deepEqual(
    // The segments of this first chunk are numbered from 0. It has no segment 7.
    [...readSegments([chunk], [1, 7])].map(([number, { text }]) => [number, text]),
    [[1, 'b']],
  )
})
