// Text that a page has in annotations: form fields, signatures, stamps and notes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jbig2Scan, makePdf, type TestAnnotation } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

// Entries of an annotation (ISO 32000-1, 12.5 and 12.7): /FT is the kind of a form field (/Tx text, /Ch choice, /Sig
// signature, /Btn button), /T its name, /V its value, /Ff 8192 the flag of a password.
// /F has the flags of the annotation itself: 2 hides it, 4 prints it. In an appearance, /F is the name of the font.
const hidden = '/F 2'

describe('the text of a page includes', () => {
  const cases: [name: string, annotation: TestAnnotation, text: string][] = [
    [
      'the value of a form field',
      { entries: '/Subtype /Widget /FT /Tx /T (a) /V (Promotor: Ana Gil)' },
      'Promotor: Ana Gil',
    ],
    [
      'the chosen option of a form field',
      { entries: '/Subtype /Widget /FT /Ch /T (a) /Opt [[(1) (Suelo urbano)] [(2) (Rural)]] /V (1)' },
      'Suelo urbano',
    ],
    [
      'the verification code of a signature',
      {
        entries: '/Subtype /Widget /FT /Sig /T (a) /F 4',
        appearance: 'BT /F 9 Tf 2 20 Td [(C\\363d.)-300(Validaci\\363n:)] TJ 0 -12 Td (7QK4XWZ) Tj ET',
      },
      'Cód. Validación: 7QK4XWZ',
    ],
    [
      'the text of a stamp',
      { entries: '/Subtype /Stamp /F 4', appearance: 'BT /F 9 Tf 2 20 Td (Aprobado) Tj ET' },
      'Aprobado',
    ],
    ['a note', { entries: '/Subtype /Text /Contents (Ver plano 3)' }, 'Ver plano 3'],
    [
      'a text that AutoCAD draws as lines',
      { entries: '/Subtype /Square /T (AutoCAD SHX Text) /Contents (PARCELA 14)' },
      'PARCELA 14',
    ],
  ]
  for (const [name, annotation, text] of cases) {
    it(name, async (t) => {
      const { write, prepare } = await openWorkspace(t)
      await write('plan.pdf', makePdf([{ lines: ['Memoria'], annotations: [annotation] }]))
      const texts = await prepare(['plan.pdf'])
      assert.equal(await texts.readFile('plan.pdf'), `Memoria ${text}`)
      assert.equal(await (await prepare(['plan.pdf'])).readFile('plan.pdf'), `Memoria ${text}`, 'from the cache')
    })
  }
})

it('the text of a page does not include hidden, repeated and secret fields, buttons and links', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const annotations = [
    { entries: `/Subtype /Widget /FT /Tx /T (a) /V (oculto) ${hidden}` },
    { entries: '/Subtype /Widget /FT /Tx /T (b) /V (Memoria  informativa)' },
    { entries: '/Subtype /Widget /FT /Tx /T (c) /V (dos veces)' },
    { entries: '/Subtype /Widget /FT /Tx /T (d) /V (dos veces)' },
    { entries: '/Subtype /Widget /FT /Tx /T (e) /Ff 8192 /V (clave)' },
    { entries: '/Subtype /Widget /FT /Btn /T (f) /V /Yes /AS /Yes' },
    { entries: '/Subtype /Link /Contents (enlace)' },
  ]
  await write('plan.pdf', makePdf([{ lines: ['Memoria informativa'], annotations }]))
  assert.equal(await (await prepare(['plan.pdf'])).readFile('plan.pdf'), 'Memoria informativa dos veces')
})

it('the text of a page includes a value that its lines have only as a part of a word or code', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const values = ['UE-1', 'UE-12', 'la UE-12', '14', 'Memo']
  const annotations = values.map((value, index) => ({
    entries: `/Subtype /Widget /FT /Tx /T (${index}) /V (${value})`,
  }))
  await write('plan.pdf', makePdf([{ lines: ['Memoria de la (UE-12), ED 14.305'], annotations }]))
  const text = await (await prepare(['plan.pdf'])).readFile('plan.pdf')
  assert.equal(text, 'Memoria de la (UE-12), ED 14.305 UE-1 14 Memo')
})

it('a page that has only a drawn signature is not a scan', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  // A page without text that draws more than 50 letters, lines or areas counts as a scan.
  const signature = 'Firmado digitalmente por Ana Gil, secretaria del Ayuntamiento de Villanueva'
  const annotation = {
    entries: '/Subtype /Widget /FT /Sig /T (a) /F 4',
    appearance: `BT /F 9 Tf 2 20 Td (${signature}) Tj ET`,
  }
  await write('plan.pdf', makePdf([{ lines: [], annotations: [annotation] }]))
  const texts = await prepare(['plan.pdf'])
  assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 0 })
  assert.deepEqual(await texts.countPages('plan.pdf'), { pages: 1, read: 1, recognised: 0, unread: 0 })
  assert.equal(await texts.readFile('plan.pdf'), signature)
})

it('a scan with a form field is still a scan, and OCR adds its text', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const formField = { entries: '/Subtype /Widget /FT /Tx /T (a) /V (Firmado por Ana)' }
  await write('scan.pdf', makePdf([{ lines: [], image: jbig2Scan, annotations: [formField] }]))
  const texts = await prepare(['scan.pdf'])
  assert.equal(texts.outcomes.scan, 1)
  assert.equal(await texts.readFile('scan.pdf'), 'Firmado por Ana')
  // The image shows the words "Ordenanza municipal".
  const withOcr = await prepare(['scan.pdf'], { ocr: true })
  assert.equal(await withOcr.readFile('scan.pdf'), 'Ordenanza municipal Firmado por Ana')
})
