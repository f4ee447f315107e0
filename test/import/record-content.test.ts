// The searchable content of a record: its own text, which is the column `content` of the source, and the texts of its
// documents. A record may have 8 * 1024 * 1024 characters of both together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordDocument } from '../../src/domain/document.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import type { DocumentReading, DocumentTexts } from '../../src/import/documents/documents.ts'
import { readContent } from '../../src/import/record-content.ts'
import { recordOf } from './record.ts'

/** Without `--fetch-documents`, the documents of a record are only the files that it names. */
const withoutDownloads = { withDownloads: false }
const recordCharactersMax = 8 * 1024 * 1024
/** The own text of the records in these tests. */
const ownText = 'fila'

test('the content of a record is its own text and its documents page by page', async () => {
  const firstDocument = readingOf('aa', ['uno', 'dos'])
  const row = rowOf(['a.pdf', 'b.pdf'], 'https://example.org/docs/B.PDF?v=2')
  const content = await readContent(
    row,
    textsOf({ 'a.pdf': firstDocument, 'b.pdf': readingOf('bb', ['tres']) }),
    withoutDownloads,
  )
  assert.equal(content.text, ownText)
  // The address of the record ends in the name of b.pdf, though in upper case. No address ends in the name of a.pdf.
  assert.deepEqual(content.documents, [
    toDocument(null, firstDocument),
    toDocument('https://example.org/docs/B.PDF?v=2', readingOf('bb', ['tres'])),
  ])
  const withoutDocuments = await readContent(rowOf([], ''), textsOf({}), withoutDownloads)
  assert.deepEqual(withoutDocuments, { text: ownText, documents: [] })
})

test('the address of a file is the one that ends in its name, in whatever encoding', async () => {
  for (const address of ['https://a.example/Ordenaci%C3%B3n.pdf', 'https://a.example/Ordenaci%F3n.pdf#page=2']) {
    const row = rowOf(['planes/ordenación.pdf'], address)
    const content = await readContent(
      row,
      textsOf({ 'planes/ordenación.pdf': readingOf('aa', ['uno']) }),
      withoutDownloads,
    )
    assert.equal(content.documents[0]?.href, address)
  }
})

test('files of one name in different folders have the address with the same folders, or none', async () => {
  const [north, south] = ['https://a.example/docs/norte/memoria.pdf', 'https://a.example/docs/sur/memoria.pdf']
  const cases: [files: string[], links: string, agreementLink: string | null, hrefs: (string | null)[]][] = [
    [['sur/memoria.pdf', 'Norte\\Memoria.pdf'], north, south, [south, north]],
    [['sur/memoria.pdf', 'norte/memoria.pdf'], north, null, [null, north]],
    // Both files, or both addresses, are as similar.
    [['este/memoria.pdf', 'oeste/memoria.pdf'], north, null, [null, null]],
    [['memoria.pdf'], north, south, [null]],
    // One file has the name of both addresses, the other one has another name.
    [['docs/sur/memoria.pdf', 'planos.pdf'], north, south, [south, null]],
  ]
  for (const [files, links, agreementLink, hrefs] of cases) {
    const record = toStoredRecord({ ...recordOf('A-1'), links, agreementLink })
    const readings = Object.fromEntries(files.map((file, index) => [file, readingOf(`${index}`, [file])]))
    const content = await readContent({ ...rowOf(files, ''), record }, textsOf(readings), withoutDownloads)
    assert.deepEqual(
      content.documents.map(({ href }) => href),
      hrefs,
    )
  }
})

test('a file with the same content as a document at an address of the record counts once', async () => {
  const address = 'https://a.example/download/17'
  const texts = textsOf({ 'a.pdf': readingOf('aa', ['uno']), [address]: readingOf('aa', ['uno']) })
  const { documents } = await readContent(rowOf(['a.pdf'], address), texts, { withDownloads: true })
  assert.deepEqual(documents, [toDocument(address, readingOf('aa', ['uno']))])
})

