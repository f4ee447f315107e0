// The rules for the cells of a row: which are accepted, which are repaired, and the message for a row that is rejected.
// Dates are in dates.test.ts. `normalise` returns the row, or the message of its fault as a string. `recordOf` and
// `faultOf` add the required cells that a test does not give, and return the record or the message. The row is always
// line 214 (normalised.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newRepairCounts } from '../../../src/import/rows/normalise.ts'
import { toReasons } from '../../../src/import/rows/row-fault.ts'
import { seed } from '../../seed.ts'
import { type Cells, faultOf, normalise, recordOf, required } from './normalised.ts'

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

test('a message has all reasons of a row', () => {
  const message = faultOf({ checkin_date: '31/02/1999', title: ' ', municipality: '', code: 'x' })
  assert.equal(
    message,
    'line 214, code: expected <prefix>-<number>, such as 03082-1101, got "x"; title: expected a title, got ""; ' +
      'checkin_date: there is no 31 February, got "31/02/1999"; ' +
      'municipality: expected the name of a municipality, got ""',
  )
})

test('required columns must not be empty', () => {
  assert.equal(faultOf({ code: ' ' }), 'line 214, code: expected <prefix>-<number>, such as 03082-1101, got ""')
  assert.equal(faultOf({ id: '' }), 'line 214, id: expected the id of the record, got ""')
  assert.equal(faultOf({ title: '\t\n' }), 'line 214, title: expected a title, got ""')
  assert.equal(
    faultOf({ municipality: '&nbsp;' }),
    'line 214, municipality: expected the name of a municipality, got ""',
  )
  assert.equal(
    faultOf({ checkin_date: '' }),
    'line 214, checkin_date: expected a date (every record needs one), got ""',
  )
})

