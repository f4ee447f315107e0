import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder } from '../folder.ts'
import { faultsOf, readSource } from '../read-source.ts'

const record = {
  code: '03082-1',
  id: '1',
  title: 'Plan "Los Olivos"',
  municipality: 'Jávea',
  checkin_date: '2004-05-18',
}

test('a JSON array of records is read, each with the line it begins on', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.json', JSON.stringify([record, { ...record, code: '03082-2' }], null, 2))
  const { rows, cells } = await readSource(file)
  assert.deepEqual(cells, [record, { ...record, code: '03082-2' }])
  assert.deepEqual(
    rows.map(({ line }) => line),
    [2, 9],
  )
})

test('an object whose one property is the array is read, whatever the property is called', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records', JSON.stringify({ resultadoBusqueda: [record] }))
  assert.deepEqual((await readSource(file)).cells, [record])
})

test('an object with more than the array is refused', async (t) => {
  const folder = await makeFolder(t)
  for (const content of [
    { total: 1, records: [record] },
    { records: [record], total: 1 },
  ]) {
    const file = await folder.write('records.json', JSON.stringify(content, null, 1))
    await assert.rejects(readSource(file), {
      message: `Cannot read ${file}: expected an array of records, or an object whose one property is that array`,
    })
  }
})

test('truncated JSON is refused with the line and column where it ends', async (t) => {
  const folder = await makeFolder(t)
  const whole = JSON.stringify([record, record], null, 2)
  const file = await folder.write('records.json', whole.slice(0, whole.lastIndexOf('"title"') + 3))
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: it ends at line 12, column 8 in the middle of the JSON; export it again`,
  })
})

test('broken JSON is refused with line and column', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.json', '[\n  {"code": "03082-1",\n   "id": 1x}\n]')
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: line 3, column 11 is not JSON; mend it or export the file again`,
  })
})

test('numbers keep their digits, null is empty, and a list of documents is one', async (t) => {
  const folder = await makeFolder(t)
  const text = '[{"registration_number": 201805252949190001, "area": null, "document": ["a.pdf", "b.pdf"], "id": 7}]'
  const { cells } = await readSource(await folder.write('r.json', withNeeded(text)))
  assert.equal(cells[0]?.registration_number, '201805252949190001')
  assert.equal(cells[0]?.area, '')
  assert.equal(cells[0]?.document, 'a.pdf;b.pdf')
  assert.equal(cells[0]?.id, '7')
})

test('a value that should be text and is an object refuses its row; one that nobody reads does not', async (t) => {
  const folder = await makeFolder(t)
  const rows = [
    { ...record, title: { es: 'Plan' } },
    { ...record, geometry: { type: 'Point', coordinates: [[1, 2], []] } },
  ]
  const read = await readSource(await folder.write('records.json', JSON.stringify(rows, null, 1)))
  assert.deepEqual(faultsOf(read).map(toMessage), ['line 2: expected title to be text, got "{…}"'])
  assert.equal(read.rows.length, 2)
})

for (const [name, wrap] of [
  ['records.json', (text: string) => `[${text}]`],
  ['records.ndjson', (text: string) => text],
] as const) {
  test(`a row with __proto__ in ${name} is refused and changes nothing`, async (t) => {
    const folder = await makeFolder(t)
    const evil = JSON.stringify(record).replace('{', '{"__proto__": {"polluted": "yes"}, ')
    const read = await readSource(await folder.write(name, wrap(evil)))
    assert.deepEqual(faultsOf(read).map(toMessage), ['line 1: expected keys that name columns, got "__proto__"'])
    assert.equal('polluted' in {}, false)
  })
}

test('an element that is no object is refused alone', async (t) => {
  const folder = await makeFolder(t)
  const read = await readSource(await folder.write('r.json', `[\n"x",\n[1, {"a": 2}],\n${JSON.stringify(record)}\n]`))
  assert.deepEqual(faultsOf(read).map(toMessage), [
    'line 2: expected every record to be an object, got "x"',
    'line 3: expected every record to be an object, got "a list"',
  ])
  assert.equal(read.rows.length, 3)
})

test('a JSON source without a needed column names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const { title: _title, ...rest } = record
  const file = await folder.write('records.json', JSON.stringify([{ ...rest, titel: 'Plan' }]))
  await assert.rejects(readSource(file), {
    message: `Cannot read ${file}: column title is missing; the nearest heading is "titel": rename it, or name it with --mapping`,
  })
})

test('a JSON file of many chunks gives every record once', async (t) => {
  const folder = await makeFolder(t)
  const records = Array.from({ length: 5000 }, (_, index) => ({
    ...record,
    code: `03082-${index}`,
    area: 'ñ'.repeat(index % 89),
  }))
  for (const space of [0, 1]) {
    const { cells } = await readSource(await folder.write('records.json', JSON.stringify(records, null, space)))
    assert.deepEqual(cells, records)
  }
})

test('one JSON object a line is read, by its ending or by its first line', async (t) => {
  const folder = await makeFolder(t)
  const text = `${JSON.stringify(record)}\r\n\n${JSON.stringify({ ...record, code: '03082-2' })}`
  for (const name of ['records.ndjson', 'records.jsonl', 'records']) {
    const { rows, cells } = await readSource(await folder.write(name, text))
    assert.deepEqual(cells, [record, { ...record, code: '03082-2' }])
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3],
    )
  }
})

test('a line of NDJSON that is no object is refused alone', async (t) => {
  const folder = await makeFolder(t)
  const read = await readSource(await folder.write('r.ndjson', `${JSON.stringify(record)}\n{"code": "0308\n[1]\n`))
  assert.deepEqual(faultsOf(read).map(toMessage), [
    'line 2: expected one JSON object a line, got "{\\"code\\": \\"0308"',
    'line 3: expected one JSON object a line, got "[1]"',
  ])
})

test('a number of NDJSON that has lost digits refuses its row', async (t) => {
  const folder = await makeFolder(t)
  const line = JSON.stringify(record).replace('"id":"1"', '"id":201805252949190001')
  const read = await readSource(await folder.write('r.ndjson', line))
  assert.match(faultsOf(read).map(toMessage).join(), /^line 1: expected id to be text, got "2018/)
})

/** Adds the columns a source must have. */
function withNeeded(text: string): string {
  return text.replace(
    '{',
    '{"code": "03082-1", "title": "Plan", "municipality": "Jávea", "checkin_date": "2004-05-18", ',
  )
}
