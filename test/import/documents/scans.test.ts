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
  /** The outcome in the report of the import, such as `scan`; undefined for a document without a problem. */
  const outcomeOf = (name: string) => texts().problems.find(({ document }) => document === name)?.outcome

  it('is reported, with --ocr as the fix', async () => {
    assert.equal(outcomeOf('scan.pdf'), 'scan')
    assert.equal(texts().reasonFor('scan.pdf'), '1 of 1 pages are scans; use --ocr to read them')
    assert.equal(await texts().readFile('scan.pdf'), '')
  })

  it('may have a stamp or a long certification as text', () => {
    assert.equal(outcomeOf('stamp.pdf'), 'scan')
    assert.equal(outcomeOf('certification.pdf'), 'scan')
  })

  // In invisible.pdf and under.pdf the certification is the text layer. background.pdf has too many letters for a scan.
  it('is not a page with an OCR text layer, nor a page of text on a background image', () => {
    for (const name of ['invisible.pdf', 'under.pdf', 'background.pdf']) {
      assert.equal(texts().reasonFor(name), undefined, name)
    }
  })

  // Words are hidden if they are invisible or drawn before the image. A few are an OCR text layer only if the image
  // covers the page. Otherwise they may be a header, which is visible above the image.
  it('is a page with a few hidden words, unless its image covers the page', () => {
    assert.equal(texts().reasonFor('invisible-header.pdf'), undefined)
    assert.equal(texts().reasonFor('under-header.pdf'), undefined)
    assert.equal(outcomeOf('header.pdf'), 'scan')
    assert.equal(texts().reasonFor('header.pdf'), '1 of 1 pages are scans; use --ocr to read them')
  })

  it('is counted without the blank pages of its document', () => {
    assert.equal(outcomeOf('blank.pdf'), 'scan')
    assert.equal(texts().reasonFor('blank.pdf'), '1 of 2 pages are scans; use --ocr to read them')
  })

  it('of many pages is inspected in part, and the report says so', () => {
    // Inspection is slow. After eight scans without text, the other pages without text are taken for probable scans.
    const reason = 'at least 8 of 20 pages are scans and 12 more may be; use --ocr to read them'
    assert.equal(texts().reasonFor('long.pdf'), reason)
  })

  it('with a long text does not end the inspection of other pages with text, which are often typed', async () => {
    // The eight scans are inspected before the typed pages, which would otherwise count as probable scans.
    assert.equal(outcomeOf('signed-and-typed.pdf'), 'text')
    assert.deepEqual(await texts().countPages('signed-and-typed.pdf'), {
      pages: 20,
      read: 12,
      recognised: 0,
      unread: 8,
    })
    assert.equal(texts().reasonFor('signed-and-typed.pdf'), '8 of 20 pages are scans; use --ocr to read them')
    // All twelve have been inspected, so the report does not say `at least 8`.
    assert.equal(outcomeOf('signed.pdf'), 'scan')
    assert.equal(texts().reasonFor('signed.pdf'), '12 of 12 pages are scans; use --ocr to read them')
  })

  it('is not a table of symbols, whose words are kept', async () => {
    assert.equal(texts().reasonFor('table.pdf'), undefined)
    assert.match(await texts().readFile('table.pdf'), /^Compatibilidad de usos terciarios Compatibilidad/)
  })

  it('may be a page of text that is read only as glyph numbers', async () => {
    assert.equal(outcomeOf('glyphs.pdf'), 'scan')
    assert.equal(await texts().readFile('glyphs.pdf'), '')
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
