// Headings of a source: which column each one holds, which columns are required, and the mapping of `--mapping`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout } from '../../../src/import/rows/layout.ts'
import { type Mapping, parseMapping } from '../../../src/import/rows/mapping.ts'

function layoutOf(headings: readonly string[], mapping: Mapping = new Map()): Layout {
  const layout = new Layout('records.csv', mapping)
  for (const heading of headings) layout.append(heading)
  return layout
}

const required = ['code', 'id', 'title', 'municipality', 'checkin_date']

test('headings may have hyphens, underscores or spaces, in any case', () => {
  const layout = layoutOf(['Checkin-Date', ' REGISTRATION_NUMBER ', 'agreement link'])
  assert.deepEqual(
    (['checkin_date', 'registration_number', 'agreement_link', 'title'] as const).map((column) =>
      layout.indexOf(column),
    ),
    [0, 1, 2, undefined],
  )
})

test('unknown headings are listed, not rejected', () => {
  assert.deepEqual(layoutOf([...required, 'Observaciones', '']).unused(), ['Observaciones'])
})

test('two headings for one column are rejected', () => {
  assert.throws(() => layoutOf(['checkin-date', 'title', 'checkin_date']), {
    message:
      'Cannot read records.csv: headings "checkin-date" and "checkin_date" both mean checkin_date; rename or remove one',
  })
})

test('the message for a missing column names the nearest heading', () => {
  for (const [column, typo] of [
    ['code', 'kode'],
    ['id', 'ids'],
    ['title', 'titulo'],
    ['municipality', 'municipio'],
    ['checkin_date', 'chekin_date'],
  ] as const) {
    const layout = layoutOf([...required.map((heading) => (heading === column ? typo : heading)), 'observaciones'])
    assert.throws(
      () => layout.requireColumns(),
      new RegExp(`column ${column}.* is missing; the nearest heading is "${typo}"`),
    )
  }
})

test('prefix and registration number replace the code', () => {
  layoutOf(['prefix', 'registration-number', ...required.slice(1)]).requireColumns()
  assert.throws(
    () => layoutOf(['prefix', ...required.slice(1)]).requireColumns(),
    /column code \(or prefix and registration_number\)/,
  )
})

test('a mapping names the headings of the source', () => {
  const mapping = parseMapping('{"title": "Denominación", "checkin-date": "F. entrada"}', 'columns.json')
  const layout = layoutOf(['code', 'id', 'DENOMINACIÓN', 'municipality', 'F. entrada'], mapping)
  layout.requireColumns()
  assert.equal(layout.indexOf('title'), 2)
  assert.equal(layout.indexOf('checkin_date'), 4)
  assert.throws(
    () => layoutOf(['code', 'id', 'Denominacion', 'municipality', 'F. entrada'], mapping).requireColumns(),
    /column title, mapped to "Denominación", is missing; the nearest heading is "Denominacion"/,
  )
})

test('an invalid mapping is wrong usage', () => {
  for (const [text, message] of [
    ['nonsense', /Cannot read mapping m.json: it is not JSON/],
    ['["title"]', /expected an object such as/],
    ['{"titel": "x"}', /there is no column "titel"; did you mean title\?/],
    ['{"title": 3}', /title: expected a heading of the source as text, got "3"/],
    ['{"__proto__": "x"}', /there is no column "__proto__"/],
  ] as const) {
    assert.throws(() => parseMapping(text, 'm.json'), { name: 'UsageFault', message })
  }
})
