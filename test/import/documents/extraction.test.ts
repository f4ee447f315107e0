// Text extraction from documents: text layers, scans and OCR, and documents that cannot be read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bombPage, hugeImage, jbig2Scan, makePdf, scan } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const mebibyte = 1024 * 1024

describe('a document with text', () => {
  it('is read page by page, without its line breaks', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write(
      'plan.pdf',
      makePdf([{ lines: ['Modificación del P.G.O.U.', 'edificabi-', 'lidad'] }, { lines: ['Año'] }]),
    )
    const texts = await prepare(['plan.pdf'])
    assert.equal(await texts.readFile('plan.pdf'), 'Modificación del P.G.O.U. edificabilidad\fAño')
    assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 0 })
    assert.deepEqual(texts.problems, [])
  })

  it('may be protected against printing, if it opens without a password', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('plan.pdf', makePdf([{ lines: ['Plan Parcial'] }], ''))
    const texts = await prepare(['plan.pdf'])
    assert.equal(await texts.readFile('plan.pdf'), 'Plan Parcial')
  })

  it('may have blank pages, which are not scans', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('plan.pdf', makePdf([{ lines: ['Memoria'] }, 'blank']))
    const texts = await prepare(['plan.pdf'])
    assert.equal(texts.outcomes.text, 1)
    assert.deepEqual(texts.problems, [])
    assert.deepEqual(await texts.countPages('plan.pdf'), [2, 2, 0, 0], 'a blank page has nothing left to read')
  })

  const drawings: [string, string, string][] = [
    ['separates words drawn from right to left', '200 800 Td (urbano) Tj -150 0 Td (Del suelo) Tj', 'urbano Del suelo'],
    [
      'separates words printed twice to look bold',
      '50 800 Td (VIVIENDA) Tj 0.4 0 Td (VIVIENDA) Tj',
      'VIVIENDA VIVIENDA',
    ],
    ['separates short words printed twice', '50 800 Td (el) Tj 0.4 0 Td (el) Tj', 'el el'],
    ['separates a horizontal and a vertical word', '50 800 Td (suelo) Tj 0 1 -1 0 76 795 Tm (Plano) Tj', 'suelo Plano'],
    ['separates vertical words', '0 1 -1 0 50 300 Tm (suelo) Tj 0 1 -1 0 50 200 Tm (urbano) Tj', 'suelo urbano'],
    ['joins a word with kerning', '50 800 Td [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a vertical word with kerning', '0 1 -1 0 50 300 Tm [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a slanted word with kerning', '0.8 0.6 -0.6 0.8 50 300 Tm [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a word in two font sizes', '50 800 Td (A) Tj /F 8 Tf 5.5 0 Td (VANCE) Tj', 'AVANCE'],
    ['joins an accent and its letter', '50 800 Td [(\\264)300(Ambito)] TJ', 'Ámbito'],
  ]
  for (const [name, drawing, text] of drawings) {
    it(name, async (t) => {
      const { write, prepare } = await openWorkspace(t)
      await write('plan.pdf', makePdf([{ content: Buffer.from(`BT /F 10 Tf ${drawing} ET`) }]))
      assert.equal(await (await prepare(['plan.pdf'])).readFile('plan.pdf'), text)
    })
  }

  it('may have a font that does not map its space', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const drawing = '(Normas\\003urbanisticas\\003del\\003suelo\\003rural) Tj'
    await write('plan.pdf', makePdf([{ content: Buffer.from(`BT /F 10 Tf 50 800 Td ${drawing} ET`) }]))
    assert.equal(await (await prepare(['plan.pdf'])).readFile('plan.pdf'), 'Normas urbanisticas del suelo rural')
  })

  it('may be plain text, in UTF-8 or Windows-1252', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('utf8.txt', 'Señalización\r\nviaria')
    await write('ansi.txt', Buffer.from('Señalización', 'latin1'))
    const texts = await prepare(['utf8.txt', 'ansi.txt'])
    assert.equal(await texts.readFile('utf8.txt'), 'Señalización viaria')
    assert.equal(await texts.readFile('ansi.txt'), 'Señalización')
  })

  it('may be an HTML page, read without its markup and scripts', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('p.html', '<!doctype html><script>var a = 1</script><p>Ordenaci&oacute;n <b>deta</b>llada</p><p>dos')
    const texts = await prepare(['p.html'])
    assert.equal(await texts.readFile('p.html'), 'Ordenación detallada dos')
  })

  it('that several records name is read and counted once', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('plan.pdf', makePdf([{ lines: ['uno'] }]))
    const texts = await prepare(['plan.pdf', 'plan.pdf', 'plan.pdf'])
    assert.equal(texts.outcomes.text, 1)
    assert.equal(texts.pagesRead, 1)
    assert.equal(texts.referencesDone, 3)
  })
})

