// The rules for the cells of a row: which are accepted, how they are repaired, and the message for those that are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Column } from '../../../src/import/rows/columns.ts'
import { Layout } from '../../../src/import/rows/layout.ts'
import { isRowFault, type NormalisedRow, normaliseRow, toZeroCounts } from '../../../src/import/rows/normalise.ts'
import { toMessage, toReasons } from '../../../src/import/rows/row-fault.ts'

const required = { code: '03082-1101', id: '214', title: 'Plan', municipality: 'Jávea', checkin_date: '1999-02-28' }

type Cells = Partial<Record<Column, string>>

/** Returns the row, or the message of its fault. */
function normalise(cells: Cells, counts = toZeroCounts()): NormalisedRow | string {
  const layout = new Layout('records.csv', { mapping: new Map() })
  for (const heading of Object.keys(cells)) layout.append(heading)
  const outcome = normaliseRow({ line: 214, cells: Object.values(cells) }, layout, counts)
  return isRowFault(outcome) ? toMessage(outcome) : outcome
}

/** The record of a row with the required cells and these; fails if the row is rejected. */
function recordOf(cells: Cells): NormalisedRow['record'] {
  const outcome = normalise({ ...required, ...cells })
  if (typeof outcome === 'string') assert.fail(outcome)
  return outcome.record
}

/** The message for a row with the required cells and these; fails if the row is accepted. */
function faultOf(cells: Cells): string {
  const outcome = normalise({ ...required, ...cells })
  return typeof outcome === 'string' ? outcome : assert.fail('the row is accepted')
}

test('a row with only the required columns is a complete record', () => {
  assert.deepEqual(normalise(required), {
    record: {
      code: '03082-1101',
      id: '214',
      registrationNumber: '1101',
      title: 'Plan',
      area: '',
      checkinDate: '1999-02-28',
      inscriptionDate: null,
      municipality: 'Jávea',
      links: '',
      agreementLink: null,
    },
    content: '',
    documents: [],
  })
})

test('the message for a date has line, column, expected form and value', () => {
  const expected = 'line 214, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "ayer"'
  assert.equal(faultOf({ checkin_date: 'ayer' }), expected)
})

test('a day that does not exist is rejected as such', () => {
  for (const [written, reason] of [
    ['31/02/1999', 'there is no 31 February'],
    ['2001-02-29', 'there is no 29 February in 2001'],
    ['2001-13-01', 'there is no month 13'],
    ['31.04.2001 10:30', 'there is no 31 April'],
    ['2001-02-30T10:00:00Z', 'there is no 30 February'],
  ] as const) {
    assert.equal(faultOf({ checkin_date: written }), `line 214, checkin_date: ${reason}, got "${written}"`)
  }
})

test('a message has all reasons of a row', () => {
  const message = faultOf({ checkin_date: '31/02/1999', title: ' ', municipality: '', code: 'x' })
  assert.equal(
    message,
    'line 214, code: expected <prefix>-<number>, such as 03082-1101, got "x"; title: expected a title, got ""; ' +
      'checkin_date: there is no 31 February, got "31/02/1999"; ' +
      'municipality: expected the name of a municipality, got ""',
  )
})

test('a time with a zone, and a Unix time, are the day in Spain', () => {
  for (const [written, day] of [
    ['2025-06-30T22:30:00Z', '2025-07-01'],
    ['2025-06-30T23:30:00+02:00', '2025-06-30'],
    ['2025-12-31 23:30:00+00', '2026-01-01'],
    ['2025-12-31T22:30:00.000Z', '2025-12-31'],
    ['1735686000000', '2025-01-01'],
    ['1735686000', '2025-01-01'],
    ['-425433600000', '1956-07-09'],
    ['20250101', '2025-01-01'],
    ['2025/01/02', '2025-01-02'],
    ['2-1-2025', '2025-01-02'],
    ['02.01.2025', '2025-01-02'],
  ] as const) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, day, written)
  }
})

test('dates are accepted as YYYY-MM-DD or DD/MM/YYYY and stored as YYYY-MM-DD', () => {
  for (const [written, kept] of [
    ['2004-05-18', '2004-05-18'],
    ['18/05/2004', '2004-05-18'],
    [' 1/5/2004 ', '2004-05-01'],
    ['29/02/2000', '2000-02-29'],
  ] as const) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, kept)
    assert.equal(recordOf({ inscription_date: written }).inscriptionDate, kept)
  }
})