test('well-formed codes are trimmed and otherwise kept as written', () => {
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

test('a text longer than a record may be is rejected', () => {
  const recordCharactersMax = 8 * 1024 * 1024
  assert.match(
    faultOf({ content: 'x'.repeat(recordCharactersMax + 1) }),
    /^line 214, content: expected at most 8388608 characters, got "x+…"$/,
  )
  assert.equal(typeof normalise({ ...required, content: 'x'.repeat(recordCharactersMax) }), 'object')
})

test('prefix and registration number form a code if there is none', () => {
  const { code: _code, ...rest } = required
  const outcome = normalise({ ...rest, prefix: '03082', registration_number: '1101' })
  assert.equal(typeof outcome === 'string' ? outcome : outcome.record.code, '03082-1101')
  assert.equal(
    normalise({ ...rest, prefix: '03082', registration_number: 'x1' }),
    'line 214, registration_number: expected digits, which follow the prefix in the code, got "x1"',
  )
  assert.equal(
    normalise({ ...rest, prefix: '', registration_number: '1' }),
    'line 214, prefix: expected <prefix>-<number>, such as 03082-1101, got ""',
  )
})

test('a registration number that differs from the number in the code is kept', () => {
  assert.equal(recordOf({ registration_number: ' 0007/B ' }).registrationNumber, '0007/B')
})

test('texts are trimmed, a line break becomes one space, and so does each other control character', () => {
  const record = recordOf({ title: '\uFEFF  Plan\tParcial\r\nfase\u0000 2\u0085\u00a0', area: 'UE-1\u001f' })
  // The NUL before the space becomes a second space.
  assert.equal(record.title, 'Plan Parcial fase  2')
  assert.equal(record.area, 'UE-1')
  // PostgreSQL does not accept NUL in text.
  assert.equal(recordOf({ municipality: 'Já\u0000vea' }).municipality, 'Já vea')
})

test('HTML entities are decoded once and counted; other ampersands are kept', () => {
  const counts = newRepairCounts()
  const outcome = normalise(
    { ...required, title: 'Sector &#34;Los Olivos&quot; &aacute; R&D A & B &amp;#34; &nosuch; &#x41;' },
    counts,
  )
  assert.equal(
    typeof outcome === 'string' ? outcome : outcome.record.title,
    'Sector "Los Olivos" á R&D A & B &#34; &nosuch; A',
  )
  // `&#34;`, `&quot;`, `&aacute;`, `&amp;` and `&#x41;`. The `&#34;` that `&amp;#34;` becomes is not decoded again, and
  // `&nosuch;` is no entity.
  assert.equal(counts.entitiesDecoded, 5)
})

test('an unpaired surrogate is replaced', () => {
  assert.equal(recordOf({ title: 'Plan \ud83d fin' }).title, 'Plan \ufffd fin')
})

test('links are trimmed and otherwise kept byte for byte, percent-encoding included', () => {
  const links = 'HTTPS://Docs.example.org/Ordenaci%F3n%20b%e1sica.pdf?a=1&amp;b=%C3%B3#p.2'
  const record = recordOf({ links: ` ${links}\n`, agreement_link: 'http://example.org/a b.pdf' })
  assert.equal(record.links, links)
  assert.equal(record.agreementLink, 'http://example.org/a b.pdf')
})

test('anything but a well-formed http:// or https:// address is rejected, even if its scheme is disguised', () => {
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

test('an address is accepted if URL.canParse accepts it and it has a host, whatever was checked before', () => {
  // A regular expression with the flag `g`, or a cache, would keep state from one address to the next. So each address
  // is checked twice, each time after a different one.
  const part = fc.constantFrom('a', 'es', '.', ':', ':80', ':99999', '@', '[', '[::1]', '%', '%zz', '?', '#', '\\', '/')
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const isAccepted = (links: string): boolean => typeof normalise({ ...required, links }) !== 'string'
  fc.assert(
    fc.property(text, text, text, (site, path, other) => {
      isAccepted('https://example.org/')
      const isAcceptedFirst = isAccepted(`http://${site}/${path}`)
      isAccepted(`http://${site}/${other}`)
      assert.equal(isAccepted(`http://${site}/${path}`), isAcceptedFirst)
      // The host ends at the first of these characters. `URL.canParse` skips slashes before it (`http:///a.es`), but an
      // import does not.
      const hasHost = !/^[/?#\\]/.test(`${site}/`)
      assert.equal(isAcceptedFirst, hasHost && URL.canParse(`http://${site}/${path}`))
    }),
    { seed, numRuns: 2000 },
  )
})

test('two addresses in one cell are rejected, whatever separates them', () => {
  const expected =
    /^line 214, links: expected a single address \(put the address of the agreement in agreement_link\), got "/
  for (const separator of [' ', ';', ' ; ', ' | ', ', ', '\n', '\t']) {
    assert.match(faultOf({ links: `https://example.org/a.pdf${separator}https://example.org/b.pdf` }), expected)
  }
  // An address in the query of another one is not a second address.
  assert.equal(
    recordOf({ links: 'https://example.org/?to=https://a.es' }).links,
    'https://example.org/?to=https://a.es',
  )
})

test('the column document has names of files in the folder of --documents, separated by semicolons', () => {
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

// The report of an import counts rows by reason.
test('the reason of a fault does not depend on the value', () => {
  assert.equal(
    toReasons({
      line: 3,
      problems: [{ column: 'checkin_date', expected: 'YYYY-MM-DD or DD/MM/YYYY', value: 'x' }],
    }).join(),
    'checkin_date: expected YYYY-MM-DD or DD/MM/YYYY',
  )
})

test('no cell makes normalising throw, and the title of a record is always well-formed Unicode', () => {
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
    { seed },
  )
})

test('text that was decoded with a wrong encoding is repaired and counted; text that only resembles it is kept', () => {
  const repaired = [
    // UTF-8 that was read as Windows-1252.
    ['OrdenaciÃ³n pormenorizada', 'Ordenación pormenorizada'],
    ['ModificaciÃ³n Puntual nÂº 3', 'Modificación Puntual nº 3'],
    ['MODIFICACI\u00c3\u201cN DE LA CA\u00c3\u2018ADA', 'MODIFICACIÓN DE LA CAÑADA'],
    ['Plan \u00e2\u20ac\u0153El Soto\u00e2\u20ac\u009d \u00e2\u20ac\u201c II', 'Plan “El Soto” – II'],
    ['AlcalÃ¡ de Henares', 'Alcalá de Henares'],
    ['\u00c3\u0081vila', 'Ávila'],
    // UTF-8 that was read as Windows-1252 twice.
    ['ModificaciÃ\u0192Â³n', 'Modificación'],
    // Windows-1252 that was read as Latin-1.
    ['Sector \u0093La Rápita\u0094 \u0096 l\u0092Alfàs', 'Sector “La Rápita” – l’Alfàs'],
  ] as const
  const counts = newRepairCounts()
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
    const counts = newRepairCounts()
    const outcome = normalise({ ...required, title }, counts)
    assert.ok(typeof outcome !== 'string')
    assert.match(outcome.record.title, /^Ordenaci\ufffdn/)
    assert.equal(counts.valuesDamaged, 1, title)
  }
  const counts = newRepairCounts()
  normalise({ ...required, title: 'Ordenaci&oacute;n' }, counts)
  assert.equal(counts.valuesDamaged, 0)
})

test('invisible characters are removed from a code, and a title of nothing else is rejected', () => {
  assert.equal(recordOf({ code: '03082-1101\u200b' }).code, '03082-1101')
  assert.match(faultOf({ title: '\u200b \u2060' }), /title: expected a title/)
})

test('NULL and \\N are empty in every column, with or without blanks around them', () => {
  for (const nullCell of ['NULL', '\\N', 'NULL ', '  NULL', '\t\\N\r']) {
    const { area, links, agreementLink, inscriptionDate, registrationNumber } = recordOf({
      area: nullCell,
      links: nullCell,
      agreement_link: nullCell,
      inscription_date: nullCell,
      registration_number: nullCell,
    })
    // Without a registration number, the record has the number of its code.
    assert.deepEqual([area, links, agreementLink, inscriptionDate, registrationNumber], ['', '', null, null, '1101'])
    const quoted = JSON.stringify(nullCell.trim())
    assert.ok(faultOf({ title: nullCell }).endsWith(`title: expected a title, got ${quoted}`))
    assert.ok(faultOf({ checkin_date: nullCell }).endsWith(`got ${quoted}`))
    assert.match(faultOf({ municipality: nullCell }), /municipality: expected the name/)
    const outcome = normalise({ ...required, document: nullCell, content: nullCell })
    assert.ok(typeof outcome !== 'string')
    assert.deepEqual([outcome.documents, outcome.content], [[], ''])
  }
  assert.equal(recordOf({ title: 'Plan NULL' }).title, 'Plan NULL')
})

test('a prefix may end with its hyphen', () => {
  const outcome = normalise({ ...required, code: '', prefix: '03082-', registration_number: '78' })
  assert.equal(typeof outcome === 'string' ? outcome : outcome.record.code, '03082-78')
})
