// Pages that are scans: which pages count as scans, and what OCR reads of them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { hugeImage, jbig2Scan, makePdf, scan } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

describe('a scan', () => {
  // This text has 80 letters and digits. A page with fewer than 300 has only a stamp, and one with fewer than 1,500 may
  // be a scan with a certification (ocr-candidates.ts).
  const certification =
    'DILIGENCIA.- Para hacer constar que este documento, de 240 páginas, fue aprobado definitivamente.'
  const ordinance = scan(['Ordenanza reguladora del suelo', 'urbanizable de Villanueva'])

  it('is reported, with --ocr as the fix', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('scan.pdf', makePdf([{ image: ordinance }]))
    const texts = await prepare(['scan.pdf'])
    assert.equal(texts.outcomes.scan, 1)
    assert.equal(texts.reasonFor('scan.pdf'), '1 of 1 pages are scans; use --ocr to read them')
    assert.equal(await texts.readFile('scan.pdf'), '')
  })

  it('may have a stamp as text', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('scan.pdf', makePdf([{ lines: ['Firmado electrónicamente'], image: ordinance }]))
    const texts = await prepare(['scan.pdf'])
    assert.equal(texts.outcomes.scan, 1)
  })

  it('may have a long certification as text, to which OCR adds the text of the image', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    // The text of the image begins after ten blank lines, so that the certification does not cover it.
    const page = {
      lines: repeated(certification, 6),
      image: scan([...repeated('', 10), 'Ordenanza reguladora del suelo']),
    }
    await write('scan.pdf', makePdf([page]))
    assert.equal((await prepare(['scan.pdf'])).outcomes.scan, 1)
    const texts = await prepare(['scan.pdf'], { ocr: true })
    const text = await texts.readFile('scan.pdf')
    assert.ok(text.startsWith(certification), text)
    assert.match(text, /Ordenanza reguladora del suelo/)
  })

  it('may have long signature footers and come after many pages with little text', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const page = { lines: repeated(certification, 16), image: ordinance, isFooter: true } as const
    await write('scan.pdf', makePdf([...repeated({ lines: ['Anexo'] }, 120), page, page]))
    assert.equal(
      (await prepare(['scan.pdf'])).reasonFor('scan.pdf'),
      '2 of 122 pages are scans; use --ocr to read them',
    )
  })

  it('may be rotated', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = repeated('Ordenanza reguladora del suelo urbanizable de Villanueva', 14)
    await write('scan.pdf', makePdf([{ image: scan(lines, { isRotated: true }) }]))
    const texts = await prepare(['scan.pdf'], { ocr: true })
    const linesRead = (await texts.readFile('scan.pdf')).match(/reguladora del suelo urbanizable/g)
    // OCR may misread a few of the 14 lines.
    assert.ok((linesRead?.length ?? 0) >= 10)
  })

  it('is not a page with an OCR text layer or a page of text on a background image', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = repeated(certification, 6)
    await write('invisible.pdf', makePdf([{ lines, image: ordinance, hidden: 'invisible' }]))
    await write('under.pdf', makePdf([{ lines, image: ordinance, hidden: 'under' }]))
    // 30 lines are more than a certification.
    await write('background.pdf', makePdf([{ lines: repeated(certification, 30), image: ordinance }]))
    const texts = await prepare(['invisible.pdf', 'under.pdf', 'background.pdf'])
    assert.deepEqual(texts.outcomes, { text: 3, scan: 0, unreadable: 0, missing: 0 })
    assert.deepEqual(texts.problems, [])
  })

  it('is not a page with an OCR text layer of a few words, but is a page with a header above its image', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = ['Anexo fotográfico']
    await write('invisible.pdf', makePdf([{ lines, image: ordinance, hidden: 'invisible' }]))
    await write('under.pdf', makePdf([{ lines, image: ordinance, hidden: 'under' }]))
    // The header is drawn before the image, like a text layer, but the image covers only the lower part of the page.
    const photograph = { data: deflateSync(Buffer.alloc(100 * 85)), format: 'grey', width: 100, height: 85 } as const
    await write('header.pdf', makePdf([{ lines, image: photograph, hidden: 'under' }]))
    const texts = await prepare(['invisible.pdf', 'under.pdf', 'header.pdf'])
    assert.deepEqual(texts.outcomes, { text: 2, scan: 1, unreadable: 0, missing: 0 })
    assert.equal(texts.reasonFor('header.pdf'), '1 of 1 pages are scans; use --ocr to read them')
  })

  it('is found after many blank or short pages, which are not counted as scans', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const scans = [{ image: ordinance }, { image: ordinance }]
    await write('short.pdf', makePdf([...repeated({ lines: ['Anexo'] }, 20), ...scans]))
    await write('blank.pdf', makePdf([...repeated('blank' as const, 20), ...scans]))
    await write('stamped.pdf', makePdf([...repeated({ lines: ['Anexo'] }, 20), { lines: ['Sello'], image: ordinance }]))
    const texts = await prepare(['short.pdf', 'blank.pdf', 'stamped.pdf'])
    assert.equal(texts.reasonFor('short.pdf'), '2 of 22 pages are scans; use --ocr to read them')
    assert.equal(texts.reasonFor('blank.pdf'), '2 of 22 pages are scans; use --ocr to read them')
    assert.equal(texts.reasonFor('stamped.pdf'), '1 of 21 pages are scans; use --ocr to read them')
    // Only blank.pdf has no page of text.
    assert.deepEqual(texts.outcomes, { text: 2, scan: 1, unreadable: 0, missing: 0 })
  })

  it('of many pages is inspected in part, and the report says so', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('long.pdf', makePdf(repeated({ image: jbig2Scan }, 20)))
    // After eight scans without text, no further page without text is inspected.
    const reason = 'at least 8 of 20 pages are scans and 12 more may be; use --ocr to read them'
    assert.equal((await prepare(['long.pdf'])).reasonFor('long.pdf'), reason)
  })

  it('does not make the pages of text in the same document scans, however many scans there are', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const footer = { lines: repeated(certification, 16), image: ordinance, isFooter: true } as const
    const typed = { lines: repeated(certification, 30) }
    await write('half.pdf', makePdf([...repeated(footer, 8), ...repeated(typed, 12)]))
    await write('whole.pdf', makePdf(repeated(footer, 12)))
    const texts = await prepare(['half.pdf', 'whole.pdf'])
    assert.deepEqual(texts.outcomes, { text: 1, scan: 1, unreadable: 0, missing: 0 })
    assert.deepEqual(await texts.countPages('half.pdf'), { pages: 20, read: 12, recognised: 0, unread: 8 })
    assert.equal(texts.reasonFor('half.pdf'), '8 of 20 pages are scans; use --ocr to read them')
    assert.equal(texts.reasonFor('whole.pdf'), '12 of 12 pages are scans; use --ocr to read them')
  })

  it('in JBIG2, or text in a font without letters, is read by OCR', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = repeated('Ordenanza municipal del suelo', 8)
    await write('scans.pdf', makePdf([{ image: jbig2Scan }, { unmappedLines: lines }]))
    assert.equal((await prepare(['scans.pdf'])).outcomes.scan, 1)
    const texts = await prepare(['scans.pdf'], { ocr: true })
    assert.equal(await texts.readFile('scans.pdf'), `Ordenanza municipal\f${lines.join(' ')}`)
  })

  it('is not assumed for a table of symbols, whose words are kept', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const symbol = '©'
    // The words are kept because they have at least 200 letters.
    const words = repeated('Compatibilidad de usos terciarios', 8)
    await write('table.pdf', makePdf([{ lines: [...words, ...repeated(`${symbol} `.repeat(20), 20)] }]))
    const texts = await prepare(['table.pdf'])
    assert.equal(texts.outcomes.scan, 0)
    assert.match(await texts.readFile('table.pdf'), /^Compatibilidad de usos terciarios Compatibilidad/)
  })

  it('is assumed for text that consists of glyph numbers', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    // In a common order of glyphs, the number of a letter is 29 less than its code.
    const glyphs = 'Condiciones de uso de los edificios'.replace(/./g, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) - 29),
    )
    await write('glyphs.pdf', makePdf([{ lines: repeated(glyphs, 8) }]))
    const texts = await prepare(['glyphs.pdf'])
    assert.equal(texts.outcomes.scan, 1)
    assert.equal(await texts.readFile('glyphs.pdf'), '')
  })

  it('is assumed for an image that is too large to inspect', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('plan.pdf', makePdf([{ image: hugeImage() }]))
    const texts = await prepare(['plan.pdf'], { limits: { workerBytesMax: 300 * 1024 * 1024 } })
    assert.deepEqual(texts.outcomes, { text: 0, scan: 1, unreadable: 0, missing: 0 })
  })

  it('that is one page of a document does not affect the other pages, and OCR reads the whole document', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('half.pdf', makePdf([{ lines: ['Memoria informativa'] }, { image: ordinance }, { lines: ['Anexo'] }]))
    const withoutOcr = await prepare(['half.pdf'])
    assert.equal(withoutOcr.outcomes.text, 1)
    assert.equal(await withoutOcr.readFile('half.pdf'), 'Memoria informativa\f\fAnexo')
    assert.equal(withoutOcr.reasonFor('half.pdf'), '1 of 3 pages are scans; use --ocr to read them')
    assert.deepEqual(await withoutOcr.countPages('half.pdf'), { pages: 3, read: 2, recognised: 0, unread: 1 })
    assert.equal(await withoutOcr.unreadReason('half.pdf'), '1 of 3 pages are scans and were not recognised')

    const withOcr = await prepare(['half.pdf'], { ocr: true })
    assert.equal(withOcr.outcomes.text, 1)
    const allPages = 'Memoria informativa\fOrdenanza reguladora del suelo urbanizable de Villanueva\fAnexo'
    assert.equal(await withOcr.readFile('half.pdf'), allPages)
    assert.deepEqual(withOcr.problems, [])
    assert.deepEqual(await withOcr.countPages('half.pdf'), { pages: 3, read: 2, recognised: 1, unread: 0 })
    assert.equal(await withOcr.unreadReason('half.pdf'), null)
    assert.equal(withOcr.pagesRead, 1, 'the text layer comes from the cache')

    const withOcrAgain = await prepare(['half.pdf'], { ocr: true })
    assert.equal(withOcrAgain.pagesRead, 0)
    assert.equal(await withOcrAgain.readFile('half.pdf'), allPages)

    const withoutOcrAgain = await prepare(['half.pdf'])
    assert.equal(
      await withoutOcrAgain.readFile('half.pdf'),
      'Memoria informativa\f\fAnexo',
      'the cached OCR text is not used',
    )
  })
})

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
