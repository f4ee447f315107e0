// JSON on a single line, which may be NDJSON or a JSON value of an unsupported shape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFolder } from '../folder.ts'
import { faultsOf, readContent, readSource } from '../read-source.ts'

const record = { code: '03082-1', id: '1', title: 'Plan', municipality: 'Jávea', checkin_date: '2004-05-18' }
const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [0.1, 38.8] }, properties: record }

const shapes: Readonly<Record<string, unknown>> = {
  'a total before the records': { total: 1, items: [record] },
  'a total and no records': { total: 0, items: [] },
  'known columns before the records': { code: 200, title: 'Registro', data: [record] },
  GeoJSON: { type: 'FeatureCollection', features: [feature] },
  'an object around the records': { data: { items: [record] } },
}
for (const [name, shape] of Object.entries(shapes)) {
  test(`JSON on one line with ${name} is rejected for its shape, not for its headings`, async (t) => {
    const folder = await makeFolder(t)
    for (const file of ['records.json', 'records', 'records.geojson']) {
      const path = await folder.write(file, `${JSON.stringify(shape)}\n`)
      await assert.rejects(readSource(path), {
        name: 'SourceFault',
        message: `Cannot read ${path}: expected an array of records, or an object whose only property is that array`,
      })
    }
  })
}

test('one record on one line is NDJSON, whatever other properties it has', async (t) => {
  for (const name of ['records.json', 'records.ndjson', 'records']) {
    const line = JSON.stringify({ ...record, geometry: feature.geometry, phases: [{ number: 1 }], notes: [] })
    const read = await readContent(t, name, line)
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.cells[0]?.code, '03082-1')
  }
})

test('the message for one record with an unknown key names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const { code, ...rest } = record
  const path = await folder.write('records.json', JSON.stringify({ ...rest, codes: code, document: ['a.pdf'] }))
  await assert.rejects(readSource(path), { message: /column code .* is missing; the nearest heading is "codes"/ })
})

test('the message for several lines without a column names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const line = JSON.stringify({ codes: '03082-1', id: '1', geometry: feature.geometry })
  const path = await folder.write('records.ndjson', `${line}\n${line}\n`)
  await assert.rejects(readSource(path), { message: /the nearest heading is "codes"/ })
})

test('a line that is too long is rejected with its number, before it fills the memory', async (t) => {
  const folder = await makeFolder(t)
  const long = `{"total": 1, "items": [${'{"code": "03082-1"},'.repeat(450_000)}`
  const path = await folder.write('records.json', `\n${long}`)
  const fix = 'export one record per line, or an array of records'
  await assert.rejects(readSource(path), {
    message: `Cannot read ${path}: line 2 is longer than 8388608 characters; ${fix}`,
  })
})
