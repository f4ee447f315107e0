// JSON and NDJSON (one JSON object per line) sources: where the records are, which values are read, and the messages.
// `cells` of a source are its rows by heading; `faultsOf` returns why rows are rejected.
import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { inspectSource } from '../../../src/import/inspect.ts'
import { toDefaultRules } from '../../../src/import/rows/normalise.ts'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder } from '../folder.ts'
import { emptyInput, faultsOf, readContent, readSource } from '../read-source.ts'

const record = { code: '03082-1', id: '1', title: 'Plan "Ñ"', municipality: 'Jávea', checkin_date: '2004-05-18' }
const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [0.1, 38.8] }, properties: record }

/** Files of two records, given as JSON texts, in both formats. */
const formats: readonly [name: string, toText: (records: readonly string[]) => string][] = [
  ['records.json', (records) => `[\n${records.join(',\n')}\n]`],
  ['records.ndjson', (records) => records.join('\n')],
]

/** What a source with these records is rejected for: the messages, without the place of the row. */
async function messagesOf(t: TestContext, name: string, content: string | Uint8Array): Promise<string[]> {
  return faultsOf(await readContent(t, name, content)).map((fault) => toMessage(fault).replace(/^\w+ /, ''))
}

/** JSON values with the record somewhere inside. */
const wrappers: Readonly<Record<string, unknown>> = {
  'an array': [record],
  'one record': { ...record, geometry: feature.geometry, phases: [{ number: 1 }], notes: [] },
  'a total before the records': { total: 1, items: [record] },
  // Not the columns of a record: the status of the response and the title of the file.
  'properties named like columns before the records': { code: 200, title: 'Registro', data: [record] },
  'an object around the records': { data: { items: [record] } },
  'another array of objects': { campos: [{ id: 'code', tipo: 'text' }], filas: [record] },
  GeoJSON: { type: 'FeatureCollection', features: [feature] },
  CKAN: { success: true, result: { fields: [{ id: 'code', type: 'text' }], records: [record], total: 1 } },
  'OpenDataSoft, version 1': { nhits: 1, records: [{ recordid: 'x', fields: record }], facet_groups: [{ name: 'a' }] },
  'OpenDataSoft, version 2': { total_count: 1, results: [record] },
  // It adds links of its own, which are not the column `links`.
  'OpenDataSoft, version 2.0': { records: [{ links: [{ rel: 'self' }], record: { id: 'x', fields: record } }] },
}
for (const [name, wrapper] of Object.entries(wrappers)) {
  test(`records are found in JSON: ${name}`, async (t) => {
    // The first bytes decide the format if the extension does not.
    for (const file of [
      'records.json',
      'records',
      'records.geojson',
      ...(name === 'an array' ? ['records.csv'] : []),
    ]) {
      for (const space of [undefined, 2]) {
        const read = await readContent(t, file, `\uFEFF${JSON.stringify(wrapper, null, space)}\n`)
        assert.deepEqual(faultsOf(read), [])
        const [row] = read.outcomes
        assert.ok(row !== undefined && 'record' in row)
        assert.deepEqual([row.record.code, row.record.id, row.record.title], ['03082-1', '1', 'Plan "Ñ"'])
      }
    }
  })
}

test('NDJSON is recognised by its extension or its second line, and blank lines count', async (t) => {
  const text = `${JSON.stringify(record)}\r\n\n${JSON.stringify({ ...record, code: '03082-2' })}`
  for (const name of ['records.ndjson', 'records.jsonl', 'records', 'records.csv']) {
    const { rows, cells } = await readContent(t, name, text)
    assert.deepEqual(cells, [record, { ...record, code: '03082-2' }])
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3],
    )
  }
})

