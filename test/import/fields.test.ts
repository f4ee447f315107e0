// `import --fields`: the office's own columns are kept, published and compared, and none is kept that is not named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../src/registry/open.ts'
import { makeRegistry, type Registry } from './registry.ts'

const headings = 'Código;Título;Municipio;Fecha entrada;TIPO;APROB. INICIAL;B.O.P.;TITULAR'
const rows = [
  '05019-1;El Soto;Ávila;2004-03-12;Plan Parcial;12/04/2004;BOP 33;Ana Pérez',
  '05019-2;Casco;Ávila;2005-03-12;Plan Especial;;BOP 1;Luis Gil',
]
const source = [headings, ...rows].join('\n')

/** The records with their fields, as `include=fields` shows them. */
async function readFields(registry: Registry): Promise<unknown[]> {
  const store = await openStore(`sqlite:${registry.file}`)
  try {
    const page = await store.current().page({ limit: 10, include: ['cod_archivo', 'fields'] })
    const records = JSON.parse(`[${page?.text}]`) as { cod_archivo: string; fields: object }[]
    return records.map(({ cod_archivo: code, fields }) => [code, fields])
  } finally {
    await store.close()
  }
}

test('the columns that --fields names are kept and searched; no other is', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write('records.csv', source)
  const { status, stderr } = await registry.runImport(path, '--fields', 'Tipo,Aprobación=APROB. INICIAL,B.O.P.=Boletín')
  assert.equal(status, 0, stderr)
  // The order of the flag; empty values are left out. `B.O.P.=Boletín` was given the other way round.
  assert.deepEqual(await readFields(registry), [
    ['05019-2', { Tipo: 'Plan Especial', Boletín: 'BOP 1' }],
    ['05019-1', { Tipo: 'Plan Parcial', Aprobación: '12/04/2004', Boletín: 'BOP 33' }],
  ])
  assert.deepEqual((await registry.search('"BOP 33"')).length, 1)
  assert.deepEqual(await registry.search('Pérez'), [])
})

test('fields can be in the mapping, in any of its forms, and --fields wins', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write('records.csv', source)
  const mapping = JSON.stringify({
    fields: { Figura: { from: 'TIPO', match: '^Plan (.*)$', to: '$1' }, Origen: { value: 'Archivo' } },
  })
  assert.equal((await registry.runImport(path, '--mapping', mapping)).status, 0)
  assert.deepEqual((await readFields(registry))[1], ['05019-1', { Figura: 'Parcial', Origen: 'Archivo' }])
  assert.equal((await registry.runImport(path, '--mapping', mapping, '--fields', 'TIPO')).status, 0)
  assert.deepEqual((await readFields(registry))[1], ['05019-1', { TIPO: 'Plan Parcial' }])
})

test('a changed field is a change of its record; the same fields again publish nothing', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write('records.csv', source)
  await registry.runImport(path, '--fields', 'TIPO')
  assert.match((await registry.runImport(path, '--fields', 'TIPO')).stdout, /nothing to publish/)
  const changed = await registry.write('changed.csv', source.replace('Plan Especial', 'Catálogo'))
  assert.match((await registry.runImport(changed, '--fields', 'TIPO')).stdout, /1 changed/)
})

test('fields that cannot be kept are refused, with what to do', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write('records.csv', source)
  for (const [fields, message] of [
    ['ESTADO', /no heading "ESTADO" for the field "ESTADO"; the headings that are not imported are "TIPO"/],
    ['TIPO,Tipo.', /"TIPO" and "Tipo\." have the same name, tipo; give one another label/],
    ['TIPO,…', /"…" needs a letter or a digit/],
  ] as const) {
    const { status, stderr } = await registry.runImport(path, '--fields', fields)
    assert.notEqual(status, 0)
    assert.match(stderr, message)
  }
})

test('--inspect proposes the columns that would be left out, but none that may hold personal data', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write('records.csv', source)
  const { stdout } = await registry.runImport(path, '--inspect')
  assert.match(stdout, /--fields 'TIPO,APROB\. INICIAL,B\.O\.P\.'/)
  assert.match(stdout, /not proposed, because they may hold personal data: "TITULAR"/)
  const inspected = await registry.runImport(path, '--inspect', '--fields', 'Tipo,Boletín=B.O.P.')
  assert.match(inspected.stdout, /B\.O\.P\. +→ field Boletín/)
  assert.match(inspected.stdout, /"fields": \{\s+"Tipo": "Tipo",\s+"Boletín": "B\.O\.P\."/)
})

test('merged rows keep the values of all of them', async (t) => {
  const registry = await makeRegistry(t)
  const twice = [headings, rows[0], rows[0]?.replace('Plan Parcial', 'Convenio')].join('\n')
  const path = await registry.write('records.csv', twice)
  assert.equal((await registry.runImport(path, '--fields', 'TIPO', '--duplicates', 'merge')).status, 0)
  assert.deepEqual(await readFields(registry), [['05019-1', { TIPO: 'Plan Parcial; Convenio' }]])
})
