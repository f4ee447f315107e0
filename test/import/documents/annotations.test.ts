// Text that a page has in annotations: form fields, signatures, stamps and notes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePdf, type TestAnnotation } from './pdf.ts'
import { useWorkspace } from './workspace.ts'

// Entries of an annotation (ISO 32000-1, 12.5 and 12.7): /FT is the kind of a form field (/Tx text, /Ch choice, /Sig
// signature, /Btn button), /T its name, /V its value, /Ff 8192 the flag of a password.
// /F has the flags of the annotation itself: 2 hides it, 4 prints it. In an appearance, /F is the name of the font,
// \363 is ó, and -300 in TJ moves the next text away.
const hidden = '/F 2'

// A page without text counts as a scan if it draws more than 50 letters, lines or areas. This signature has more
// letters, but they must not count, because an annotation draws them and not the page.
const signature = 'Firmado digitalmente por Ana Gil, secretaria del Ayuntamiento de Villanueva'

const field = (number: number, entries: string) => ({ entries: `/Subtype /Widget /T (${number}) ${entries}` })
const signed = (text: string) => ({
  entries: '/Subtype /Widget /FT /Sig /T (a) /F 4',
  appearance: `BT /F 9 Tf 2 20 Td ${text} ET`,
})
const withheld = [
  `/FT /Tx /V (oculto) ${hidden}`,
  '/FT /Tx /V (Memoria  informativa)',
  '/FT /Tx /V (dos veces)',
  '/FT /Tx /V (dos veces)',
  '/FT /Tx /Ff 8192 /V (clave)',
  '/FT /Btn /V /Yes /AS /Yes',
].map((entries, index) => field(index, entries))
const parts = ['UE-1', 'UE-12', 'la UE-12', '14', 'Memo'].map((value, index) => field(index, `/FT /Tx /V (${value})`))
const files = {
  'hidden.pdf': makePdf([
    { lines: ['Memoria informativa'], annotations: [...withheld, { entries: '/Subtype /Link /Contents (enlace)' }] },
  ]),
  'parts.pdf': makePdf([{ lines: ['Memoria de la (UE-12), ED 14.305'], annotations: parts }]),
  'signature.pdf': makePdf([{ lines: [], annotations: [signed(`(${signature}) Tj`)] }]),
}

describe('the text of a page', () => {
  const cases: [name: string, annotation: TestAnnotation, text: string][] = [
    ['the value of a form field', field(1, '/FT /Tx /V (Promotor: Ana Gil)'), 'Promotor: Ana Gil'],
    [
      'the chosen option of a form field',
      field(1, '/FT /Ch /Opt [[(1) (Suelo urbano)] [(2) (Rural)]] /V (1)'),
      'Suelo urbano',
    ],
    [
      'the verification code of a signature',
      signed('[(C\\363d.)-300(Validaci\\363n:)] TJ 0 -12 Td (7QK4XWZ) Tj'),
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
  // The first call of `prepare` reads the documents and puts their texts into the cache. The tests see the second one,
  // which takes the texts from there.
  const texts = useWorkspace(async ({ write, writeAll, prepare }) => {
    for (const [name, annotation] of cases) {
      await write(`${name}.pdf`, makePdf([{ lines: ['Memoria'], annotations: [annotation] }]))
    }
    await writeAll(files)
    const names = [...cases.map(([name]) => `${name}.pdf`), ...Object.keys(files)]
    assert.equal((await prepare(names)).pagesRead, names.length)
    return prepare(names)
  })

  for (const [name, , text] of cases) {
    it(`includes ${name}`, async () => assert.equal(await texts().readFile(`${name}.pdf`), `Memoria ${text}`))
  }

  it('does not include hidden, repeated and secret fields, buttons and links', async () => {
    assert.equal(await texts().readFile('hidden.pdf'), 'Memoria informativa dos veces')
  })

  it('includes a value that its lines have only as a part of a word or code', async () => {
    // The lines have `UE-12` and `la (UE-12)` already. They have `UE-1`, `14` and `Memo` only as parts of other
    // words or codes.
    assert.equal(await texts().readFile('parts.pdf'), 'Memoria de la (UE-12), ED 14.305 UE-1 14 Memo')
  })

  it('may be only a drawn signature, which is not a scan', async () => {
    assert.deepEqual(await texts().countPages('signature.pdf'), { pages: 1, read: 1, recognised: 0, unread: 0 })
    assert.equal(await texts().readFile('signature.pdf'), signature)
  })

  it('is not read again if it is in the cache', () => {
    assert.equal(texts().pagesRead, 0)
    const documents = cases.length + Object.keys(files).length
    assert.deepEqual(texts().outcomes, { text: documents, scan: 0, unreadable: 0, missing: 0 })
  })
})
