// openapi.json is valid and complete. send-request.ts validates the JSON responses of operations with it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { toOpenApi } from '../../src/api/openapi.ts'
import { recordParameters } from '../../src/api/parameters.ts'
import { isInscriptionCode } from '../../src/domain/inscription-code.ts'
import { parameters } from '../../src/domain/parameters.ts'
import { problemKinds } from '../../src/problems.ts'
import { version } from '../../src/version.ts'
import { startService } from '../service.ts'
import { json, sendRequest } from './send-request.ts'

const service = await startService([{ code: 'A-1' }])
after(() => service[Symbol.asyncDispose]())

test('openapi.json passes the Redocly linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  try {
    const path = join(folder, 'openapi.json')
    await writeFile(path, (await sendRequest(service, 'openapi.json')).bytes)
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, 'lint', path, '--format', 'json'], {
      env,
      cwd: folder,
    })
    const { totals } = JSON.parse(stdout)
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, stdout + stderr)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('openapi.json has the version of the package and the base path as its server', async () => {
  const response = await sendRequest(service, 'openapi.json')
  assert.equal(response.headers['content-type'], 'application/json')
  const { info, servers, openapi } = json(response) as {
    openapi: string
    info: { version: string }
    servers: { url: string }[]
  }
  assert.match(openapi, /^3\.1\./)
  assert.equal(info.version, version)
  assert.equal(servers[0]?.url, '/registry')
})

test('with --public-url, the server is the public address', async () => {
  await using published = await startService([{ code: 'A-1' }], { publicUrl: 'https://data.example.org/plans' })
  const { servers } = json(await sendRequest(published, 'openapi.json')) as { servers: { url: string }[] }
  assert.equal(servers[0]?.url, 'https://data.example.org/plans')
})

test('schemas allow further properties, because later versions may add some', () => {
  assert.doesNotMatch(JSON.stringify(toOpenApi('/registry')), /"additionalProperties":false/)
})

test('the description of the search has exactly its parameters', () => {
  const { paths } = JSON.parse(JSON.stringify(toOpenApi('/')))
  assert.deepEqual(
    paths['/record'].get.parameters.map(({ name }: { readonly name: string }) => name),
    recordParameters,
  )
})

test('the pattern of inscription codes in openapi.json matches the codes that the service accepts', () => {
  // `٣` is the Arabic-Indic digit 3, and `𐐀` a letter that takes two units of UTF-16.
  const codes = ['A-1', 'CO/1-1', 'ñ/2-1', 'Ávila.3_b-007', '٣-1', 'A-٣', '𐐀-1', 'A', '-1', 'A-', 'A 1-1', 'A-1\n', '']
  const { schema } = parameters.cod_archivo
  assert.ok('pattern' in schema)
  const pattern = new RegExp(schema.pattern, 'u')
  for (const code of codes) assert.equal(pattern.test(code), isInscriptionCode(code), JSON.stringify(code))
})

test('openapi.json documents every problem that an operation may have', () => {
  const text = JSON.stringify(toOpenApi('/'))
  for (const [code, { status }] of Object.entries(problemKinds)) {
    if (status === 408) continue // It is sent before the request is complete, so it belongs to no operation.
    assert.ok(text.includes(`/problems/${code}"`), code)
  }
})
