import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout, type Mapping, parseMapping } from '../../../src/import/rows/columns.ts'

function layoutOf(headings: readonly string[], mapping: Mapping = new Map()): Layout {
  const layout = new Layout('records.csv', mapping)
  for (const heading of headings) layout.append(heading)
  return layout
}

const needed = ['code', 'id', 'title', 'municipality', 'checkin_date']

test('headings are known with hyphens, underscores or spaces, in any case', () => {
  const layout = layoutOf(['Checkin-Date', ' REGISTRATION_NUMBER ', 'agreement link'])
  assert.deepEqual(
    (['checkin_date', 'registration_number', 'agreement_link', 'title'] as const).map((column) =>
      layout.indexOf(column),
    ),
    [0, 1, 2, undefined],
  )
})

test('headings that mean nothing are named, not refused', () => {
  assert.deepEqual(layoutOf([...needed, 'Observaciones', '']).unused(), ['Observaciones'])
})

test('two headings that mean one column are refused', () => {
  assert.throws(() => layoutOf(['checkin-date', 'title', 'checkin_date']), {
    message:
      'Cannot read records.csv: headings "checkin-date" and "checkin_date" both mean checkin_date; rename or remove one',
  })
})

test('every needed column is missed by name, with the nearest heading', () => {
  for (const [column, typo] of [
    ['code', 'kode'],
    ['id', 'ids'],
    ['title', 'titulo'],
    ['municipality', 'municipio'],
    ['checkin_date', 'chekin_date'],
  ] as const) {
    const layout = layoutOf([...needed.map((heading) => (heading === column ? typo : heading)), 'observaciones'])
    assert.throws(
      () => layout.requireColumns(),
      new RegExp(`column ${column}.* is missing; the nearest heading is "${typo}"`),
    )
  }
})

test('prefix and registration number stand for the code', () => {
  layoutOf(['prefix', 'registration-number', ...needed.slice(1)]).requireColumns()
  assert.throws(
    () => layoutOf(['prefix', ...needed.slice(1)]).requireColumns(),
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

test('a mapping that cannot be meant is wrong usage', () => {
  for (const [text, message] of [
    ['nonsense', /Cannot read mapping m.json: it is not JSON/],
    ['["title"]', /expected an object such as/],
    ['{"titel": "x"}', /"titel" is no column; did you mean title\?/],
    ['{"title": 3}', /title: expected the heading of the source as text, got "3"/],
    ['{"__proto__": "x"}', /"__proto__" is no column/],
  ] as const) {
    assert.throws(() => parseMapping(text, 'm.json'), { name: 'UsageFault', message })
  }
})
