// Headings of a source: which column each one means, which columns are required, and the mapping of `--mapping`. A
// `Layout` has the headings of a source and knows from which of them each column is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from '../../../src/import/rows/columns.ts'
import { Layout } from '../../../src/import/rows/layout.ts'
import { type Mapping, parseMapping } from '../../../src/import/rows/mapping.ts'

/** The layout of a source with these headings. */
function layoutOf(headings: readonly string[], mapping: Mapping = new Map()): Layout {
  const layout = new Layout('records.csv', { mapping })
  for (const heading of headings) layout.append(heading)
  return layout
}

/** The required columns. `requireColumns` throws if a layout lacks one of them. */
const required = ['code', 'id', 'title', 'municipality', 'checkin_date']

test('headings may have hyphens, underscores or spaces, and upper or lower case', () => {
  const layout = layoutOf(['Checkin-Date', ' REGISTRATION_NUMBER ', 'agreement link'])
  assert.deepEqual(
    (['checkin_date', 'registration_number', 'agreement_link', 'title'] as const).map((column) =>
      layout.indexOf(column),
    ),
    // None of the headings is that of the title.
    [0, 1, 2, undefined],
  )
})

test('unknown headings are listed, not rejected', () => {
  assert.deepEqual(layoutOf([...required, 'Observaciones', '']).unused(), ['Observaciones'])
})

test('two headings that spell the name of one column are rejected', () => {
  assert.throws(() => layoutOf(['checkin-date', 'title', 'checkin_date']).requireColumns(), {
    message:
      'Cannot read records.csv: headings "checkin-date" and "checkin_date" both mean checkin_date; rename or remove one',
  })
})

test('a repeated Spanish heading of a required column is rejected, as it is unclear which one has the value', () => {
  const headings = ['Expediente', 'Solicitante', 'Municipio', 'Denominación', 'Fecha', 'Municipio']
  assert.throws(() => layoutOf(headings).requireColumns(), {
    message:
      'Cannot read records.csv: headings "Municipio" and "Municipio" both mean municipality; rename or remove one',
  })
  // If the column is optional, the first heading is read, and the second is listed as unused.
  const layout = layoutOf([...required, 'Enlace', 'Enlace'])
  layout.requireColumns()
  assert.deepEqual(layout.unused(), ['Enlace'])
})

test('the message for a missing column names the nearest heading', () => {
  for (const [column, similar] of [
    ['code', 'kode'],
    ['title', 'titulos'],
    ['municipality', 'municipios'],
    ['checkin_date', 'chekin_date'],
  ] as const) {
    const layout = layoutOf([...required.map((heading) => (heading === column ? similar : heading)), 'observaciones'])
    assert.throws(
      () => layout.requireColumns(),
      new RegExp(`column ${column}.* is missing; the nearest heading is "${similar}"`),
    )
  }
})

test('a source without an id has the codes as ids, unless a mapping names the id', () => {
  const others = ['title', 'municipality', 'checkin_date']
  for (const headings of [['code'], ['Expediente'], ['prefix', 'registration_number']]) {
    layoutOf([...headings, ...others]).requireColumns()
  }
  const { mapping } = parseMapping('{"id": "Nº"}', 'm.json')
  assert.throws(() => layoutOf(['code', ...others], mapping).requireColumns(), /column id, mapped to "Nº", is missing/)
})

test('prefix and registration number replace the code', () => {
  layoutOf(['prefix', 'registration-number', ...required.slice(1)]).requireColumns()
  assert.throws(
    () => layoutOf(['prefix', ...required.slice(1)]).requireColumns(),
    /column code \(or prefix and registration_number\)/,
  )
})