describe('a scan', () => {
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
    const read = (await texts.readFile('scan.pdf')).match(/reguladora del suelo urbanizable/g)
    assert.ok((read?.length ?? 0) >= 10)
  })

  it('is not a page with an OCR text layer or a page of text on a background image', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = repeated(certification, 6)
    await write('invisible.pdf', makePdf([{ lines, image: ordinance, hidden: 'invisible' }]))
    await write('under.pdf', makePdf([{ lines, image: ordinance, hidden: 'under' }]))
    await write('background.pdf', makePdf([{ lines: repeated(certification, 30), image: ordinance }]))
    const texts = await prepare(['invisible.pdf', 'under.pdf', 'background.pdf'])
    assert.deepEqual(texts.outcomes, { text: 3, scan: 0, unreadable: 0, missing: 0 })
    assert.deepEqual(texts.problems, [])
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
    assert.deepEqual(texts.outcomes, { text: 2, scan: 1, unreadable: 0, missing: 0 })
  })

  it('of many pages is inspected in part, and the report says so', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('long.pdf', makePdf(repeated({ image: jbig2Scan }, 20)))
    const reason = 'at least 8 of 20 pages are scans and 12 more may be; use --ocr to read them'
    assert.equal((await prepare(['long.pdf'])).reasonFor('long.pdf'), reason)
  })

  it('in JBIG2, or text in a font without letters, is read by OCR', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const lines = Array.from({ length: 8 }, () => 'Ordenanza municipal del suelo')
    await write('scans.pdf', makePdf([{ image: jbig2Scan }, { unmappedLines: lines }]))
    assert.equal((await prepare(['scans.pdf'])).outcomes.scan, 1)
    const texts = await prepare(['scans.pdf'], { ocr: true })
    const whole = `Ordenanza municipal\f${lines.join(' ')}`
    assert.equal(await texts.readFile('scans.pdf'), whole)
  })

  it('is assumed for text that consists of glyph numbers', async (t) => {
    const { write, prepare } = await openWorkspace(t)
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
    const texts = await prepare(['plan.pdf'], { limits: { workerBytesMax: 300 * mebibyte } })
    assert.deepEqual(texts.outcomes, { text: 0, scan: 1, unreadable: 0, missing: 0 })
  })

  it('of some pages leaves the others readable, and OCR reads the whole document', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('half.pdf', makePdf([{ lines: ['Memoria informativa'] }, { image: ordinance }, { lines: ['Anexo'] }]))
    const without = await prepare(['half.pdf'])
    assert.equal(without.outcomes.text, 1)
    assert.equal(await without.readFile('half.pdf'), 'Memoria informativa\f\fAnexo')
    assert.equal(without.reasonFor('half.pdf'), '1 of 3 pages are scans; use --ocr to read them')
    assert.deepEqual(await without.countPages('half.pdf'), [3, 2, 0, 1])
    assert.equal(await without.unreadReason('half.pdf'), '1 of 3 pages are scans and were not recognised')

    const texts = await prepare(['half.pdf'], { ocr: true })
    assert.equal(texts.outcomes.text, 1)
    const whole = 'Memoria informativa\fOrdenanza reguladora del suelo urbanizable de Villanueva\fAnexo'
    assert.equal(await texts.readFile('half.pdf'), whole)
    assert.deepEqual(texts.problems, [])
    assert.deepEqual(await texts.countPages('half.pdf'), [3, 2, 1, 0])
    assert.equal(await texts.unreadReason('half.pdf'), null)
    assert.equal(texts.pagesRead, 1, 'the text layer comes from the cache')

    const again = await prepare(['half.pdf'], { ocr: true })
    assert.equal(again.pagesRead, 0)
    assert.equal(await again.readFile('half.pdf'), whole)

    const withoutAgain = await prepare(['half.pdf'])
    assert.equal(
      await withoutAgain.readFile('half.pdf'),
      'Memoria informativa\f\fAnexo',
      'the cached OCR text is not used',
    )
  })
})

