// JSON whose records are inside other objects, JSON on a single line, and files of one record. Of a source that is
// read, `outcomes` has the record of each row or the reason why it is rejected, and `cells` has the rows by heading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectSource } from '../../../src/import/inspect.ts'
import { toDefaultRules } from '../../../src/import/rows/normalise.ts'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder } from '../folder.ts'
import { emptyInput, faultsOf, readContent, readSource } from '../read-source.ts'

const record = { code: '03082-1', id: '1', title: 'Plan', municipality: 'Jávea', checkin_date: '2004-05-18' }
const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [0.1, 38.8] }, properties: record }

/** JSON values with the record somewhere inside. */
const wrappers: Readonly<Record<string, unknown>> = {
  'a total before the records': { total: 1, items: [record] },
  // Not the columns of a record: the status of the response and the title of the file.
  'properties named like columns before the records': { code: 200, title: 'Registro', data: [record] },
  'an object around the records': { data: { items: [record] } },
  GeoJSON: { type: 'FeatureCollection', features: [feature] },
  CKAN: { success: true, result: { fields: [{ id: 'code', type: 'text' }], records: [record], total: 1 } },
  'OpenDataSoft, version 1': { nhits: 1, records: [{ recordid: 'x', fields: record }], facet_groups: [{ name: 'a' }] },
  'OpenDataSoft, version 2': { total_count: 1, results: [record] },
}
for (const [name, wrapper] of Object.entries(wrappers)) {
  test(`records are found in JSON: ${name}`, async (t) => {
    for (const file of ['records.json', 'records', 'records.geojson']) {
      for (const space of [undefined, 2]) {
        const read = await readContent(t, file, `${JSON.stringify(wrapper, null, space)}\n`)
        assert.deepEqual(faultsOf(read), [])
        const [row] = read.outcomes
        assert.ok(row !== undefined && 'record' in row)
        assert.equal(row.record.code, record.code)
        // The `id` of the record is read, and not the `recordid` that OpenDataSoft adds.
        assert.equal(row.record.id, '1')
      }
    }
  })
}

test('the links that OpenDataSoft 2.0 adds to a record are not the column links', async (t) => {
  const links = [{ rel: 'self', href: 'https://portal.example/api/records/x' }]
  for (const name of ['links', 'Enlace']) {
    const fields = { ...record, [name]: 'https://example.org/1.pdf' }
    const element = { links, record: { id: 'x', timestamp: '2024-01-01T00:00:00Z', size: 1, fields } }
    for (const [file, content] of [
      ['records.json', JSON.stringify({ total_count: 1, links, records: [element] })],
      ['records.ndjson', JSON.stringify(element)],
    ] as const) {
      const read = await readContent(t, file, content)
      assert.deepEqual(faultsOf(read), [])
      const [row] = read.outcomes
      assert.ok(row !== undefined && 'record' in row)
      assert.equal(row.record.links, 'https://example.org/1.pdf')
      assert.equal(row.record.id, '1')
    }
  }
})

test('the message for a file without an array of records, or with several, says what it has', async (t) => {
  const folder = await makeFolder(t)
  for (const [shape, message] of [
    [{ total: 0, status: { code: 3 } }, /expected an array of records.*; its properties are "total", "status.code"$/],
    [
      { a: [record], b: { c: [record, record] } },
      /several arrays: a \(1 element\), b.c \(2 elements\); .*--records-at$/,
    ],
    [{}, /it has no properties$/],
  ] as const) {
    const path = await folder.write('records.json', JSON.stringify(shape))
    await assert.rejects(readSource(path), { name: 'SourceFault', message })
  }
})

test('--records-at chooses the array', async (t) => {
  const folder = await makeFolder(t)
  const path = await folder.write('r.json', JSON.stringify({ a: [record], b: { c: [{ ...record, code: 'B-2' }] } }))
  assert.equal((await readSource(path, { recordsAt: 'b.c' })).cells[0]?.code, 'B-2')
  await assert.rejects(readSource(path, { recordsAt: 'b' }), {
    message: `Cannot read ${path}: there is no array at "b"; its arrays are a (1 element), b.c (1 element)`,
  })
})

test('a fault in JSON on a single line has the number of the record instead of the line', async (t) => {
  const records = [record, { ...record, checkin_date: 'ayer' }]
  const read = await readContent(t, 'records.json', JSON.stringify({ expedientes: records }))
  assert.match(faultsOf(read).map(toMessage).join(), /^record 2, checkin_date: /)
})

test('a file of one record is read, whatever other properties the record has', async (t) => {
  for (const name of ['records.json', 'records.ndjson', 'records']) {
    const line = JSON.stringify({ ...record, geometry: feature.geometry, phases: [{ number: 1 }], notes: [] })
    const read = await readContent(t, name, line)
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.cells[0]?.code, '03082-1')
  }
})

test('the message for one record without a required column names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const { code, ...rest } = record
  // The array `document` has no objects, so it is not taken for the array of records.
  const path = await folder.write('records.json', JSON.stringify({ ...rest, codes: code, document: ['a.pdf'] }))
  await assert.rejects(readSource(path), { message: /column code .* is missing; the nearest heading is "codes"/ })
})

test('the message for several lines without a required column names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const line = JSON.stringify({ codes: '03082-1', id: '1', geometry: feature.geometry })
  const path = await folder.write('records.ndjson', `${line}\n${line}\n`)
  await assert.rejects(readSource(path), { message: /the nearest heading is "codes"/ })
})

test('a file with a line that is too long is refused with the number of the line', async (t) => {
  const folder = await makeFolder(t)
  const path = await folder.write('records.ndjson', `\n{"total": "${'x'.repeat(8_500_000)}`)
  const fix = 'export one record per line, or an array of records'
  await assert.rejects(readSource(path), {
    message: `Cannot read ${path}: line 2 is longer than 8388608 characters; ${fix}`,
  })
})

test('rows with long texts are read in small batches, and --inspect reads only the first batch', async (t) => {
  const folder = await makeFolder(t)
  const line = JSON.stringify({ ...record, content: 'palabra '.repeat(400_000) })
  const path = await folder.write('records.ndjson', `${line}\n`.repeat(6))
  // A batch ends with the row that takes it past 8 * 1024 * 1024 characters, here the third.
  assert.deepEqual((await readSource(path)).batches, [3, 3])
  const { text } = await inspectSource(path, { mapping: new Map(), standardInput: emptyInput() }, toDefaultRules())
  assert.match(text, /: NDJSON, UTF-8, the first 3 rows\n/)
})