test('a mapping names the heading of a column: case does not matter, accents do', () => {
  const { mapping } = parseMapping('{"title": "Denominación", "checkin-date": "F. entrada"}', 'columns.json')
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
    ['código', /Cannot read mapping m.json: invalid JSON at line 1, column 1; expected an object/],
    ['{"title": "A"\n"area": "B"}', /invalid JSON at line 2, column 1;/],
    ['{"title": "A",\n"area": ', /the JSON is cut off at line 2, column 9;/],
    // The parser names the place of a control character and of an invalid escape.
    ['{"title": "a\tb"}', /invalid JSON at line 1, column 13;/],
    ['{"title":\n"C:\\data"}', /invalid JSON at line 2, column 5;/],
    ['["title"]', /expected an object such as/],
    ['{"titel": "x"}', /there is no column "titel"; did you mean title\?/],
    ['{"title": 3}', /title: expected a heading of the source as text, got "3"/],
    ['{"title": {"from": "A", "match": "("}}', /title: expected match and to, both as text/],
    ['{"title": {"from": "A", "match": "(", "to": ""}}', /title: match: "\(" is not a valid regular expression$/],
    ['{"title": {"join": []}}', /title: join: expected a list of headings/],
    ['{"title": {"value": "x", "with": ""}}', /title: there is no "with" beside value/],
    ['{"__proto__": "x"}', /there is no column "__proto__"/],
  ] as const) {
    assert.throws(() => parseMapping(text, 'm.json'), { name: 'UsageFault', message })
  }
})

/** Reads a column of one row with the mapping. The keys of the row are the headings. */
function readColumn(mapping: unknown, row: Readonly<Record<string, string>>, column: Column): string {
  const layout = layoutOf(Object.keys(row), parseMapping(JSON.stringify(mapping), 'm.json').mapping)
  return layout.read(column, Object.values(row))
}

test('a mapping gives constants, joins cells, and rewrites a cell by a pattern', () => {
  const row = { N: '135/2025/00019', Tipo: 'Plan', Nombre: 'Los Olivos', Vacía: ' ' }
  const rewrite = { from: 'N', match: '^(\\d+)/(\\d+)/(\\d+)$', to: '$1-$2-$3' }
  assert.equal(readColumn({ municipality: { value: 'Madrid' } }, row, 'municipality'), 'Madrid')
  assert.equal(readColumn({ title: { join: ['Tipo', 'Vacía', 'Nombre'], with: ' ' } }, row, 'title'), 'Plan Los Olivos')
  assert.equal(readColumn({ code: rewrite }, row, 'code'), '135-2025-00019')
  // A cell that the pattern does not match stays as it is.
  assert.equal(readColumn({ code: rewrite }, { N: 'A-1' }, 'code'), 'A-1')
})

test('a column stays with its recognised heading, and a later key with the name of the column is not imported', () => {
  const layout = layoutOf(['code', 'id', 'Denominación', 'municipality', 'checkin_date'])
  layout.requireColumns()
  layout.addKey('title')
  assert.equal(layout.read('title', ['03082-7', '7', 'Plan A', 'Elx', '2004-05-18', 'Plan B']), 'Plan A')
  assert.deepEqual(layout.unused(), ['title'])
})

test('else is used where a heading is missing, its cell is empty, or a pattern does not match', () => {
  const row = { A: '', B: 'x', C: 'y' }
  assert.equal(readColumn({ title: { from: 'A', else: { from: 'B' } } }, row, 'title'), 'x')
  assert.equal(readColumn({ title: { from: 'B', match: '^z$', to: '', else: 'C' } }, row, 'title'), 'y')
  assert.equal(readColumn({ title: { join: ['A'], else: { value: 'ninguno' } } }, row, 'title'), 'ninguno')
  assert.equal(readColumn({ title: { from: 'Otra', else: 'C' } }, row, 'title'), 'y')
})

test('NULL and \\N are empty in a joined value, and else is used for them', () => {
  const row = { A: 'NULL', B: 'Plan', C: '\\N' }
  assert.equal(readColumn({ title: { join: ['A', 'B', 'C'], with: ' ' } }, row, 'title'), 'Plan')
  assert.equal(readColumn({ title: { join: ['A', 'C'], with: ' ', else: 'B' } }, row, 'title'), 'Plan')
  assert.equal(readColumn({ title: { from: 'C', else: 'B' } }, row, 'title'), 'Plan')
  assert.equal(readColumn({ title: { from: 'A', match: '(.+)', to: 'X $1', else: 'B' } }, row, 'title'), 'Plan')
})