test('other forms of a date are rejected', () => {
  const wrong = [
    '2004',
    '18/05/04',
    '2004-05/18',
    '2004-05-1',
    '0204-05-18',
    '２００４-05-18',
    '2004-05-18T00:00:00+99:00',
    '2004-05-18 noche',
    '-',
  ]
  for (const date of wrong) {
    assert.match(faultOf({ checkin_date: date }), /^line 214, checkin_date: expected YYYY-MM-DD or DD\/MM\/YYYY, got "/)
    assert.match(faultOf({ inscription_date: date }), /^line 214, inscription_date: expected /)
  }
})

test('exactly the days of the calendar are accepted, in both forms', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1700, max: 2100 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const [yyyy, mm, dd] = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')]
        const date = new Date(Date.UTC(year, month - 1, day))
        const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        for (const text of [`${yyyy}-${mm}-${dd}`, `${dd}/${mm}/${yyyy}`]) {
          const outcome = normalise({ ...required, checkin_date: text })
          assert.equal(
            typeof outcome === 'string' ? undefined : outcome.record.checkinDate,
            exists ? `${yyyy}-${mm}-${dd}` : undefined,
          )
        }
      },
    ),
  )
})

test('required columns must not be empty', () => {
  assert.equal(faultOf({ code: ' ' }), 'line 214, code: expected <prefix>-<number>, such as 03082-1101, got ""')
  assert.equal(faultOf({ id: '' }), 'line 214, id: expected a record code, got ""')
  assert.equal(faultOf({ title: '\t\n' }), 'line 214, title: expected a title, got ""')
  assert.equal(
    faultOf({ municipality: '&nbsp;' }),
    'line 214, municipality: expected the name of a municipality, got ""',
  )
  assert.equal(faultOf({ checkin_date: '' }), 'line 214, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got ""')
})

test('codes of real registries are kept as written', () => {
  for (const code of ['03082-1101', '40076-PU-20180525-294919', 'COT-22/2004-15', 'a.b_ñ-0']) {
    assert.equal(recordOf({ code: ` ${code} ` }).code, code)
  }
})

