// OCR: columns and languages.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { parseOcrLanguages } from '../../../src/import/documents/ocr-languages.ts'
import { makePdf, scan } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

it('two columns of a scan are read one after the other', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const image = scan(
    [
      'La ordenación detallada del',
      'suelo urbano consolidado',
      'establece las alineaciones y',
      'rasantes de las calles que',
      'existen, y la altura de los',
      'edificios de cada manzana.',
    ],
    {
      secondColumn: [
        'El suelo no urbanizable',
        'comprende los terrenos de',
        'especial protección por su',
        'valor agrícola, forestal o',
        'ganadero, y los que el plan',
        'quiere preservar.',
      ],
    },
  )
  await write('scan.pdf', makePdf([{ image }]))
  const text = await (await prepare(['scan.pdf'], { ocr: true })).readFile('scan.pdf')
  assert.match(text, /suelo urbano consolidado establece las alineaciones y rasantes de las calles/)
  assert.match(text, /comprende los terrenos de especial protección por su valor agrícola/)
})

it('a scan in Catalan is read with the Catalan model, and cached apart from a reading in Spanish', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const lines = ["L'ordenança de la plaça del barri", 'regula això: façana, alçària i força', 'de les edificacions']
  await write('scan.pdf', makePdf([{ image: scan(lines) }]))
  const languages = parseOcrLanguages('cat')
  assert.ok(typeof languages !== 'string', String(languages))
  const texts = await prepare(['scan.pdf'], { ocr: true, ocrLanguages: languages })
  assert.match(await texts.readFile('scan.pdf'), /plaça del barri regula això: façana, alçària i força/)
  // A reading in Spanish does not get the Catalan text from the cache.
  const spanish = await prepare(['scan.pdf'], { ocr: true })
  assert.equal(spanish.pagesRead, 1)
})

it('temporary files are deleted if the model of a language is not installed', async (t) => {
  const { prepare, cacheFolder } = await openWorkspace(t)
  await assert.rejects(prepare(['plan.pdf'], { ocr: true, ocrLanguages: ['zzz'] }))
  assert.deepEqual(await readdir(join(cacheFolder, 'scratch')), [])
})

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
