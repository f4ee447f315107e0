// Text extraction from documents: text layers, and documents that cannot be read. Scans are in scans.test.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bombPage, encryptedPdfs, jbig2Scan, makePdf, streamNumber } from './pdf.ts'
import { openWorkspace, useWorkspace } from './workspace.ts'

const mebibyte = 1024 * 1024

describe('a document with text', () => {
  // An attached file and the list of attached files, in PDF syntax. Any stream will do as the content of a file.
  const attachedFile = (name: string): string =>
    `(${name}) << /Type /Filespec /F (${name}) /EF << /F ${streamNumber} 0 R >> >>`
  const attachedFiles = (...names: string[]): string =>
    `/Names << /EmbeddedFiles << /Names [${names.map(attachedFile).join(' ')}] >> >>`
  const page = { lines: ['Abra esta cartera'] }
  /** Marks a document as a dynamic form (XFA), whose content is in a stream of XML instead of the pages. */
  const form = `/NeedsRendering true /AcroForm << /Fields [] /XFA ${streamNumber} 0 R >>`
  const html = '<!doctype html><script>var a = 1</script><p>Ordenaci&oacute;n <b>deta</b>llada</p><p>dos'
  const blocks =
    '<html><body><header>Plan</header><main>Sector<aside>Norte</aside></main><b-card>uno</b-card>dos<table>' +
    '<caption>Usos</caption><tbody><tr><td>a<sup>2</sup></td><td>b</td></tr></tbody></table><blockquote>tres</blockquote>cuatro'
  /** `unread` is the reason for unread text, which the report of the import and clients get. */
  type Case = [name: string, content: Buffer | string, text: string, unread?: string]
  const documents: Case[] = [
    [
      'is read page by page, without its line breaks',
      makePdf([{ lines: ['Modificación del P.G.O.U.', 'edificabi-', 'lidad'] }, { lines: ['Año'] }]),
      'Modificación del P.G.O.U. edificabilidad\fAño',
    ],
    ['may be encrypted, if it opens without a password', encryptedPdfs.open, 'Plan Parcial'],
    [
      'may have attached files, which are not read',
      makePdf([page], attachedFiles('memoria.pdf', 'planos.pdf')),
      'Abra esta cartera',
      '2 attached files were not read',
    ],
    [
      'may have one attached file',
      makePdf([page], attachedFiles('anejo.xml')),
      'Abra esta cartera',
      '1 attached file was not read',
    ],
    [
      'may have only placeholders for a dynamic form as pages',
      makePdf([{ lines: ['Please wait...'] }], form),
      'Please wait...',
      'the dynamic form (XFA) was not read',
    ],
    ['may have blank pages, which are not scans', makePdf([{ lines: ['Memoria'] }, 'blank']), 'Memoria'],
    ['may be plain text in UTF-8', 'Señalización\r\nviaria', 'Señalización viaria'],
    ['may be plain text in Windows-1252', Buffer.from('Señalización', 'latin1'), 'Señalización'],
    ['may be an HTML page, read without its markup and scripts', html, 'Ordenación detallada dos'],
    [
      'may be an HTML page in UTF-16',
      Buffer.from('\ufeff<html><body><p>Ordenación <b>deta</b>llada', 'utf16le'),
      'Ordenación detallada',
    ],
    [
      'is separated into words by all tags of HTML except inline ones',
      blocks,
      'Plan Sector Norte uno dos Usos a2 b tres cuatro',
    ],
  ]
  // Operators of a page (ISO 32000-1, annex A): Td moves the text, Tm sets its direction and position, Tf sets font and
  // size, Tc and Tw widen letters and spaces, Tz scales them, Tj draws a text, and TJ draws several. A positive number
  // in TJ moves the next text closer. `Parcela` is 33.9 points wide. 3 is the number of the space in a common order of
  // glyphs.
  const drawings: [name: string, operators: string, text: string][] = [
    ['separates words drawn from right to left', '200 800 Td (urbano) Tj -150 0 Td (Del suelo) Tj', 'urbano Del suelo'],
    [
      'separates words printed twice to look bold',
      '50 800 Td (VIVIENDA) Tj 0.4 0 Td (VIVIENDA) Tj',
      'VIVIENDA VIVIENDA',
    ],
    ['separates short words printed twice', '50 800 Td (el) Tj 0.4 0 Td (el) Tj', 'el el'],
    ['separates a horizontal and a vertical word', '50 800 Td (suelo) Tj 0 1 -1 0 76 795 Tm (Plano) Tj', 'suelo Plano'],
    ['separates vertical words', '0 1 -1 0 50 300 Tm (suelo) Tj 0 1 -1 0 50 200 Tm (urbano) Tj', 'suelo urbano'],
    ['separates the cells of a table that touch', '50 800 Td (Parcela) Tj 33.9 6 Td (Uso) Tj', 'Parcela Uso'],
    ['keeps a space at the start of a string', '50 800 Td (Plan) Tj ( parcial) Tj', 'Plan parcial'],
    ['keeps a space in another font', '50 800 Td (Plan) Tj /F 8 Tf ( parcial) Tj', 'Plan parcial'],
    ['keeps a space that its font does not map', '50 800 Td (Normas\\003del\\003suelo) Tj', 'Normas del suelo'],
    ['joins a word with kerning', '50 800 Td [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a vertical word with kerning', '0 1 -1 0 50 300 Tm [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a slanted word with kerning', '0.8 0.6 -0.6 0.8 50 300 Tm [(AV)300(ANCE)] TJ', 'AVANCE'],
    ['joins a word in two font sizes', '50 800 Td (A) Tj /F 8 Tf 5.5 0 Td (VANCE) Tj', 'AVANCE'],
    ['joins the letters of spaced words', '50 800 Td 2 Tc 8 Tw (PLAN DE REPARCELACION) Tj', 'PLAN DE REPARCELACION'],
    ['keeps spaced letters in alphabetical order apart: they are labels', '50 800 Td 2 Tc 8 Tw (ABCD) Tj', 'A B C D'],
    ['joins a raised ending and its word', '50 800 Td (Sr) Tj /F 6 Tf 10 4 Td (a) Tj', 'Sra'],
  ]
  const drawn = drawings.map(([name, operators, text]): Case => {
    return [name, makePdf([{ content: Buffer.from(`BT /F 10 Tf ${operators} ET`) }]), text]
  })
  const cases = [...documents, ...drawn]
  const texts = useWorkspace(async ({ write, prepare }) => {
    for (const [name, content] of cases) await write(name, content)
    const [[first] = ['']] = cases
    return prepare([...cases.map(([name]) => name), first, first])
  })
  for (const [name, , text, unread] of cases) {
    it(name, async () => {
      assert.equal(await texts().readFile(name), text)
      assert.equal(await texts().unreadReason(name), unread ?? null)
      assert.equal(texts().reasonFor(name), unread)
      // Attached files are no pages, and a blank page has nothing left to read.
      assert.equal((await texts().countPages(name)).unread, 0)
    })
  }

  it('that several records name is read and counted once', () => {
    assert.deepEqual(texts().outcomes, { text: cases.length, scan: 0, unreadable: 0, missing: 0 })
    // Two documents have a second page, and one is named three times.
    assert.deepEqual([texts().pagesRead, texts().referencesDone], [cases.length + 2, cases.length + 2])
  })
})

