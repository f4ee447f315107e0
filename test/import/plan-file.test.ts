// `import --plan`: the file says what an import repeats, its paths are relative to it, and flags win over it.
import assert from 'node:assert/strict'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseInvocation } from '../../src/cli/config.ts'
import { parseImportPlan } from '../../src/import/plan.ts'
import { setLanguage } from '../../src/language.ts'
import { runCommand } from '../command.ts'
import { assertUsageError, makeRegistry } from './registry.ts'

const source = [
  'Ref;Nombre del plan;Entrada;TIPO',
  '135/2004/1;El Soto;2004-03-12;Plan Parcial',
  '135/2005/2;Casco;2005-03-12;Plan Especial',
  '135/2005/2;Casco antiguo;2005-03-12;',
].join('\n')

const plan = {
  sources: ['records.csv'],
  mapping: { code: 'Ref', title: 'Nombre del plan', checkin_date: 'Entrada', municipality: { value: 'Ávila' } },
  fields: { Tipo: 'TIPO' },
  'code-pattern': '\\d+/\\d{4}/\\d+',
  duplicates: 'first',
  'max-rejects': 0,
  'publish-documents': false,
  database: 'sqlite:publicado/registro.db',
  rejects: 'rechazadas.csv',
}

test('a plan repeats what the flags would say, from any folder', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('records.csv', source)
  await mkdir(join(registry.path, 'publicado'))
  const path = await registry.write('registro.json', JSON.stringify(plan))
  const planned = await runCommand(['import', '--plan', path], { cwd: '/' })
  assert.equal(planned.status, 0, planned.stderr)
  assert.match(planned.stdout, /1 row left out, because another row has the same code/)
  await copyFile(join(registry.path, 'publicado/registro.db'), registry.file)
  assert.deepEqual(
    (await registry.search('especial')).map(({ title, municipality }) => [title, municipality]),
    [['Casco', 'Ávila']],
  )
  // The flags in place of the plan give the same registry.
  const flags = ['--mapping', JSON.stringify(plan.mapping), '--fields', JSON.stringify(plan.fields)]
  const pattern = ['--code-pattern', plan['code-pattern'], '--duplicates', 'first']
  const repeated = await registry.runImport('records.csv', ...flags, ...pattern)
  assert.match(repeated.stdout, /^nothing to publish/, repeated.stderr)
})

test('a flag wins over the plan, the plan over a variable, and given sources replace those of the plan', async (t) => {
  const registry = await makeRegistry(t)
  const path = await registry.write(
    'registro.json',
    JSON.stringify({ ...plan, 'allow-host': ['a.example'], 'fetch-documents': true }),
  )
  const parse = (...args: string[]) => parseImportPlan(parseInvocation('import', ['--plan', path, ...args]))
  t.mock.property(process, 'env', { DATABASE_URL: 'sqlite:variable.db', DATA_DIR: 'variable' })
  const planned = await parse()
  assert.deepEqual(planned.sources, [join(registry.path, 'records.csv')])
  assert.equal(planned.database, `sqlite:${join(registry.path, 'publicado/registro.db')}`)
  // The plan does not name it.
  assert.equal(planned.dataDir, 'variable')
  assert.deepEqual(planned.documents.allowHosts, ['a.example'])
  assert.deepEqual(
    planned.rules.fields.map(({ label }) => label),
    ['Tipo'],
  )
  const given = await parse(
    'other.csv',
    '--database',
    'sqlite:other.db',
    '--allow-host',
    'b.example',
    '--fields',
    'Ref',
  )
  assert.deepEqual(given.sources, ['other.csv'])
  assert.equal(given.database, 'sqlite:other.db')
  assert.deepEqual(given.documents.allowHosts, ['b.example'])
  assert.deepEqual(
    given.rules.fields.map(({ label }) => label),
    ['Ref'],
  )
})

test('every mistake in a plan is named, in both languages', async (t) => {
  const registry = await makeRegistry(t)
  t.after(() => setLanguage('en'))
  const cases: readonly [text: string, english: RegExp, spanish: RegExp][] = [
    ['{"sources": [', /the JSON is cut off at line 1, column 14; expected an object such as/, /el JSON está cortado/],
    ['[]', /expected an object such as \{"sources": \["records\.xlsx"\]\}$/, /debe ser un objeto, por ejemplo/],
    ['{"sources": "a.csv"}', /sources: expected a list of texts$/, /sources: debe ser una lista de textos$/],
    ['{"sources": []}', /sources: expected a list of texts$/, /sources: debe ser una lista de textos$/],
    ['{"source": []}', /there is no setting "source"; did you mean sources\?$/, /no existe la opción "source"/],
    ['{"inspect": true}', /there is no setting "inspect"/, /no existe la opción "inspect"/],
    ['{"ocr": "yes"}', /ocr: expected true or false$/, /ocr: debe ser true \(sí\) o false \(no\)$/],
    ['{"sheet": ["A"]}', /sheet: expected a text$/, /sheet: debe ser un texto$/],
    ['{"allow-host": "a"}', /allow-host: expected a list of texts$/, /allow-host: debe ser una lista de textos$/],
    [
      '{"mapping": {"titel": "A"}}',
      /there is no column "titel"; did you mean title\?$/,
      /no existe la columna "titel"/,
    ],
    ['{"fields": {"A": 1}}', /A: expected a heading/, /A: debe ser un encabezado/],
    [
      '{"sources": ["a.csv"], "max-rejects": "many"}',
      /^Cannot read "max-rejects" of the plan .*registro\.json: expected/,
      /^«max-rejects» del plan .*registro\.json debe ser un porcentaje/,
    ],
  ]
  for (const [text, english, spanish] of cases) {
    const path = await registry.write('registro.json', text)
    setLanguage('en')
    await assertUsageError(['--plan', path], english)
    setLanguage('es')
    await assertUsageError(['--plan', path], spanish)
  }
  setLanguage('en')
  await assertUsageError(['--plan', 'no.json'], /^Cannot read plan no\.json: there is no such file$/)
  const latin1 = await registry.write('registro.json', Buffer.from('{"sources": ["año.csv"]}', 'latin1'))
  await assertUsageError(['--plan', latin1], /^Cannot read plan .*: it is not in UTF-8; save it as UTF-8$/)
  const path = await registry.write('registro.json', '{"sources": ["a.csv"]}')
  await assertUsageError(
    ['--plan', path, '--report', path],
    /^Cannot write the file of --report to .*: it is the file of --plan/,
  )
})
