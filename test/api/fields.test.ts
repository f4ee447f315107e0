// The office's own columns ("fields"): kept, shown, searched, filtered, counted and described. A registry without fields
// answers as if there were none.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { toOwnField } from '../../src/domain/own-fields.ts'
import { tools } from '../../src/mcp/tools.ts'
import { startService, type TestRecord } from '../service.ts'

const records: readonly TestRecord[] = [
  {
    code: '05019-1',
    title: 'Sector El Soto',
    fields: { Tipo: 'Plan Parcial', 'Aprob. inicial': '2004', Promotor: 'SEPES' },
  },
  { code: '05019-2', title: 'Casco', fields: { Tipo: 'plan  parciál', Promotor: 'Ayuntamiento' } },
  { code: '05019-3', title: 'Ensanche', fields: { Tipo: 'Estudio de Detalle' } },
  { code: '05019-4', title: 'Sin columnas' },
]
const service = await startService(records)
after(() => service[Symbol.asyncDispose]())
const plain = await startService([{ code: '05019-1', title: 'Sector El Soto' }])
after(() => plain[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several operations
  readonly json: any
}

async function get(path: string, base = service.base): Promise<Answer> {
  const response = await fetch(`${base}/${path}`)
  // `response.text()` would remove the byte order mark.
  const body = Buffer.from(await response.arrayBuffer()).toString()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, body, json: isJson ? JSON.parse(body) : undefined }
}

/** The numbers of the codes that a request finds. */
async function find(query: string): Promise<string[]> {
  const { resultadoBusqueda } = (await get(`record?include=cod_archivo&${query}`)).json
  return resultadoBusqueda.map(({ cod_archivo }: { cod_archivo: string }) => cod_archivo.replace('05019-', ''))
}

test('the name of a field is its label in lower case without accents, with _ for other signs', () => {
  const cases = [
    ['Aprob. inicial', 'aprob_inicial'],
    ['B.O.P.', 'b_o_p'],
    ['AÑO', 'ano'],
    ['Núm. exp. / obra', 'num_exp_obra'],
  ]
  for (const [label = '', name] of cases) assert.deepEqual(toOwnField(label), { name, label })
})

test('a field is filtered by its whole value, without regard to case, accents and spaces', async () => {
  assert.deepEqual(await find('field.tipo=PLAN+PARCIAL'), ['1', '2'])
  assert.deepEqual(await find('field.tipo=plan+parcial&field.promotor=sepes'), ['1'])
  assert.deepEqual(await find('field.aprob_inicial=2004'), ['1'])
  assert.equal((await get('record?field.tipo=plan')).status, 404)
  // Another reading of a term keeps the filter: 05019-3 is not the record with this type.
  for (const [type, kept] of [
    ['plan+parcial', undefined],
    ['estudio+de+detalle', 'field.tipo=estudio%20de%20detalle'],
  ]) {
    const { queries } = (await get(`record?search=05019-3&field.tipo=${type}`)).json
    assert.equal(queries?.[0].query.split('&').at(-1), kept)
  }
  // Everywhere where there are filters.
  for (const path of ['summary', 'record.csv', 'feed', 'changes']) {
    assert.equal((await get(`${path}?field.tipo=plan+parcial`)).status, 200, path)
  }
})

test('values are searched as content', async () => {
  assert.deepEqual(await find('search=SEPES'), ['1'])
  assert.deepEqual(await find('search="estudio+de+detalle"'), ['3'])
  assert.deepEqual(await find('search=ayunt*'), ['2'])
  // No phrase spans two fields.
  assert.equal((await get('record?search="parcial+2004"')).status, 404)
})

test('include=fields shows the values by label, in the order declared, empty ones left out', async () => {
  const { resultadoBusqueda } = (await get('record?include=fields')).json
  assert.deepEqual(
    resultadoBusqueda.map(({ fields }: { fields: unknown }) => JSON.stringify(fields)),
    [...records.map(({ fields = {} }) => JSON.stringify(fields))],
  )
})

