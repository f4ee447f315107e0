// OCR: what it reads of scans, how it adds to the text layer and the cache, and its languages.
import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseOcrLanguages } from '../../../src/import/documents/ocr-languages.ts'
import { jbig2Scan, makePdf, scan } from './pdf.ts'
import { openWorkspace, type Prepared, useWorkspace } from './workspace.ts'

// This text has 80 letters and digits. A page with 300 or more has more than a stamp (scanned-page.ts). A page with
// four times this text has 320.
const certification =
  'DILIGENCIA.- Para hacer constar que este documento, de 240 páginas, fue aprobado definitivamente.'
// Lines in a font that does not map its glyphs to letters, so that only OCR can read them.
const unmappedLines = repeated('Ordenanza municipal del suelo', 4)
const formField = { entries: '/Subtype /Widget /FT /Tx /T (a) /V (Firmado por Ana)' }
const rotatedLine = 'Ordenanza reguladora del suelo urbanizable de Villanueva'
const columns = [
  'La ordenación detallada del|suelo urbano consolidado|establece las alineaciones y|rasantes de las calles que|' +
    'existen, y la altura de los|edificios de cada manzana.',
  'El suelo no urbanizable|comprende los terrenos de|especial protección por su|valor agrícola, forestal o|' +
    'ganadero, y los que el plan|quiere preservar.',
].map((column) => column.split('|'))
const catalan = ["L'ordenança de la plaça del barri", 'regula això: façana, alçària i força', 'de les edificacions']
const files = {
  // The text of the image begins after ten blank lines, so that the certification does not cover it.
  'certification.pdf': makePdf([
    { lines: repeated(certification, 4), image: scan([...repeated('', 10), 'Ordenanza reguladora del suelo']) },
  ]),
  'jbig2-and-unmapped.pdf': makePdf([{ lines: [], image: jbig2Scan, annotations: [formField] }, { unmappedLines }]),
  'typed-and-scanned.pdf': makePdf([
    { lines: ['Memoria informativa'] },
    { image: scan(['Ordenanza reguladora del suelo', 'urbanizable de Villanueva']) },
    { lines: ['Anexo'] },
  ]),
  'rotated.pdf': makePdf([{ image: scan([...repeated('', 3), ...repeated(rotatedLine, 8)], { isRotated: true }) }]),
  'columns.pdf': makePdf([{ image: scan(columns[0] ?? [], { secondColumn: columns[1] ?? [] }) }]),
  'catalan.pdf': makePdf([{ image: scan(catalan) }]),
}
const names = Object.keys(files)