test('--records-at chooses an array, also one in the elements of others', async (t) => {
  const folder = await makeFolder(t)
  const plans = [{ expedientes: [record] }, { expedientes: [{ ...record, code: 'B-2' }] }]
  const path = await folder.write('r.json', JSON.stringify({ a: [record], grupos: { planes: plans } }))
  const { cells } = await readSource(path, { recordsAt: 'grupos.planes.expedientes' })
  assert.deepEqual(
    cells.map(({ code }) => code),
    ['03082-1', 'B-2'],
  )
  await assert.rejects(readSource(path, { recordsAt: 'b' }), {
    message: `Cannot read ${path}: there is no array at "b"; its arrays are a (1 element), grupos.planes (2 elements), grupos.planes.expedientes (2 elements)`,
  })
  // Without the flag, the array with more columns is proposed if the outer one has some, and read if it has none.
  const { code, municipality, ...rest } = record
  const groups = [{ municipality, title: 'Grupo', expedientes: [{ ...rest, code }] }]
  const grouped = await folder.write('g.json', JSON.stringify({ planes: groups }))
  const options = { mapping: new Map(), standardInput: emptyInput() }
  const { text } = await inspectSource(grouped, { ...options, rules: toDefaultRules(), codePattern: null })
  assert.match(text, /planes\.expedientes \(1 element\): --records-at planes\.expedientes reads them/)
  const pages = await folder.write(
    'p.json',
    JSON.stringify({ páginas: [{ municipality, datos: { filas: [{ ...rest, code }] } }] }),
  )
  const { cells: found } = await readSource(pages)
  assert.deepEqual(found, [record])
})

test('the message for a file that has no records, or is no JSON, says what it has or where', async (t) => {
  const folder = await makeFolder(t)
  const json = JSON.stringify([record, record], null, 2)
  const { code, ...rest } = record
  for (const [content, message] of [
    [{ total: 0, status: { code: 3 } }, /expected an array of records.*; its properties are "total", "status.code"$/],
    [{}, /it has no properties$/],
    [
      { a: [record], b: { c: [record, record] } },
      /several arrays: a \(1 element\), b.c \(2 elements\); .*--records-at$/,
    ],
    // The array `document` has no objects, so the file is taken for one record.
    [{ ...rest, codes: code, document: ['a.pdf'] }, /column code .* is missing; the nearest heading is "codes"/],
    [[{ ...rest, codes: code }], /column code .* is missing; the nearest heading is "codes"/],
    [json.slice(0, json.lastIndexOf('"title"') + 3), /: the JSON is cut off at line 12, column 8; fix it, or export/],
    [
      '[\n  {"code": "03082-1",\n   "id": 1x}\n]',
      /: invalid JSON at line 3, column 11; fix it, or export the file again/,
    ],
    // V8's message has no position for these.
    ['[{"code":\n "03082-1",\n  "id": }]', /: invalid JSON at line 3, column 9;/],
    ['[{"code": tru', /: the JSON is cut off at line 1, column 14;/],
    [`[{"a": ${'[1.0,'.repeat(100_000)}1${']'.repeat(100_000)}}]`, /: the JSON is nested too deeply; fix it, or/],
  ] as const) {
    const path = await folder.write('r.json', typeof content === 'string' ? content : JSON.stringify(content))
    await assert.rejects(readSource(path), { name: 'SourceFault', message })
  }
})

test('a JSON file that does not fit into memory, or a line that is too long, is refused', async (t) => {
  const folder = await makeFolder(t)
  const path = await folder.write('records.json', `[${' '.repeat(100_000)}`)
  await truncate(path, 128 * 1024 * 1024 + 1)
  await assert.rejects(readSource(path), /a JSON file may have 128 MB; export it as NDJSON \(one record per line\)/)
  const lines = await folder.write('records.ndjson', `\n{"total": "${'x'.repeat(8_500_000)}`)
  await assert.rejects(readSource(lines), /: line 2 is longer than 8388608 characters; export one record per line, or/)
})

test('null is empty, document may be a list, and members of nested objects have names with dots', async (t) => {
  const nested = { ...record, area: null, document: ['a.pdf', 'b.pdf'], es: { b: { c: { d: { e: { f: 1 } } } } } }
  for (const [name, toText] of formats) {
    const { cells } = await readContent(t, name, toText([JSON.stringify({ ...nested, titulo: { es: true } })]))
    assert.deepEqual([cells[0]?.area, cells[0]?.document, cells[0]?.['titulo.es']], ['', 'a.pdf;b.pdf', 'true'])
    // Four levels of objects are read; the fifth, `e`, is not.
    assert.equal(cells[0]?.['es.b.c.d.e'], '{…}')
  }
})

