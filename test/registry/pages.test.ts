// Tests of the pages of a record, the rows of the table `page`: how its text is cut into rows and read again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordDocument } from '../../src/domain/document.ts'
import { toPages } from '../../src/registry/pages.ts'
import { createRegistry } from '../create-registry.ts'
import { readText } from './reading.ts'

/** The longest text of a row, in UTF-16 units. */
const charactersMax = 16_000

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

test('every page with text is a row, after the text of the record itself', () => {
  const pages = toPages({ text: 'fila', documents: [documentOf('uno', ' \n', 'tres'), documentOf('cuatro')] })
  assert.deepEqual(pages, [
    { document: null, page: null, recognised: false, text: 'fila' },
    { document: 1, page: 1, recognised: false, text: 'uno' },
    { document: 1, page: 3, recognised: false, text: 'tres' },
    { document: 2, page: 1, recognised: false, text: 'cuatro' },
  ])
  const [, secondPage] = toPages({ text: '', documents: [documentOf('a', 'b')] })
  assert.equal(secondPage?.recognised, true)
  assert.deepEqual(toPages({ text: ' ', documents: [] }), [])
})

test('a long page is cut at white space into rows that lose no word', () => {
  const words = Array.from({ length: 20_000 }, (_, number) => `palabra${number}`)
  const pages = toPages({ text: '', documents: [documentOf(words.join(' '))] })
  assert.ok(pages.length > 10)
  for (const { text, page } of pages) assert.ok(text.length <= charactersMax && page === 1)
  assert.deepEqual(
    pages.flatMap(({ text }) => text.split(' ')),
    words,
  )
})

test('a text without white space is cut, but not inside a character', () => {
  // Each 𝒜 has two UTF-16 units. After the `a`, the longest row would end inside one.
  const longText = `a${'𝒜'.repeat(20_000)}`
  const pages = toPages({ text: longText, documents: [] })
  assert.equal(pages.map(({ text }) => text).join(''), longText)
  for (const { text } of pages) assert.ok(text.isWellFormed() && text.length <= charactersMax)
})

test('pages are read as they were written, whatever they contain', async () => {
  // `toPages` replaces the lone surrogate and removes the control character for the writing direction (\u202e).
  const texts = ['ñandú', 'a\0b', '\ud800solo', 'e\u0301'.repeat(300), '\u202eabc', '𝒜', 'x'.repeat(15_000)]
  const documents = [documentOf(...texts), documentOf(...texts.toReversed())]
  await using registry = await createRegistry()
  await registry.publish([
    { code: 'A-1', content: 'otro' },
    { code: 'A-2', content: 'fila', documents },
    { code: 'A-3', content: 'otro' },
  ])
  const pages = readText(registry, 'A-2')
  assert.deepEqual(pages, toPages({ text: 'fila', documents }))
  assert.equal(pages.length, 15)
  assert.ok(pages.every(({ text }) => text.isWellFormed()))
})