describe('a document that cannot be read', () => {
  const outcomes = { text: 0, scan: 0, unreadable: 1, missing: 0 }
  const cases: [string, () => Buffer, RegExp, string | null][] = [
    [
      'encrypted',
      () => makePdf([{ lines: ['secreto'] }], 'clave'),
      /^encrypted with a password; /,
      'encrypted with a password',
    ],
    [
      'truncated',
      () => makePdf([{ lines: ['uno'] }, { lines: ['dos'] }]).subarray(0, 400),
      /^damaged or incomplete/,
      'damaged or incomplete',
    ],
    ['a header and nothing else', () => Buffer.from('%PDF-1.7\n'), /^damaged or incomplete/, 'damaged or incomplete'],
    [
      'a Word file',
      () => Buffer.from('PK\x03\x04word'),
      /^expected a PDF, got a ZIP, Word/,
      'expected a PDF, got a ZIP, Word or OpenDocument file',
    ],
    [
      'binary data',
      () => Buffer.from([1, 2, 3, 0, 5]),
      /^expected a PDF, got binary data/,
      'expected a PDF, got binary data of an unknown kind',
    ],
    [
      'a web page',
      () => Buffer.from('<!doctype html><p>No disponible'),
      /^expected a PDF, got a web page; /,
      'expected a PDF, got a web page',
    ],
    ['empty', () => Buffer.alloc(0), /^expected a PDF, got an empty file/, 'expected a PDF, got an empty file'],
    ['blank on every page', () => makePdf(['blank', 'blank']), /^no page has text/, null],
  ]
  for (const [name, make, reason, unreadReason] of cases) {
    it(`(${name}) is unreadable, with the reason`, async (t) => {
      const { write, prepare } = await openWorkspace(t)
      await write('bad.pdf', make())
      const texts = await prepare(['bad.pdf'])
      assert.deepEqual(texts.outcomes, outcomes)
      assert.match(texts.reasonFor('bad.pdf') ?? '', reason)
      assert.equal(await texts.readFile('bad.pdf'), '')
      assert.equal(await texts.unreadReason('bad.pdf'), unreadReason)
    })
  }

  it('because it is not there has a reason without paths', async (t) => {
    const { prepare } = await openWorkspace(t)
    const texts = await prepare(['none.pdf'])
    assert.equal(await texts.unreadReason('none.pdf'), 'the file is missing')
    assert.deepEqual(await texts.countPages('none.pdf'), [0, 0, 0, 0])
  })

  it('because it needs too much memory does not affect others', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const bomb = makePdf([bombPage(300 * mebibyte)])
    assert.ok(bomb.length < 2 * mebibyte)
    await write('bomb.pdf', bomb)
    await write('good.pdf', makePdf([{ lines: ['bueno'] }]))
    const texts = await prepare(['bomb.pdf', 'good.pdf'], { limits: { workerBytesMax: 300 * mebibyte, workersMax: 1 } })
    assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 1, missing: 0 })
    assert.equal(texts.reasonFor('bomb.pdf'), 'the document is too large to read in the memory allowed')
    assert.equal(await texts.readFile('good.pdf'), 'bueno')
  })

  it('within the time limit on one page loses that page only, and is tried again in the next import', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('long.pdf', makePdf([{ lines: ['antes'] }, bombPage(200 * mebibyte), { lines: ['después'] }]))
    const texts = await prepare(['long.pdf'], { limits: { pageTimeoutMs: 2_000 } })
    assert.equal(texts.outcomes.text, 1)
    assert.equal(texts.reasonFor('long.pdf'), 'page 2 is too slow to read')
    assert.equal(await texts.readFile('long.pdf'), 'antes\f\fdespués')
    assert.deepEqual(await texts.countPages('long.pdf'), [3, 2, 0, 1])
    const again = await prepare(['long.pdf'], { limits: { pageTimeoutMs: 2_000 } })
    assert.equal(again.pagesRead, 2)
  })

  it('completely because it is too long is read up to the limit', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('long.pdf', makePdf([{ lines: ['uno'] }, { lines: ['dos'] }, { lines: ['tres'] }]))
    const texts = await prepare(['long.pdf'], { limits: { documentPagesMax: 2 } })
    assert.equal(await texts.readFile('long.pdf'), 'uno\fdos')
    assert.equal(texts.reasonFor('long.pdf'), 'page 3 is past the limit of 2 pages')
    assert.deepEqual(await texts.countPages('long.pdf'), [3, 2, 0, 1])
    assert.equal(await texts.unreadReason('long.pdf'), 'page 3 is past the limit of 2 pages')
  })

  it('because its bytes are damaged does not affect others', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const whole = makePdf([{ lines: ['Plan Parcial'] }, { image: jbig2Scan }])
    let state = 20_261_115
    const random = (below: number): number => {
      // A linear congruential generator (Numerical Recipes), for the same damage on every run.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const names = Array.from({ length: 60 }, (_, number) => `${number}.pdf`)
    for (const name of names) {
      const damaged = Buffer.from(whole)
      for (let count = 1 + random(40); count > 0; count -= 1) damaged[random(damaged.length)] = random(256)
      await write(name, damaged)
    }
    await write('good.pdf', makePdf([{ lines: ['bueno'] }]))
    const texts = await prepare([...names, 'good.pdf'])
    const { text, scan, unreadable, missing } = texts.outcomes
    assert.deepEqual([text + scan + unreadable, missing], [61, 0])
    assert.ok(text > 1 && unreadable > 1, JSON.stringify(texts.outcomes))
    assert.equal(await texts.readFile('good.pdf'), 'bueno')
  })

  it('because it is too large is not opened', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    await write('large.pdf', Buffer.alloc(3 * mebibyte))
    const texts = await prepare(['large.pdf'], { limits: { documentBytesMax: 2 * mebibyte } })
    assert.equal(texts.reasonFor('large.pdf'), 'larger than 2 MB')
  })
})

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