test('what is no record, or no text, is rejected on its own', async (t) => {
  const valid = JSON.stringify(record)
  const list = JSON.stringify({ ...record, title: [{ es: 'Plan' }], geometry: { coordinates: [[1, 2], []] } })
  const evil = valid.replace('{', '{"__proto__": {"polluted": "yes"}, ')
  for (const [name, toText] of formats) {
    const read = await readContent(t, name, toText([valid, '[1, {"a": 2}]', list, evil, '"x"', valid]))
    const isJson = name === 'records.json'
    const [expected, row] = isJson ? ['every record to be an object', 'record'] : ['one JSON object per line', 'line']
    assert.deepEqual(faultsOf(read).map(toMessage), [
      `${row} 2: expected ${expected}, got ${isJson ? '"a list"' : '"[1, {\\"a\\": 2}]"'}`,
      `${row} 3: expected title to be text, got "[…]"`,
      `${row} 4: expected keys that name columns, got "__proto__"`,
      `${row} 5: expected ${expected}, got ${isJson ? '"x"' : '"\\"x\\""'}`,
    ])
    assert.equal(read.rows.length, 6)
    // The rejects file has the value, so that it can be corrected.
    assert.equal(read.cells[2]?.title, '??? [{"es":"Plan"}]')
    assert.equal('polluted' in {}, false)
  }
})

test('bytes that are not UTF-8 reject their row, U+FFFD itself and a final Ctrl-Z do not', async (t) => {
  const valid = JSON.stringify({ ...record, title: 'Ordenación' })
  for (const [name, toText] of formats) {
    for (const [invalid, shown] of [
      [valid.replace('Ordenación', 'Ordenaci\xf3n'), 'Ordenaci\uFFFDn'],
      [valid.replace('{', '{"\xe1rea": "UE-1", '), '\uFFFDrea'],
    ] as const) {
      const [before, after] = toText([valid, '?', valid]).split('?')
      const bytes = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(invalid, 'latin1'), Buffer.from(after ?? '')])
      const expected = `2: expected text in UTF-8, like the rest of the file, got "${shown}"`
      assert.deepEqual(await messagesOf(t, name, bytes), [expected])
    }
    const sound = `${toText([valid, valid.replace('ó', '\uFFFD')])}\r\n\x1A`
    assert.deepEqual(await messagesOf(t, name, sound), [])
  }
})

test('the columns are those of the first batch of records, whichever of them has the key', async (t) => {
  const { title, checkin_date: date, ...others } = record
  for (const [name, toText] of formats) {
    const records = Array.from({ length: 299 }, (_, index) => (index < 150 ? { ...others, title } : record))
    const read = await readContent(t, name, toText(records.map((each) => JSON.stringify(each))))
    assert.equal(faultsOf(read).length, 150)
    assert.equal(read.cells[150]?.checkin_date, date)
    // `nombre` is the title only if there is no `titulo`, so its list is no fault.
    const later = [{ ...others, checkin_date: date, nombre: [{}], titulo: title }].map((each) => JSON.stringify(each))
    assert.deepEqual(await messagesOf(t, name, toText(later)), [])
    // In the first batch of lines no object shows the columns.
    const noObjects = await messagesOf(t, name, toText([...Array.from({ length: 1500 }, () => '[1]'), later[0] ?? '']))
    assert.equal(noObjects.length, 1500)
  }
})

test('NDJSON with long texts is read in small batches, and --inspect reads only the first', async (t) => {
  const folder = await makeFolder(t)
  const line = JSON.stringify({ ...record, content: 'palabra '.repeat(400_000) })
  const path = await folder.write('records.ndjson', `${line}\n`.repeat(6))
  // A batch ends with the row that takes it past 8 * 1024 * 1024 characters, here the third.
  assert.deepEqual((await readSource(path)).batches, [3, 3])
  const { text } = await inspectSource(path, {
    mapping: new Map(),
    standardInput: emptyInput(),
    rules: toDefaultRules(),
    codePattern: null,
  })
  assert.match(text, /: NDJSON, UTF-8, the first 3 rows\n/)
})

test('a file of many chunks is read completely', async (t) => {
  const records = Array.from({ length: 5000 }, (_, index) => ({
    ...record,
    id: `${index}`,
    area: 'ñ'.repeat(index % 89),
  }))
  for (const [name, toText] of formats) {
    const { cells } = await readContent(t, name, toText(records.map((each) => JSON.stringify(each))))
    assert.deepEqual(cells, records)
  }
})
