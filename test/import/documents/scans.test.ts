// Scans, which are pages that show an image of their text: which pages count as scans, and what the report says of
// them. `reasonFor` returns undefined if a document was read completely. OCR is in ocr.test.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { hugeImage, jbig2Scan, makePdf, type TestImage } from './pdf.ts'
import { openWorkspace, useWorkspace } from './workspace.ts'

describe('a scan', () => {
  // This text has 80 letters and digits. A page with fewer than 300 has only a stamp, and one with fewer than 1,500 may
  // be a scan with a certification (scanned-page.ts).
  const certification =
    'DILIGENCIA.- Para hacer constar que este documento, de 240 páginas, fue aprobado definitivamente.'
  // Images as wide as the page. The first covers the whole page, the second its lower part.
  const image = greyImage(100, 141)
  const photograph = greyImage(100, 85)
  // If the font of a PDF does not say which letter a glyph is, the text is read as the numbers of the glyphs. In a
  // common order of glyphs, the number of a letter is 29 less than its code: `Condiciones` is read as `&RQGLFLRQHV`.
  const glyphs = 'Condiciones de uso de los edificios'.replace(/./g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) - 29),
  )
  const symbol = '©'
  // The words of a page with many symbols are kept if they have at least 200 letters. These have 8 * 30.
  const words = repeated('Compatibilidad de usos terciarios', 8)
  // 6 * 80 letters: more than a stamp has, and fewer than a certification may have.
  const certified = repeated(certification, 6)
  const header = ['Anexo fotográfico']
  // 16 * 80 letters in small print at the foot of a scan, like those of many signatures: more than a stamp has.
  const signed = { lines: repeated(certification, 16), image, isFooter: true } as const
  // 30 * 80 letters: more than a certification has.
  const typed = { lines: repeated(certification, 30) }
  const files = {
    'scan.pdf': makePdf([{ image }]),
    'stamp.pdf': makePdf([{ lines: ['Firmado electrónicamente'], image }]),
    'certification.pdf': makePdf([{ lines: certified, image }]),
    'invisible.pdf': makePdf([{ lines: certified, image, hidden: 'invisible' }]),
    'under.pdf': makePdf([{ lines: certified, image, hidden: 'under' }]),
    'background.pdf': makePdf([{ ...typed, image }]),
    'invisible-header.pdf': makePdf([{ lines: header, image, hidden: 'invisible' }]),
    'under-header.pdf': makePdf([{ lines: header, image, hidden: 'under' }]),
    // The header is drawn before the image, like a text layer, but the image does not cover it.
    'header.pdf': makePdf([{ lines: header, image: photograph, hidden: 'under' }]),
    'blank.pdf': makePdf(['blank', { image }]),
    'long.pdf': makePdf(repeated({ image: jbig2Scan }, 20)),
    'signed-and-typed.pdf': makePdf([...repeated(signed, 8), ...repeated(typed, 12)]),
    'signed.pdf': makePdf(repeated(signed, 12)),
    'table.pdf': makePdf([{ lines: [...words, ...repeated(`${symbol} `.repeat(20), 20)] }]),
    'glyphs.pdf': makePdf([{ lines: repeated(glyphs, 8) }]),
  }
  const texts = useWorkspace(async ({ writeAll, prepare }) => {
    await writeAll(files)
    return prepare(Object.keys(files))
  })
  const reasonOf = (count: number, total: number): string =>
    `${count} of ${total} pages are scans; use --ocr to read them`

  /** The outcome is that in the report of the import; undefined for a document without a problem. */
  const cases: [name: string, file: keyof typeof files, outcome?: 'scan' | 'text', reason?: string][] = [
    ['is reported, with --ocr as the fix', 'scan.pdf', 'scan', reasonOf(1, 1)],
    ['may have a stamp as text', 'stamp.pdf', 'scan', reasonOf(1, 1)],
    ['may have a long certification as text', 'certification.pdf', 'scan', reasonOf(1, 1)],
    ['is not a page with the invisible text of earlier OCR', 'invisible.pdf'],
    ['is not a page with the text of earlier OCR under its image', 'under.pdf'],
    ['is not a page of text on a background image', 'background.pdf'],
    ['is not a page with a few invisible words, if its image covers the page', 'invisible-header.pdf'],
    ['is not a page with a few words under an image that covers the page', 'under-header.pdf'],
    // The words may be a header, which is visible above the image.
    ['is a page with a few words drawn before an image of a part of the page', 'header.pdf', 'scan', reasonOf(1, 1)],
    ['is counted without the blank pages of its document', 'blank.pdf', 'scan', reasonOf(1, 2)],
    // After eight scans without text, the other pages without text are taken for probable scans.
    [
      'of many pages is inspected in part, and the report says so',
      'long.pdf',
      'scan',
      'at least 8 of 20 pages are scans and 12 more may be; use --ocr to read them',
    ],
    // The eight scans are inspected before the typed pages, which would otherwise count as probable scans.
    [
      'with a long text does not end the inspection of other pages with text, which are often typed',
      'signed-and-typed.pdf',
      'text',
      reasonOf(8, 20),
    ],
    ['with a long text is inspected on every page', 'signed.pdf', 'scan', reasonOf(12, 12)],
    ['is not a table of symbols', 'table.pdf'],
    ['may be a page of text that is read only as glyph numbers', 'glyphs.pdf', 'scan', reasonOf(1, 1)],
  ]
  for (const [name, file, outcome, reason] of cases) {
    it(name, () => {
      const problem = texts().problems.find(({ document }) => document === file)
      assert.deepEqual([problem?.outcome, problem?.reason], [outcome, reason])
    })
  }

  it('has no text without OCR, while a table of symbols has its words', async () => {
    for (const file of ['scan.pdf', 'glyphs.pdf']) assert.equal(await texts().readFile(file), '')
    assert.match(await texts().readFile('table.pdf'), /^Compatibilidad de usos terciarios Compatibilidad/)
    const counts = { pages: 20, read: 12, recognised: 0, unread: 8 }
    assert.deepEqual(await texts().countPages('signed-and-typed.pdf'), counts)
  })

  it('is counted apart from the documents with text', () => {
    const { text, scan, unreadable, missing } = texts().outcomes
    // The texts are invisible, under, background, invisible-header, under-header, signed-and-typed and table. The
    // scans are scan, stamp, certification, header, blank, long, signed and glyphs.
    assert.deepEqual({ text, scan, unreadable, missing }, { text: 7, scan: 8, unreadable: 0, missing: 0 })
  })

  it('may be an image that is too large to inspect', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    // Decoding the image takes a gigabyte, and the worker may have 300 MB.
    await write('plan.pdf', makePdf([{ image: hugeImage() }]))
    const prepared = await prepare(['plan.pdf'], { limits: { workerBytesMax: 300 * 1024 * 1024 } })
    assert.deepEqual(prepared.outcomes, { text: 0, scan: 1, unreadable: 0, missing: 0 })
  })
})

/** A grey area of this size in pixels. */
function greyImage(width: number, height: number): TestImage {
  return { data: deflateSync(Buffer.alloc(width * height)), format: 'grey', width, height }
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