describe('OCR', () => {
  // Five imports with one cache, in this order.
  const imports = useWorkspace(async ({ writeAll, prepare }) => {
    await writeAll(files)
    const languages = parseOcrLanguages('cat')
    assert.ok(typeof languages !== 'string', String(languages))
    return {
      withoutOcr: await readAll(await prepare(names)),
      withOcr: await readAll(await prepare(names, { ocr: true })),
      withOcrAgain: await readAll(await prepare(names, { ocr: true })),
      withoutOcrAgain: await readAll(await prepare(names)),
      inCatalan: await prepare(['catalan.pdf'], { ocr: true, ocrLanguages: languages }),
    }
  })

  it('adds the text of the image to a long certification', () => {
    const { withoutOcr, withOcr } = imports()
    assert.equal(withoutOcr.reasonFor('certification.pdf'), '1 of 1 pages are scans; use --ocr to read them')
    const text = withOcr.read('certification.pdf').text
    assert.ok(text.startsWith(certification), text)
    assert.match(text, /Ordenanza reguladora del suelo/)
  })

  it('reads images in JBIG2 and text whose font does not map its glyphs to letters', () => {
    const { withoutOcr, withOcr } = imports()
    assert.equal(withoutOcr.reasonFor('jbig2-and-unmapped.pdf'), '2 of 2 pages are scans; use --ocr to read them')
    assert.equal(withoutOcr.read('jbig2-and-unmapped.pdf').text, 'Firmado por Ana')
    // The image shows the words "Ordenanza municipal". The value of the form field, which is no image, is added.
    const text = `Ordenanza municipal Firmado por Ana\f${unmappedLines.join(' ')}`
    assert.equal(withOcr.read('jbig2-and-unmapped.pdf').text, text)
  })

  it('reads a rotated page', () => {
    const linesRead = imports()
      .withOcr.read('rotated.pdf')
      .text.match(/reguladora del suelo urbanizable/g)
    // OCR may misread a few of the 8 lines.
    assert.ok((linesRead?.length ?? 0) >= 6)
  })

  it('reads two columns one after the other', () => {
    const { text } = imports().withOcr.read('columns.pdf')
    assert.match(text, /suelo urbano consolidado establece las alineaciones y rasantes de las calles/)
    assert.match(text, /comprende los terrenos de especial protección por su valor agrícola/)
  })

  it('reads only the pages that are scans', () => {
    const { withoutOcr, withOcr } = imports()
    assert.deepEqual(withoutOcr.read('typed-and-scanned.pdf'), {
      text: 'Memoria informativa\f\fAnexo',
      pages: { pages: 3, read: 2, recognised: 0, unread: 1 },
      unreadReason: '1 of 3 pages are scans and were not recognised',
    })
    assert.equal(withoutOcr.reasonFor('typed-and-scanned.pdf'), '1 of 3 pages are scans; use --ocr to read them')
    // In the other documents every page is a scan.
    assert.deepEqual(withoutOcr.outcomes, { text: 1, scan: names.length - 1, unreadable: 0, missing: 0 })

    assert.deepEqual(withOcr.read('typed-and-scanned.pdf'), {
      text: 'Memoria informativa\fOrdenanza reguladora del suelo urbanizable de Villanueva\fAnexo',
      pages: { pages: 3, read: 2, recognised: 1, unread: 0 },
      unreadReason: null,
    })
    assert.deepEqual(withOcr.problems, [])
    assert.deepEqual(withOcr.outcomes, { text: names.length, scan: 0, unreadable: 0, missing: 0 })
  })

  it('saves its texts in the cache, and an import without OCR does not use them', () => {
    const { withoutOcr, withOcr, withOcrAgain, withoutOcrAgain } = imports()
    // Each document has one scan, except jbig2-and-unmapped.pdf, which has two. The text layers come from the cache.
    assert.equal(withOcr.pagesRead, names.length + 1)
    assert.equal(withOcrAgain.pagesRead, 0)
    for (const name of names) {
      assert.deepEqual(withOcrAgain.read(name), withOcr.read(name))
      assert.deepEqual(withoutOcrAgain.read(name), withoutOcr.read(name))
    }
  })

  it('reads a scan in Catalan with the Catalan model, and caches it apart from a reading in Spanish', async () => {
    const { inCatalan } = imports()
    assert.match(await inCatalan.readFile('catalan.pdf'), /plaça del barri regula això: façana, alçària i força/)
    assert.equal(inCatalan.pagesRead, 1, 'the Spanish reading is not used')
  })
})

it('temporary files are deleted if the model of a language is not installed', async (t) => {
  const { prepare, root } = await openWorkspace(t)
  const temporary = join(root, 'tmp')
  await mkdir(temporary)
  const { TMPDIR: before = tmpdir() } = process.env
  t.after(() => Object.assign(process.env, { TMPDIR: before }))
  Object.assign(process.env, { TMPDIR: temporary })
  await assert.rejects(prepare(['plan.pdf'], { ocr: true, ocrLanguages: ['zzz'] }))
  assert.deepEqual(await readdir(temporary), [])
})

// `parseOcrLanguages` returns the languages or, as a text, the reason why they cannot be used.
it('languages are codes of installed models', () => {
  assert.deepEqual(parseOcrLanguages('spa'), ['spa'])
  assert.deepEqual(parseOcrLanguages('spa, spa'), ['spa'])
  assert.equal(
    parseOcrLanguages('spa+zzz'),
    'the model of zzz is not installed; run npm install @tesseract.js-data/zzz',
  )
  for (const malformed of ['', 'es', '../spa', 'SPA', 'spa,']) {
    assert.equal(parseOcrLanguages(malformed), 'expected codes of three letters separated by commas: spa,cat')
  }
})

/** Adds what the import has read of each file. It is read at once, because a later import changes the cache. */
async function readAll(texts: Prepared) {
  const readings = new Map<string, { text: string; pages: unknown; unreadReason: string | null }>()
  for (const name of names) {
    const [text, pages] = [await texts.readFile(name), await texts.countPages(name)]
    readings.set(name, { text, pages, unreadReason: await texts.unreadReason(name) })
  }
  return {
    ...texts,
    read: (name: string) => {
      const reading = readings.get(name)
      assert.ok(reading, name)
      return reading
    },
  }
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