test('malformed codes are rejected', () => {
  for (const code of ['1101', '-1101', '03082-', '03082-11a', '03082 -1101', '03082-１１', 'a\u0000-1']) {
    assert.match(faultOf({ code }), /^line 214, code: expected <prefix>-<number>, such as 03082-1101, got "/)
  }
  assert.match(
    faultOf({ code: `${'x'.repeat(200)}-1` }),
    /^line 214, code: expected at most 200 characters, got "x+…"$/,
  )
})

test('prefix and registration number form a code if there is none', () => {
  const { code: _code, ...rest } = required
  const made = normalise({ ...rest, prefix: '03082', registration_number: '1101' })
  assert.equal(typeof made === 'string' ? made : made.record.code, '03082-1101')
  assert.equal(
    normalise({ ...rest, prefix: '03082', registration_number: 'x1' }),
    'line 214, registration_number: expected digits, which follow the prefix in the code, got "x1"',
  )
  assert.equal(
    normalise({ ...rest, prefix: '', registration_number: '1' }),
    'line 214, prefix: expected <prefix>-<number>, such as 03082-1101, got ""',
  )
})

test('a registration number that differs from the code is kept', () => {
  assert.equal(recordOf({ registration_number: ' 0007/B ' }).registrationNumber, '0007/B')
})

test('texts are trimmed and their control characters become spaces', () => {
  const record = recordOf({ title: '\uFEFF  Plan\tParcial\r\nfase\u0000 2\u0085\u00a0', area: 'UE-1\u001f' })
  assert.equal(record.title, 'Plan Parcial fase  2')
  assert.equal(record.area, 'UE-1')
  // PostgreSQL does not accept NUL in text.
  assert.equal(recordOf({ municipality: 'Já\u0000vea' }).municipality, 'Já vea')
})

test('HTML entities are decoded once and counted; other ampersands are kept', () => {
  const counts = toZeroCounts()
  const outcome = normalise(
    { ...required, title: 'Sector &#34;Los Olivos&quot; &aacute; R&D A & B &amp;#34; &nosuch; &#x41;' },
    counts,
  )
  assert.equal(
    typeof outcome === 'string' ? outcome : outcome.record.title,
    'Sector "Los Olivos" á R&D A & B &#34; &nosuch; A',
  )
  assert.equal(counts.entitiesDecoded, 5)
})

test('an unpaired surrogate is replaced', () => {
  assert.equal(recordOf({ title: 'Plan \ud83d fin' }).title, 'Plan \ufffd fin')
})

test('links are kept byte for byte, percent-encoding included', () => {
  const links = 'HTTPS://Docs.example.org/Ordenaci%F3n%20b%e1sica.pdf?a=1&amp;b=%C3%B3#p.2'
  const record = recordOf({ links: ` ${links}\n`, agreement_link: 'http://example.org/a b.pdf' })
  assert.equal(record.links, links)
  assert.equal(record.agreementLink, 'http://example.org/a b.pdf')
})

test('an address with another scheme is rejected, even if it is disguised', () => {
  const wrong = [
    'javascript:alert(1)',
    'JaVa\tScript:alert(1)',
    'java\nscript:alert(1)//http://',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org/a.pdf',
    '//example.org/a.pdf',
    'www.example.org/a.pdf',
    'http:example.org',
    'http:///a.pdf',
    'http://exa\tmple.org/',
    'https://[::1',
    'a.pdf',
  ]
  for (const links of wrong) {
    const expected = /^line 214, links: expected an address starting with http:\/\/ or https:\/\/, got "/
    assert.match(faultOf({ links }), expected)
    assert.match(faultOf({ agreement_link: links }), /^line 214, agreement_link: /)
  }
})

// A regular expression with the flag `g` or a cache would keep state between two addresses.
test('the check of an address does not depend on earlier addresses', () => {
  const part = fc.constantFrom('a', 'es', '.', ':', ':80', ':99999', '@', '[', '[::1]', '%', '%zz', '?', '#', '\\', '/')
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const isAccepted = (links: string): boolean => typeof normalise({ ...required, links }) !== 'string'
  fc.assert(
    fc.property(text, text, text, (site, path, other) => {
      isAccepted('https://example.org/')
      const alone = isAccepted(`http://${site}/${path}`)
      isAccepted(`http://${site}/${other}`)
      assert.equal(isAccepted(`http://${site}/${path}`), alone)
      assert.equal(alone, !/^[/?#\\]/.test(`${site}/`) && URL.canParse(`http://${site}/${path}`))
    }),
    { numRuns: 2000 },
  )
})

test('two addresses in one cell are rejected', () => {
  const expected =
    /^line 214, links: expected a single address \(put the address of the agreement in agreement_link\), got "/
  for (const separator of [' ', ';', ' | ', ', ']) {
    assert.match(faultOf({ links: `https://example.org/a.pdf${separator}https://example.org/b.pdf` }), expected)
  }
  assert.equal(
    recordOf({ links: 'https://example.org/?to=https://a.es' }).links,
    'https://example.org/?to=https://a.es',
  )
})

test('document contains file names under the folder, separated by semicolons', () => {
  const outcome = normalise({ ...required, document: ' a.pdf; planos/b 2.pdf;;a.pdf ' })
  assert.deepEqual(typeof outcome === 'string' ? outcome : outcome.documents, ['a.pdf', 'planos/b 2.pdf'])
  for (const document of ['../a.pdf', '/etc/passwd', 'a/../../b', 'C:\\a.pdf', '..\\a.pdf', 'a.pdf;..']) {
    assert.match(faultOf({ document }), /^line 214, document: expected file names under --documents, separated by ;/)
  }
})

test('a message shortens the value and stays on one line', () => {
  const message = faultOf({ checkin_date: `x\n${'y'.repeat(10_000)}` })
  assert.ok(message.length < 200)
  assert.doesNotMatch(message, /\n/)
})

test('the reason of a fault does not depend on the value', () => {
  assert.equal(
    toReasons({
      line: 3,
      problems: [{ column: 'checkin_date', expected: 'YYYY-MM-DD or DD/MM/YYYY', value: 'x' }],
    }).join(),
    'checkin_date: expected YYYY-MM-DD or DD/MM/YYYY',
  )
})

test('no cell makes normalising throw', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', '&#', '&#x110000;', 'http://', '1/1/2000'),
  )
  const cells = fc.record(
    Object.fromEntries(
      ['code', 'id', 'title', 'municipality', 'checkin_date', 'links', 'document', 'content'].map((name) => [
        name,
        cell,
      ]),
    ),
  )
  fc.assert(
    fc.property(cells, (row) => {
      const outcome = normalise(row as Cells)
      if (typeof outcome !== 'string') assert.ok(outcome.record.title.isWellFormed())
    }),
  )
})

test('mojibake is repaired and counted; text that only resembles it is kept', () => {
  const repaired = [
    ['OrdenaciÃ³n pormenorizada', 'Ordenación pormenorizada'],
    ['ModificaciÃ³n Puntual nÂº 3', 'Modificación Puntual nº 3'],
    ['MODIFICACI\u00c3\u201cN DE LA CA\u00c3\u2018ADA', 'MODIFICACIÓN DE LA CAÑADA'],
    ['Plan \u00e2\u20ac\u0153El Soto\u00e2\u20ac\u009d \u00e2\u20ac\u201c II', 'Plan “El Soto” – II'],
    ['AlcalÃ¡ de Henares', 'Alcalá de Henares'],
    ['\u00c3\u0081vila', 'Ávila'],
    ['ModificaciÃ\u0192Â³n', 'Modificación'],
    ['Sector \u0093La Rápita\u0094 \u0096 l\u0092Alfàs', 'Sector “La Rápita” – l’Alfàs'],
  ] as const
  const counts = toZeroCounts()
  for (const [written, read] of repaired) {
    const outcome = normalise({ ...required, title: written }, counts)
    assert.ok(typeof outcome !== 'string')
    assert.equal(outcome.record.title, read)
  }
  assert.equal(counts.valuesRepaired, repaired.length)
  for (const title of ['PROMOCIÓ»', 'NÃO É', 'PÂTÉ', 'CORAÇÃO', 'château «A»', 'Ã, Â'])
    assert.equal(recordOf({ title }).title, title)
})

test('a value with U+FFFD counts as damaged once, even if an entity or an unpaired surrogate becomes U+FFFD', () => {
  const damaged = [
    'Ordenaci\ufffdn',
    'Ordenaci&#65533;n',
    'Ordenaci&#xFFFD;n',
    'Ordenaci&#xD83D;n',
    'Ordenaci\ud83dn',
    'Ordenaci\ufffdn puntu&#65533;l',
  ]
  for (const title of damaged) {
    const counts = toZeroCounts()
    const outcome = normalise({ ...required, title }, counts)
    assert.ok(typeof outcome !== 'string')
    assert.match(outcome.record.title, /^Ordenaci\ufffdn/)
    assert.equal(counts.valuesDamaged, 1, title)
  }
  const counts = toZeroCounts()
  normalise({ ...required, title: 'Ordenaci&oacute;n' }, counts)
  assert.equal(counts.valuesDamaged, 0)
})

test('a time after a date is ignored, and null dates of databases are null', () => {
  for (const written of ['2004-05-18 00:00:00', '2004-05-18T10:30', '18/05/2004 0:00', '2004-05-18 00:00:00.000']) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, '2004-05-18', written)
  }
  for (const none of ['0000-00-00', '00/00/0000', '0000-00-00 00:00:00', 'NULL', '\\N']) {
    assert.equal(recordOf({ inscription_date: none }).inscriptionDate, null, none)
    assert.match(faultOf({ checkin_date: none }), /checkin_date: expected YYYY-MM-DD or DD\/MM\/YYYY, got "/)
  }
})