describe('a document that cannot be read completely', () => {
  // The report of the import gives the reason with details and advice, clients receive the reason alone.
  const cases: [name: string, content: Buffer, reason: string, more: string][] = [
    ['locked', encryptedPdfs.closed, 'encrypted with a password', '; replace it with an unprotected copy'],
    [
      'truncated',
      makePdf([{ lines: ['uno'] }, { lines: ['dos'] }]).subarray(0, 400),
      'damaged or incomplete',
      ': not a valid PDF; get a new copy',
    ],
    ['only a header', Buffer.from('%PDF-1.7\n'), 'damaged or incomplete', ': not a valid PDF; get a new copy'],
    ['Word', Buffer.from('PK\x03\x04word'), notPdf('a ZIP, Word or OpenDocument file'), '; convert it to PDF'],
    ['a TIFF image', Buffer.from('II*\x00'), notPdf('a TIFF image'), '; convert it to PDF'],
    ['an RTF file', Buffer.from('{\\rtf1'), notPdf('an RTF file'), '; convert it to PDF'],
    ['binary data', Buffer.from([1, 2, 3, 0, 5]), notPdf('binary data of an unknown kind'), ''],
    ['a web page', Buffer.from('<!doctype html><p>No disponible'), notPdf('a web page'), '; get a new copy'],
    ['empty', Buffer.alloc(0), notPdf('an empty file'), ''],
    ['blank on every page', makePdf(['blank', 'blank']), 'no page has text', ': they are blank or images'],
    [
      'a drawing of lines',
      makePdf([{ content: Buffer.from('10 10 m 90 90 l S') }]),
      'no page has text',
      ': they are blank or images',
    ],
  ]
  const texts = useWorkspace(async ({ write, prepare }) => {
    for (const [name, content] of cases) await write(`${name}.pdf`, content)
    await write('large.pdf', Buffer.alloc(3 * mebibyte))
    await write('long.pdf', makePdf([{ lines: ['uno'] }, { lines: ['dos'] }, { lines: ['tres'] }]))
    const names = [...cases.map(([name]) => `${name}.pdf`), 'large.pdf', 'long.pdf', 'none.pdf']
    return prepare(names, { limits: { documentBytesMax: 2 * mebibyte, documentPagesMax: 2 } })
  })
  for (const [name, , reason, more] of cases) {
    it(`(${name}) is unreadable, with the reason`, async () => {
      assert.equal(texts().problems.find(({ document }) => document === `${name}.pdf`)?.outcome, 'unreadable')
      assert.equal(texts().reasonFor(`${name}.pdf`), reason + more)
      assert.equal(await texts().readFile(`${name}.pdf`), '')
      assert.equal(await texts().unreadReason(`${name}.pdf`), reason)
    })
  }

  it('(without text) has only unread pages', async () => {
    const unread = { read: 0, recognised: 0 }
    assert.deepEqual(await texts().countPages('blank on every page.pdf'), { pages: 2, ...unread, unread: 2 })
    assert.deepEqual(await texts().countPages('a drawing of lines.pdf'), { pages: 1, ...unread, unread: 1 })
  })

  it('(missing) has a reason without paths', async () => {
    assert.equal(await texts().unreadReason('none.pdf'), 'the file is missing')
    assert.deepEqual(await texts().countPages('none.pdf'), { pages: 0, read: 0, recognised: 0, unread: 0 })
  })

  it('(too large) is not opened', () => {
    assert.equal(texts().reasonFor('large.pdf'), 'larger than 2 MB')
  })

  it('(too many pages) is read up to the limit', async () => {
    assert.equal(await texts().readFile('long.pdf'), 'uno\fdos')
    assert.equal(texts().reasonFor('long.pdf'), 'page 3 is past the limit of 2 pages')
    assert.deepEqual(await texts().countPages('long.pdf'), { pages: 3, read: 2, recognised: 0, unread: 1 })
    assert.equal(await texts().unreadReason('long.pdf'), 'page 3 is past the limit of 2 pages')
  })

  it('is counted by its outcome', () => {
    // Some of long.pdf is read. Unreadable are the documents of `cases` and large.pdf. The missing file is none.pdf.
    assert.deepEqual(texts().outcomes, { text: 1, scan: 0, unreadable: cases.length + 1, missing: 1 })
  })

  it('(a slow page) loses that page only, and is read again by the next import', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    // The second page takes twenty seconds, far more than the limit below.
    await write('long.pdf', makePdf([{ lines: ['antes'] }, bombPage(100 * mebibyte), { lines: ['después'] }]))
    const texts = await prepare(['long.pdf'], { limits: { pageTimeoutMs: 4_000 } })
    assert.equal(texts.outcomes.text, 1)
    assert.equal(texts.reasonFor('long.pdf'), 'page 2 is too slow to read')
    assert.equal(await texts.readFile('long.pdf'), 'antes\f\fdespués')
    assert.deepEqual(await texts.countPages('long.pdf'), { pages: 3, read: 2, recognised: 0, unread: 1 })
    const again = await prepare(['long.pdf'], { limits: { pageTimeoutMs: 4_000 } })
    assert.equal(again.pagesRead, 2, 'pages 1 and 3 are read again and do not come from the cache')
  })

  it('(random damage) does not affect other documents', async (t) => {
    const { write, prepare } = await openWorkspace(t)
    const valid = makePdf([{ lines: ['Plan Parcial'] }, { image: jbig2Scan }])
    // Any number would do as the first state.
    let state = 20_261_115
    /** A whole number below the bound. */
    const random = (bound: number): number => {
      // A linear congruential generator (Numerical Recipes), for the same damage on every run.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * bound)
    }
    const names = Array.from({ length: 60 }, (_, number) => `${number}.pdf`)
    for (const name of names) {
      const damaged = Buffer.from(valid)
      // One to forty bytes are replaced.
      for (let count = 1 + random(40); count > 0; count -= 1) damaged[random(damaged.length)] = random(256)
      await write(name, damaged)
    }
    await write('good.pdf', makePdf([{ lines: ['bueno'] }]))
    const texts = await prepare([...names, 'good.pdf'], { limits: { workersMax: 2 } })
    const { text, scan, unreadable, missing } = texts.outcomes
    assert.deepEqual([text + scan + unreadable, missing], [names.length + 1, 0])
    // Besides good.pdf, some of the damaged documents still have text. Others are unreadable.
    assert.ok(text > 1 && unreadable > 1, JSON.stringify(texts.outcomes))
    assert.equal(await texts.readFile('good.pdf'), 'bueno')
  })
})

function notPdf(kind: string): string {
  return `expected a PDF, got ${kind}`
}