test('summary counts the values that facets names, also of a search', async () => {
  const counts = async (query: string): Promise<unknown> => (await get(`summary?${query}`)).json.by_field
  assert.deepEqual(await counts('facets=tipo,promotor'), {
    tipo: [
      { value: 'Plan Parcial', records: 2 },
      { value: 'Estudio de Detalle', records: 1 },
    ],
    promotor: [
      { value: 'Ayuntamiento', records: 1 },
      { value: 'SEPES', records: 1 },
    ],
  })
  assert.deepEqual(await counts('facets=tipo&search=sepes'), { tipo: [{ value: 'Plan Parcial', records: 1 }] })
  assert.equal(await counts('search=sepes'), undefined)
})

test('a field with more than 200 different values is not counted', async () => {
  const many = Array.from({ length: 201 }, (_, index) => ({
    code: `A-${index + 1}`,
    fields: { Promotor: `P${index}` },
  }))
  await using large = await startService(many)
  const response = await get('summary?facets=promotor', large.base)
  assert.deepEqual([response.status, response.json.parameter], [400, 'facets'])
  assert.equal((await get('record?field.promotor=p7', large.base)).status, 200)
})

test('an unknown field is 400 with the known ones, an unknown value 404 with the nearest', async () => {
  const cases = [
    ['record?field.tipos=x', 400, 'field.tipos', ['tipo', 'promotor', 'aprob_inicial']],
    ['summary?facets=tipos', 400, 'facets', ['tipo', 'promotor', 'aprob_inicial']],
    ['record?field.tipo=plan+parsial', 404, 'field.tipo', ['Plan Parcial', 'Estudio de Detalle']],
    ['record?field.tipo=', 400, 'field.tipo', undefined],
    ['record?field.tipo=a&field.tipo=b', 400, 'field.tipo', undefined],
    ['municipality?field.tipo=a', 400, 'field.tipo', undefined],
  ] as const
  for (const [path, status, parameter, suggestions] of cases) {
    const response = await get(path)
    const body = response.json
    assert.deepEqual([response.status, body.parameter, body.suggestions], [status, parameter, suggestions], path)
  }
})

test('the fields are the last columns of record.csv', async () => {
  const lines = (await get('record.csv')).body.replace('\uFEFF', '').split(/\r?\n/)
  assert.match(lines[0] ?? '', /;Tipo;Aprob\. inicial;Promotor$/)
  assert.match(lines[1] ?? '', /;Plan Parcial;2004;SEPES$/)
  assert.match(lines[4] ?? '', /;;;$/)
})

test('OpenAPI, the reference, the catalogue and the client know the fields of the registry', async () => {
  assert.match((await get('catalog')).body, /"Aprob\. inicial"/)
  const { paths } = (await get('openapi.json')).json
  const names = paths['/record'].get.parameters.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.slice(-3), ['field.tipo', 'field.aprob_inicial', 'field.promotor'])
  assert.match((await get('docs?lang=es')).body, /<code>field\.aprob_inicial<\/code>/)
  const client = createClient(service.base)
  const { total, by_field } = (await client.summary({ 'field.tipo': 'plan parcial' }, { facets: ['promotor'] })) ?? {}
  assert.deepEqual([total, by_field?.promotor?.length], [2, 2])
})

test('a registry without fields has none to ask for, and include=fields adds an empty object', async () => {
  const response = await get('record?field.tipo=x', plain.base)
  assert.equal(response.status, 400)
  assert.match(response.json.detail, /this registry has no fields/)
  assert.deepEqual((await get('record?include=fields', plain.base)).json.resultadoBusqueda[0].fields, {})
  assert.doesNotMatch((await get('openapi.json', plain.base)).body, /"field\./)
})

test('the tools for assistants filter by fields, show and count them', async () => {
  const registry = createClient(service.base)
  const call = (name: string, args: Record<string, string>) =>
    tools.find((tool) => tool.name === name)?.call(registry, args, {})
  const found = (await call('search_records', { fields: 'tipo=plan parcial; promotor=sepes' })) as {
    records: { fields: object }[]
  }
  assert.deepEqual(
    found.records.map(({ fields }) => fields),
    [records[0]?.fields],
  )
  const { by_field } = (await call('summarise', { facets: 'tipo' })) as { by_field: { tipo: object[] } }
  assert.equal(by_field.tipo.length, 2)
})
