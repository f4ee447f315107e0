// JSON and NDJSON (one JSON object per line) sources: shapes, line numbers, types of values, and records that are
// rejected. `faultsOf` returns why rows are rejected.
// `readContent` and `readSource` return the `rows` with their line numbers, and `cells`, the same rows by heading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder } from '../folder.ts'
import { faultsOf, readContent, readSource } from '../read-source.ts'

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
  // The array begins on line 1, and a record of five properties takes seven lines.
  assert.deepEqual(
    rows.map(({ line }) => line),
    [2, 9],
  )
})

test('an object whose only property is the array is read, whatever the property is called', async (t) => {
  const folder = await makeFolder(t)
  // The name has no extension, so the content decides that the file is JSON.
  const file = await folder.write('records', JSON.stringify({ resultadoBusqueda: [record] }))
  assert.deepEqual((await readSource(file)).cells, [record])
})

test('truncated JSON is rejected with the line and column where it ends', async (t) => {
  const folder = await makeFolder(t)
  const json = JSON.stringify([record, record], null, 2)
  // The text ends inside the key `title` of the second record. The record begins on line 9, its key is on line 12.
  const file = await folder.write('records.json', json.slice(0, json.lastIndexOf('"title"') + 3))
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: the JSON is cut off at line 12, column 8; export it again`,
  })
})

test('invalid JSON is rejected with line and column', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.json', '[\n  {"code": "03082-1",\n   "id": 1x}\n]')
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: invalid JSON at line 3, column 11; fix it, or export the file again`,
  })
})

test('JSON that is nested too deep is rejected with the line, in whatever part of the file', async (t) => {
  const folder = await makeFolder(t)
  const levels = 100_000
  // Around the records, in place of a record, and inside a record.
  const contents = [
    '{"a":'.repeat(levels),
    `[\n${'['.repeat(levels)}`,
    `{"meta": 1,\n "records": [{"a": ${'[{"b":'.repeat(levels)}`,
  ]
  for (const content of contents) {
    const file = await folder.write('deep.json', content)
    const line = content.includes('\n') ? 2 : 1
    const reason = `the JSON has more than 1,000 nested levels at line ${line}; export the records as a plain array`
    await assert.rejects(readSource(file), { name: 'SourceFault', message: `Cannot read ${file}: ${reason}` })
  }
})

test('numbers keep their digits, null is empty, and document may be a list', async (t) => {
  const text = '[{"registration_number": 201805252949190001, "area": null, "document": ["a.pdf", "b.pdf"], "id": 7}]'
  const { cells } = await readContent(t, 'r.json', withRequired(text))
  assert.equal(cells[0]?.registration_number, '201805252949190001')
  assert.equal(cells[0]?.area, '')
  assert.equal(cells[0]?.document, 'a.pdf;b.pdf')
  assert.equal(cells[0]?.id, '7')
})

test('a list in a known column is rejected; in another column it is ignored', async (t) => {
  const rows = [
    { ...record, title: [{ es: 'Plan' }] },
    { ...record, geometry: { type: 'Point', coordinates: [[1, 2], []] } },
  ]
  const read = await readContent(t, 'records.json', JSON.stringify(rows, null, 1))
  // A list that has anything but texts is shown like an object.
  assert.deepEqual(faultsOf(read).map(toMessage), ['line 2: expected title to be text, got "{…}"'])
  // `read.rows` has the rejected row too.
  assert.equal(read.rows.length, 2)
})

for (const [name, wrap] of [
  ['records.json', (text: string) => `[${text}]`],
  ['records.ndjson', (text: string) => text],
] as const) {
  test(`a row with __proto__ in ${name} is rejected and changes no prototype`, async (t) => {
    const evil = JSON.stringify(record).replace('{', '{"__proto__": {"polluted": "yes"}, ')
    const read = await readContent(t, name, wrap(evil))
    // A fault in JSON on a single line has the number of the record instead of the line.
    assert.deepEqual(faultsOf(read).map(toMessage), [
      `${name === 'records.json' ? 'record' : 'line'} 1: expected keys that name columns, got "__proto__"`,
    ])
    assert.equal('polluted' in {}, false)
  })
}

test('members of nested objects have names with dots', async (t) => {
  const nested = { ...record, titulo: { es: 'Plan', deep: { a: { b: { c: { d: 1 } } } } } }
  const read = await readContent(t, 'records.json', JSON.stringify([nested], null, 1))
  assert.equal(read.cells[0]?.['titulo.es'], 'Plan')
  // Four levels of objects are read; the fifth, `c`, is not.
  assert.equal(read.cells[0]?.['titulo.deep.a.b.c'], '{…}')
})

test('an element that is not an object is rejected on its own', async (t) => {
  const read = await readContent(t, 'r.json', `[\n"x",\n[1, {"a": 2}],\n${JSON.stringify(record)}\n]`)
  assert.deepEqual(faultsOf(read).map(toMessage), [
    'line 2: expected every record to be an object, got "x"',
    'line 3: expected every record to be an object, got "a list"',
  ])
  // `read.rows` has the rejected rows too.
  assert.equal(read.rows.length, 3)
})

test('the message for a missing column names the nearest key', async (t) => {
  const folder = await makeFolder(t)
  const { title: _title, ...rest } = record
  const file = await folder.write('records.json', JSON.stringify([{ ...rest, titel: 'Plan' }]))
  const fix = 'rename it, or map it with --mapping (--inspect shows what was understood)'
  await assert.rejects(readSource(file), {
    message: `Cannot read ${file}: column title is missing; the nearest heading is "titel": ${fix}`,
  })
})

