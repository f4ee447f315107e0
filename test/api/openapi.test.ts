// openapi.json: valid, complete, and true to what the service does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { toOpenApi } from '../../src/api/openapi.ts'
import { recordParameters } from '../../src/api/parameters.ts'
import { problemKinds } from '../../src/problems.ts'
import { version } from '../../src/version.ts'
import { startService, type TestService } from '../service.ts'
import { ask, json } from './ask.ts'

let service: TestService

before(async () => {
  service = await startService([{ code: 'A-1' }])
})
after(() => service[Symbol.asyncDispose]())

test('redocly finds nothing to say against openapi.json', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, (await ask(service, 'openapi.json')).bytes)
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, 'lint', file, '--format', 'json'], {
      env,
      cwd: folder,
    })
    const { totals } = JSON.parse(stdout)
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, stdout + stderr)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('openapi.json carries the version of the package and the base path as its server', async () => {
  const reply = await ask(service, 'openapi.json')
  assert.equal(reply.headers['content-type'], 'application/json')
  const { info, servers, openapi } = json(reply) as {
    openapi: string
    info: { version: string }
    servers: { url: string }[]
  }
  assert.match(openapi, /^3\.1\./)
  assert.equal(info.version, version)
  assert.equal(servers[0]?.url, '/registry')
})

test('behind a proxy the server is the public address', async () => {
  await using published = await startService([{ code: 'A-1' }], { publicUrl: 'https://data.example.org/plans' })
  const { servers } = json(await ask(published, 'openapi.json')) as { servers: { url: string }[] }
  assert.equal(servers[0]?.url, 'https://data.example.org/plans')
})

test('every parameter the search takes is described, and no other', () => {
  const { paths } = toOpenApi('/')
  assert.deepEqual(
    paths['/record']?.get.parameters.map(({ name }) => name),
    recordParameters,
  )
})

test('every status of the table of problems is documented', () => {
  const text = JSON.stringify(toOpenApi('/'))
  for (const [code, { status }] of Object.entries(problemKinds)) {
    if (status === 408) continue // Sent before there is a request, and so before there is an operation.
    assert.ok(text.includes(`/problems/${code}"`), code)
  }
})
