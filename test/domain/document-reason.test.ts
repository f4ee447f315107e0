// Reasons why documents were not read: every sentence exists in English and Spanish, and the Spanish one is found by the
// English one, which is all that the page and the report of an import have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Reason,
  type ReasonCode,
  reasonSentences,
  toPublicReason,
  toSpanishReason,
  toText,
} from '../../src/domain/document-reason.ts'

const codes = Object.keys(reasonSentences) as ReasonCode[]

/** The reasons with this code: one, or one for each fault or kind that may be its value. */
function reasonsOf(code: ReasonCode): Reason[] {
  const names = [...reasonSentences[code][0].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [nested] = names.filter((name) => name === 'fault' || name === 'kind')
  const values = Object.fromEntries(names.map((name) => [name, exampleValues[name] ?? '7']))
  if (nested === undefined) return [{ code, values }]
  const nestedCodes = codes.filter((each) => each.startsWith(nested))
  return nestedCodes.flatMap(reasonsOf).map((reason) => ({ code, values: { ...values, [nested]: reason } }))
}

const exampleValues: Readonly<Record<string, Exclude<Reason['values'], undefined>[string]>> = {
  limit: 10_000_000,
  pages: '2, 4 to 17 and 13 more',
  address: 'https://b.example/a?b=1',
  reason: { code: 'hostNotAllowed' },
  error: 'EACCES',
  scheme: 'ftp:',
}

test('the Spanish sentence of every reason is found by the English one', () => {
  for (const code of codes.filter((each) => !each.includes('.'))) {
    for (const reason of reasonsOf(code)) {
      const spanish = toSpanishReason(toText([reason]))
      const parts = reasonSentences[code][1].split(/\{\w+\}/).map((part) => RegExp.escape(part))
      assert.match(spanish, new RegExp(`^${parts.join('.+')}$`))
      assert.doesNotMatch(spanish, /[{}]|\b(?:the|is|are|of|read|limit|files?|and|more|got|with|to)\b/)
    }
  }
})

test('several reasons are translated one by one, and an unknown one stays', () => {
  for (const [english, spanish] of [
    [
      'at least 8 of 12 pages are scans and 4 more may be; use --ocr to read them',
      'páginas escaneadas: al menos 8 de 12, y quizá 4 más; use --ocr para leerlas',
    ],
    ['expected a PDF, got a TIFF image; convert it to PDF', 'es una imagen TIFF, no un PDF; conviértalo a PDF'],
    [
      'pages 2, 4 to 7 and 3 more are too long to be read completely; a new reason',
      'páginas 2, 4 a 7 y 3 más: demasiado texto para leerlo completo; a new reason',
    ],
    [
      'the text from page 12 on is past the limit of 2,000,000 characters for a record',
      'texto a partir de la página 12: fuera del límite de 2.000.000 caracteres por expediente',
    ],
  ] as const) {
    assert.equal(toSpanishReason(english), spanish)
  }
})

test('clients see no message of the system', () => {
  for (const [code, text] of [
    ['damagedBy', 'damaged'],
    ['unreadableBy', 'it cannot be read'],
    ['invalidPdf', 'damaged or incomplete'],
  ] as const) {
    assert.equal(toText([toPublicReason({ code, values: { message: 'ENOENT /srv/plan.pdf' } })]), text)
  }
  const crash: Reason = { code: 'document', values: { fault: { code: 'fault.crashed' } } }
  assert.equal(toText([toPublicReason(crash)]), 'the document is unreadable')
})
