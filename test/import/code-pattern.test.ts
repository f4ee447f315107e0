// A registry whose codes do not have the form `<prefix>-<number>`: from `--code-pattern` to the response for a code.
// `toLocalFetch` returns a fetch function that calls the API in this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { plainRegistry, toOpenApi } from '../../src/api/openapi.ts'
import { runCommand } from '../command.ts'
import { createRegistry } from '../create-registry.ts'
import { makeFolder } from './folder.ts'

const pattern = '\\d+/\\d{4}/\\d{5}'
const records = ['135/2025/00019', '135/2025/00020'].map((code) => ({
  NUM_EXP: code,
  DENOMINACION: 'Plan especial',
  MUNICIPIO: 'Madrid',
  // Milliseconds since 1970: 1 January 2025 in Spain.
  FECHA_ENTRADA: 1_735_686_000_000,
}))

test('codes of another form are imported with --code-pattern and found by the API', async (t) => {
  await using registry = await createRegistry()
  const folder = await makeFolder(t)
  const source = await folder.write('records.json', JSON.stringify({ total: 2, expedientes: records }))
  const runImport = (...flags: string[]) => runCommand(['import', '--database', registry.database, source, ...flags])

  const refused = await runImport()
  assert.equal(refused.status, 1)
  assert.match(refused.stdout, /codes such as "135\/2025\/00019" .* with --code-pattern '\\d\+\/\\d\{4\}\/\\d\{5\}'\n/)

  const { status, stdout } = await runImport('--code-pattern', pattern)
  assert.equal(status, 0, stdout)
  const store = await registry.open()
  assert.equal(store.current().metadata.codePattern, pattern)
  const fetchLocally = toLocalFetch(store)
  const get = (path: string) => fetchLocally(`${localAddress}/${path}`)
  assert.equal((await get('record/135%2F2025%2F00019')).status, 200)
  assert.equal((await get('record/135%2F2025%2F00021')).status, 404)
  const malformed = await get('record/03082-1101')
  assert.equal(malformed.status, 400)
  assert.match(await malformed.text(), /expected the pattern/)
})

test('pages of records and changes link to the next page even if codes have a space', async (t) => {
  await using registry = await createRegistry()
  const folder = await makeFolder(t)
  const codes = ['EXP 1/2025', 'EXP 2/2025', 'EXP 3/2025']
  const rows = codes.map((code) => `${code},${code},Plan especial,Madrid,2025-01-01`)
  const source = await folder.write('records.csv', ['id,code,title,municipality,checkin_date', ...rows].join('\n'))
  const flags = ['--code-pattern', 'EXP \\d+/\\d{4}']
  const { status, stdout } = await runCommand(['import', '--database', registry.database, source, ...flags])
  assert.equal(status, 0, stdout)
  const fetchLocally = toLocalFetch(await registry.open())
  // The address of the next page contains the code of the last record.
  for (const firstPath of ['record?limit=1', 'changes?limit=1']) {
    let pages = 0
    for (let url: string | undefined = `${localAddress}/${firstPath}`; url !== undefined; pages++) {
      const response: Response = await fetchLocally(url)
      assert.equal(response.status, 200, url)
      url = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
    }
    assert.equal(pages, codes.length, firstPath)
  }
})

test('the OpenAPI document has the pattern of the registry', () => {
  const { paths } = JSON.parse(JSON.stringify(toOpenApi('/', { ...plainRegistry, codePattern: pattern })))
  const [parameter] = paths['/record/{cod_archivo}'].get.parameters
  assert.match(JSON.stringify(parameter.schema), /"pattern":"\^\(\?:\\\\d\+\/\\\\d\{4\}/)
})