test('pages past the limit of a record are unread, and the reason says so', async () => {
  // Four million characters. Two of these pages fit, because a record may have 8 * 1024 * 1024.
  const page = 'palabra '.repeat(500_000)
  const texts = textsOf({ 'a.pdf': readingOf('aa', [page, page, page, page]), 'b.pdf': readingOf('bb', ['otra']) })
  const { documents } = await readContent(rowOf(['a.pdf', 'b.pdf'], ''), texts, withoutDownloads)
  const [cut, next] = documents
  assert.deepEqual([cut?.pages, cut?.read, cut?.unread], [4, 2, 2])
  assert.deepEqual(
    cut?.texts.map((each) => each.page),
    [1, 2],
  )
  assert.equal(cut?.reason, 'the text from page 3 on is past the limit of 8,388,608 characters for a record')
  assert.equal(next?.read, 1, 'a short document still fits')

  // A document whose format has no pages counts as one page. This document has a text of three parts, which is cut at
  // the limit. It also has a reason already, to which the limit is added.
  const { texts: parts, ...reading } = readingOf('cc', [page, page, page])
  const unpagedParts = parts.map((part) => ({ ...part, page: null }))
  const unpaged = { ...reading, pages: 1, read: 1, reason: 'it has a dynamic form', texts: unpagedParts }
  const [cutText] = (await readContent(rowOf(['a.txt'], ''), textsOf({ 'a.txt': unpaged }), withoutDownloads)).documents
  const characters = cutText?.texts.reduce((sum, each) => sum + each.text.length, 0)
  assert.equal(characters, recordCharactersMax - ownText.length)
  assert.deepEqual([cutText?.pages, cutText?.read, cutText?.unread], [1, 0, 1])
  const limit = 'the end of the text is past the limit of 8,388,608 characters for a record'
  assert.equal(cutText?.reason, `it has a dynamic form; ${limit}`)
})

test('a text file that is past the limit of a record is unread', async () => {
  const { texts, ...reading } = readingOf('bb', ['otra'])
  const textFile = { ...reading, texts: texts.map((part) => ({ ...part, page: null })) }
  const fullPage = 'x'.repeat(recordCharactersMax - ownText.length)
  const { documents } = await readContent(
    rowOf(['a.pdf', 'b.txt'], ''),
    textsOf({ 'a.pdf': readingOf('aa', [fullPage]), 'b.txt': textFile }),
    withoutDownloads,
  )
  assert.deepEqual(
    documents.map(({ read, unread, texts }) => [read, unread, texts.length]),
    [
      [1, 0, 1],
      [0, 1, 0],
    ],
  )
})

test('an unread page past the limit of a record does not reduce the number of read pages', async () => {
  const page = 'palabra '.repeat(500_000)
  // Pages 1, 2 and 4 are read. Page 3 is unread: it is a scan, and only its stamp is text. Pages 5 and 6 were
  // recognised, but page 6 only in part, so it counts as unread too. `unreadWithText` are the unread pages with text.
  const { texts, ...reading } = readingOf('aa', [page, page, 'sello', page, page, page])
  const scanned = {
    ...reading,
    texts: texts.map((each) => ({ ...each, recognised: (each.page ?? 0) >= 5 })),
    read: 3,
    recognised: 1,
    unread: 2,
    unreadWithText: new Set([3, 6]),
  }
  // With the own text of the record, pages 1 and 2 reach the limit.
  const row = { ...rowOf(['a.pdf'], ''), content: 'x'.repeat(recordCharactersMax - 2 * page.length) }
  const [document] = (await readContent(row, textsOf({ 'a.pdf': scanned }), withoutDownloads)).documents
  assert.deepEqual(
    [document?.pages, document?.read, document?.recognised, document?.unread],
    // Only pages 1 and 2 fit. Page 4, which was read, and page 5, which was recognised, become unread like 3 and 6.
    [6, 2, 0, 4],
  )
})

/** A row of an import with the own text `ownText`, file names of documents and an address in the column `links`. */
function rowOf(documents: string[], links: string) {
  return { record: toStoredRecord({ ...recordOf('A-1'), links, agreementLink: null }), content: ownText, documents }
}

/** A document of these pages, all of which were read. */
function readingOf(sha256: string, pages: string[]): DocumentReading {
  const texts = pages.map((text, index) => ({ page: index + 1, text, recognised: false }))
  const counts = { pages: pages.length, read: pages.length, recognised: 0, unread: 0 }
  return { sha256, ...counts, reason: null, texts, unreadWithText: new Set() }
}

/** The document of a record with this reading. */
function toDocument(href: string | null, { unreadWithText: _, ...reading }: DocumentReading): RecordDocument {
  return { href, ...reading }
}

/** The documents of an import: readings by file name or address. */
function textsOf(readings: Readonly<Record<string, DocumentReading>>): DocumentTexts {
  return {
    outcomes: { text: 0, scan: 0, unreadable: 0, missing: 0 },
    problems: [],
    problemCount: 0,
    warnings: [],
    forgetUnused: () => {},
    read: async (reference) => {
      const reading = readings[reference.kind === 'file' ? reference.name : reference.url]
      assert.ok(reading)
      return reading
    },
    close: () => {},
  }
}