test('invisible characters are removed from a code and are not a title', () => {
  assert.equal(recordOf({ code: '03082-1101\u200b' }).code, '03082-1101')
  assert.match(faultOf({ title: '\u200b \u2060' }), /title: expected a title/)
})

test('two addresses in one cell are recognised with any separator', () => {
  for (const between of ['\n', '\t', ' ', ' ; ']) {
    const links = `http://a.example/1${between}https://a.example/2`
    assert.match(faultOf({ links }), /links: expected a single address/)
  }
})

test('NULL and \\N are empty in every column, with or without blanks around them', () => {
  for (const none of ['NULL', '\\N', 'NULL ', '  NULL', '\t\\N\r']) {
    const { area, links, agreementLink, inscriptionDate, registrationNumber } = recordOf({
      area: none,
      links: none,
      agreement_link: none,
      inscription_date: none,
      registration_number: none,
    })
    assert.deepEqual([area, links, agreementLink, inscriptionDate, registrationNumber], ['', '', null, null, '1101'])
    const quoted = JSON.stringify(none.trim())
    assert.ok(faultOf({ title: none }).endsWith(`title: expected a title, got ${quoted}`))
    assert.ok(faultOf({ checkin_date: none }).endsWith(`got ${quoted}`))
    assert.match(faultOf({ municipality: none }), /municipality: expected the name/)
    const outcome = normalise({ ...required, document: none, content: none })
    assert.ok(typeof outcome !== 'string')
    assert.deepEqual([outcome.documents, outcome.content], [[], ''])
  }
  assert.equal(recordOf({ title: 'Plan NULL' }).title, 'Plan NULL')
})

test('a prefix may end with its hyphen', () => {
  const outcome = normalise({ ...required, code: '', prefix: '03082-', registration_number: '78' })
  assert.equal(typeof outcome === 'string' ? outcome : outcome.record.code, '03082-78')
})