test('the id in the properties of a GeoJSON feature is preferred to that of the feature', () => {
  const layout = layoutOf(['id', 'properties.id', 'properties.code'])
  assert.equal(layout.read('id', ['exp.fid-1', 'EXP-7', '03082-1']), 'EXP-7')
  // A feature may lack the property.
  assert.equal(layout.read('id', ['exp.fid-1', '', '03082-1']), 'exp.fid-1')
  // A mapping can choose the id of the feature.
  const { mapping } = parseMapping('{"id": "id"}', 'm.json')
  assert.equal(layoutOf(['id', 'properties.id'], mapping).read('id', ['exp.fid-1', 'EXP-7']), 'exp.fid-1')
})

test('headings of Spanish offices are recognised and listed', () => {
  for (const [headings, recognised] of [
    [
      ['Nº de expediente', 'Denominación', 'Término municipal', 'Fecha de entrada', 'Ámbito', 'URL'],
      ['code', 'title', 'municipality', 'checkin_date', 'area', 'links'],
    ],
    [
      ['Codi expedient', 'Núm. expedient', 'Títol', "Àmbit d'actuació", "Data d'entrada", 'Terme municipal', 'Enllaç'],
      ['code', 'id', 'title', 'area', 'checkin_date', 'municipality', 'links'],
    ],
    [
      ['Código', 'Denominación', 'Concello', 'Data de entrada', 'Data de inscrición', 'Ligazón'],
      ['code', 'title', 'municipality', 'checkin_date', 'inscription_date', 'links'],
    ],
    [
      ['Espedientea', 'Izenburua', 'Udalerria', 'Sarrera-data', 'Eremua', 'Esteka'],
      ['code', 'title', 'municipality', 'checkin_date', 'area', 'links'],
    ],
    [
      ['CODIGO', 'N_EXPEDIENTE', 'Título', 'Municipio', 'fechaRegistro', 'Fecha inscripción'],
      // `N_EXPEDIENTE` is the id, because the code has a heading of its own.
      ['code', 'id', 'title', 'municipality', 'checkin_date', 'inscription_date'],
    ],
    [
      ['properties.EXP_ID', 'properties.NOMBRE', 'properties.MUNICIPIO', 'properties.FECHA', 'geometry.type'],
      // The heading `geometry.type` is not recognised.
      ['code', 'title', 'municipality', 'checkin_date', undefined],
    ],
  ] as const) {
    const layout = layoutOf(headings)
    layout.requireColumns()
    const columnOf = (heading: string) => layout.recognised().find((each) => each.heading === heading)?.column
    assert.deepEqual(headings.map(columnOf), recognised)
  }
})

test('a heading that is the name of the column is preferred to a Spanish one', () => {
  const layout = layoutOf(['Título', ...required])
  assert.equal(layout.indexOf('title'), 3)
  assert.deepEqual(layout.unused(), ['Título'])
})

test('a mapping whose "to" refers to a group that "match" does not have is refused', () => {
  for (const [match, to, message] of [
    ['^(\\w+) - .*$', '$2', 'title: to: "$2" is not a group of match, which has 1 group; '],
    ['^(\\w+) - .*$', '$0', 'title: to: "$0" is not a group of match, which has 1 group; '],
    ['^\\w+', '$1', 'title: to: "$1" is not a group of match, which has 0 groups; '],
    ['^(?<a>\\w+)$', '$<b>', 'title: to: "$<b>" is not a group of match, which has 1 group; '],
  ] as const) {
    const json = JSON.stringify({ title: { from: 'N', match, to } })
    assert.throws(() => parseMapping(json, 'm.json'), {
      message: `Cannot read mapping m.json: ${message}$& is the whole match, and $$ a dollar`,
    })
  }
})

test('a mapping may use every group, the whole match and a dollar', () => {
  const layoutWith = (match: string, to: string): Layout =>
    layoutOf(['N'], parseMapping(JSON.stringify({ title: { from: 'N', match, to } }), 'm.json').mapping)
  for (const [match, to, title] of [
    // Without a tenth group, `$10` is the first group and a zero.
    ['^(\\w+)$', '$10', 'Plan0'],
    ['^(\\w+)$', '$01', 'Plan'],
    ['^(?<a>\\w+)$', '$<a>', 'Plan'],
    ['^\\w+$', '$&, $$2, 3 $', 'Plan, $2, 3 $'],
  ] as const) {
    assert.equal(layoutWith(match, to).read('title', ['Plan']), title, to)
  }
})
