// Passages (pieces of about 200 characters of a document around the words of a search) and documents over HTTP: what a
// reader needs to check a citation, how many pages were read, and passages of hostile documents.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RecordDocument } from '../../src/domain/document.ts'
import type { WireIncluded } from '../../src/domain/wire.ts'
import { documentOf } from '../registry/paged-document.ts'
import { publishRecords, startService } from '../service.ts'
import { sendRequest } from './send-request.ts'

const noAddress = null
/** A scan of 40 pages, of which 30 were recognised (OCR). Only one of these has text. */
const scan: RecordDocument = {
  ...documentOf([], noAddress),
  pages: 40,
  recognised: 30,
  unread: 10,
  reason: 'pages 31 to 40 are past the limit',
  texts: [{ page: 7, text: 'Molinos harineros del río.', recognised: true }],
}
/** A document of two pages at https://example.org/memoria.pdf, the default address of `documentOf`. */
const planReport = documentOf(['Memoria.', 'Las unidades de paisaje y los miradores.'])
/** Pages with control and combining characters, broken surrogates, very long words, and very many words. */
const hostile = [
  `\u202emolino\u202c \0 ${'e\u0301'.repeat(20)}${'\u0301'.repeat(400)} molino`,
  `molino\ud800 \udc00 molino ${'𝒜'.repeat(3000)}molino`,
  `${'x'.repeat(1_000_000)} molino`,
  `molino ${'. '.repeat(200_000)} molino`,
  'molino '.repeat(20_000),
  `${'a-'.repeat(50_000)}molino\u00ad\n`,
]

const service = await startService([
  { code: 'A-1', title: 'Plan', documents: [planReport, scan] },
  { code: 'A-2', title: 'Plan de paisaje' },
  { code: 'A-3', title: 'Hostil', documents: [documentOf(hostile)] },
  { code: 'A-4', title: 'Largo', documents: [documentOf(['molino harinero '.repeat(500_000)])] },
])
after(() => service[Symbol.asyncDispose]())

/** The records of a response, which must be 200. */
async function read(path: string): Promise<WireIncluded[]> {
  const { status, bytes } = await sendRequest(service, path)
  assert.equal(status, 200, bytes.toString())
  return (JSON.parse(bytes.toString()) as { resultadoBusqueda: WireIncluded[] }).resultadoBusqueda
}

test('a citation can be checked: page, words and SHA-256 of the document', async () => {
  const quotation = encodeURIComponent('"unidades de paisaje"')
  const [record] = await read(`record/A-1?search=${quotation}&include=passages,documents`)
  assert.deepEqual(Object.keys(record ?? {}).slice(-2), ['documents', 'passages'])
  assert.deepEqual(record?.passages, [
    {
      document: 1,
      page: 2,
      text: 'Las unidades de paisaje y los miradores.',
      // The offsets of the quotation in the text.
      marks: [[4, 23]],
      href: 'https://example.org/memoria.pdf#page=2',
      recognised: false,
    },
  ])
  assert.deepEqual(record?.documents?.[0], {
    href: 'https://example.org/memoria.pdf',
    pages: 2,
    read: 2,
    recognised: 0,
    unread: 0,
    reason: null,
    sha256: planReport.sha256,
  })
  // In quotation marks stop words count too, so `del` is not `de`.
  const wrongQuotation = encodeURIComponent('"unidades del paisaje"')
  assert.equal((await sendRequest(service, `record/A-1?search=${wrongQuotation}&include=passages`)).status, 404)
})

test('a passage says that its text was recognised, and has no address if its document has none', async () => {
  const [record] = await read('record?search=harineros%20rio&limit=1&include=passages')
  assert.deepEqual(
    record?.passages?.map(({ document, page, href, recognised }) => [document, page, href, recognised]),
    [[2, 7, null, true]],
  )
})

test('a record that is found by its title alone has no passages', async () => {
  const records = await read('record?search=paisaje&limit=10&include=cod_archivo,passages')
  assert.deepEqual(
    records.map(({ cod_archivo: code, passages }) => [code, passages?.length]),
    [
      ['A-2', 0],
      ['A-1', 1],
    ],
  )
})

test('the summary adds up the pages of the matching records', async () => {
  // A-1 has 2 pages that were read and 40 of a scan, A-3 has 6, A-4 has 1. Of these only A-3 does not match. A page
  // counts once, as read, as recognised or as unread.
  const summarise = async (path: string) => JSON.parse((await sendRequest(service, path)).bytes.toString())
  assert.deepEqual((await summarise('summary?search=harinero&include=documents')).documents, {
    pages: 43,
    read: 3,
    recognised: 30,
    unread: 10,
  })
  assert.equal((await summarise('summary?include=documents')).documents.pages, 49)
  assert.equal('documents' in (await summarise('summary')), false)
})

test('the ETag depends on include', async () => {
  const tags = await Promise.all(
    ['', '&include=documents', '&include=passages'].map(
      async (include) => (await sendRequest(service, `record?search=plan&limit=5${include}`)).headers.etag,
    ),
  )
  assert.equal(new Set(tags).size, 3)
})

/** A passage has about 200 characters and never more than 400. The other 20 allow for the ellipses. */
const passageLengthMax = 420
/** The most passages of a record whose code is in the path. A record of a list has at most 3. */
const passagesMax = 100

for (const [code, what] of [
  ['A-3', 'a hostile document'],
  ['A-4', 'a very long page'],
] as const) {
  test(`passages of ${what} are short, well-formed and marked inside the text`, async () => {
    for (const path of [
      `record/${code}?search=molino`,
      `record/${code}?search=moli*`,
      'record?search=molino&limit=9',
    ]) {
      for (const { passages = [] } of await read(`${path}&include=passages`)) {
        assert.ok(passages.length <= passagesMax)
        for (const { text, marks } of passages) {
          assert.ok(text.isWellFormed() && text.length <= passageLengthMax, String(text.length))
          assert.doesNotMatch(text, /[\p{Cc}\u202e]/u)
          assert.ok(marks.length > 0)
          let previousEnd = 0
          for (const [start, end] of marks) {
            assert.ok(previousEnd <= start && start < end && end <= text.length)
            assert.match(text.slice(start, end), /molino/i)
            previousEnd = end
          }
        }
      }
    }
    assert.ok(((await read(`record/${code}?search=molino&include=passages`))[0]?.passages?.length ?? 0) > 1)
  })
}

test('a registry without stored text refuses passages with 400 and names --no-passages', async () => {
  // This replaces the registry of the other tests, so it is the last one.
  await publishRecords(service.database, [{ code: 'A-1', content: 'molino' }], { withPassages: false })
  await service.store.refresh()
  assert.equal((await sendRequest(service, 'record?search=molino&limit=5')).status, 200)
  const { status, bytes } = await sendRequest(service, 'record?search=molino&limit=5&include=passages')
  assert.equal(status, 400)
  assert.match(bytes.toString(), /--no-passages.*"parameter":"include"/)
})