// Records are read in batches of a thousand, or of fewer if they are long. The columns are known after the first batch.
// So a required column must occur in the first batch, but need not be in its first records.
test('a column may be missing in the first records if a later record of the first batch has it', async (t) => {
  const { checkin_date: date, ...withoutDate } = record
  const records = Array.from({ length: 299 }, (_, index) => (index < 150 ? withoutDate : record))
  const read = await readContent(t, 'records.json', JSON.stringify(records))
  assert.deepEqual(read.batches, [299])
  assert.equal(faultsOf(read).length, 150)
  assert.equal(read.cells[150]?.checkin_date, date)
})

for (const [name, separator] of [
  ['records.json', ',\n'],
  ['records.ndjson', '\n'],
] as const) {
  test(`a list in ${name} is accepted if a later key shows that no column is read from its key`, async (t) => {
    const { title, ...withoutTitle } = record
    // The title is read from `nombre` only if there is no `titulo`. In the first file, `titulo` comes later in the same
    // record. In the second file it comes in the next record, and the first is rejected only because it has no title.
    const first = { nombre: [{ es: 'x' }], ...withoutTitle }
    const contents = [
      [{ ...first, titulo: title }],
      [
        { ...first, area: 'Norte' },
        { ...withoutTitle, titulo: title },
      ],
    ]
    for (const records of contents) {
      const text = records.map((each) => JSON.stringify(each)).join(separator)
      const read = await readContent(t, name, name === 'records.json' ? `[\n${text}\n]` : text)
      assert.doesNotMatch(faultsOf(read).map(toMessage).join(), /nombre/)
      assert.equal(faultsOf(read).length, records.length - 1)
      assert.equal(read.layout.indexOf('title'), read.layout.headings.indexOf('titulo'))
    }
  })
}

test('a batch has few records if they are long', async (t) => {
  const long = Array.from({ length: 6 }, () => ({ ...record, content: 'palabra '.repeat(400_000) }))
  const { batches } = await readContent(t, 'records.json', JSON.stringify(long))
  // A batch ends with the record that takes it past 8 * 1024 * 1024 characters, here the third.
  assert.equal(Math.max(...batches), 3)
})

test('a JSON file of many chunks is read completely', async (t) => {
  const records = Array.from({ length: 5000 }, (_, index) => ({
    ...record,
    code: `03082-${index}`,
    area: 'ñ'.repeat(index % 89),
  }))
  for (const space of [0, 1]) {
    const { cells } = await readContent(t, 'records.json', JSON.stringify(records, null, space))
    assert.deepEqual(cells, records)
  }
})

test('NDJSON is recognised by its extension or its first line', async (t) => {
  const text = `${JSON.stringify(record)}\r\n\n${JSON.stringify({ ...record, code: '03082-2' })}`
  for (const name of ['records.ndjson', 'records.jsonl', 'records']) {
    const { rows, cells } = await readContent(t, name, text)
    assert.deepEqual(cells, [record, { ...record, code: '03082-2' }])
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3],
    )
  }
})

test('JSON in a file called .csv is read as JSON, and CSV whose first heading is in brackets as CSV', async (t) => {
  const line = JSON.stringify(record)
  for (const text of [`[ ${line} ]`, `\uFEFF{ "records": [${line}] }`, `${line}\n`]) {
    assert.deepEqual((await readContent(t, 'records.csv', text)).cells, [record])
  }
  for (const [opening, closing] of ['[]', '{}'] as const) {
    const text = `${opening}code${closing},code,id,title,municipality,checkin_date\nx,03082-1,1,Plan,Jávea,2004-05-18\n`
    assert.equal((await readContent(t, 'records.csv', text)).cells[0]?.title, 'Plan')
  }
})

test('a line of NDJSON that is not an object is rejected on its own', async (t) => {
  const read = await readContent(t, 'r.ndjson', `${JSON.stringify(record)}\n{"code": "0308\n[1]\n`)
  assert.deepEqual(faultsOf(read).map(toMessage), [
    'line 2: expected one JSON object per line, got "{\\"code\\": \\"0308"',
    'line 3: expected one JSON object per line, got "[1]"',
  ])
})

test('the records of NDJSON may begin after a whole batch of lines that are no objects', async (t) => {
  // A batch has 1,000 lines. In the first batch, no object shows the columns.
  const read = await readContent(t, 'r.ndjson', `${'[1]\n'.repeat(1500)}${JSON.stringify(record)}\n`)
  assert.equal(faultsOf(read).length, 1500)
  assert.equal(read.cells.length, 1501)
})

// A line of NDJSON is parsed with `JSON.parse`, which rounds such a number. The reader of JSON files keeps its digits.
test('a number in NDJSON with more digits than JavaScript keeps is rejected', async (t) => {
  const line = JSON.stringify(record).replace('"id":"1"', '"id":201805252949190001')
  const read = await readContent(t, 'r.ndjson', line)
  assert.match(faultsOf(read).map(toMessage).join(), /^line 1: expected id to be text, got "2018/)
})

/** Adds the required columns to the first object, all except `id`. */
function withRequired(text: string): string {
  return text.replace(
    '{',
    '{"code": "03082-1", "title": "Plan", "municipality": "Jávea", "checkin_date": "2004-05-18", ',
  )
}
