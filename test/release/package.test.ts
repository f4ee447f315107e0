// The two npm packages, the service with its command and the client library: their files and types, the command, and
// the client in Node, in TypeScript and in a browser.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { findFaults, findManifestFaults, packPackage } from '../../scripts/check-package.ts'
import { buildClientPackage, buildServicePackage } from '../../scripts/package.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { openBrowser } from '../page/chromium.ts'
import { startService } from '../service.ts'
import { startPackageRegistry } from './package-registry.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const directory = await makeTemporaryFolder({ after })
const serviceFolder = join(directory, 'service')
const clientFolder = join(directory, 'client')
let tarball: string

before(async () => {
  await buildServicePackage(serviceFolder)
  await buildClientPackage(clientFolder)
  tarball = await packPackage(clientFolder, directory)
})

// attw is Are The Types Wrong (@arethetypeswrong/cli), which checks how the types of a package resolve.
test('publint and attw find nothing wrong with the packages', async () => {
  assert.deepEqual(await findFaults(clientFolder, tarball), [])
  // The service has no types that attw could check.
  assert.deepEqual(await findManifestFaults(serviceFolder), [])
})

test('the packages have no TypeScript except the declarations of the client', async () => {
  const isTypeScript = (file: string): boolean => file.endsWith('.ts')
  assert.deepEqual((await readdir(serviceFolder, { recursive: true })).filter(isTypeScript), [])
  const files = await readdir(clientFolder, { recursive: true })
  assert.ok(files.includes('src/client/client.d.ts'))
  assert.deepEqual(
    files.filter((file) => isTypeScript(file) && !file.endsWith('.d.ts')),
    [],
  )
  // The package of the client has only these three folders of src.
  assert.deepEqual(
    files.filter((file) => /^src\/(?!client|domain|analysis)\w+/.test(file)),
    [],
  )
})

test('the client works in a new project without other packages, in the oldest supported Node on this machine', async (t) => {
  // By default a record of the fixture is in Ávila, and its id is `E-` and the code.
  await using service = await startService([{ code: '05019-1', title: 'Plan "Parcial"' }, { code: '05019-2' }])
  const project = join(directory, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"fresh","private":true,"type":"module"}')
  // This npm registry has no packages, so the installation fails if the client has a dependency.
  const packageRegistry = await startPackageRegistry(t, {})
  const flags = [
    '--registry',
    packageRegistry,
    '--cache',
    join(directory, 'cache'),
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', ['install', tarball, ...flags], { cwd: project })
  await writeFile(
    join(project, 'program.js'),
    `import { createClient } from 'planning-registry-client'
const registry = createClient(process.argv[2])
const ids = []
for await (const record of registry.search({ municipality: 'avila' })) ids.push(record.id)
const nothing = await registry.get('05019-9')
console.log(JSON.stringify({ ids, nothing, total: (await registry.summary()).total }))`,
  )
  const { stdout } = await run(await findOldestNode(), ['program.js', service.base], { cwd: project })
  assert.deepEqual(JSON.parse(stdout), { ids: ['E-05019-1', 'E-05019-2'], nothing: null, total: 2 })
})

test('the built client works in a browser, on a page of another origin', async (t) => {
  // More records than the largest result page has, which is 1,000: `search` streams them all.
  const records = Array.from({ length: 1200 }, (_, index) => ({ code: `05019-${index + 1}`, title: 'Plan "Parcial"' }))
  await using service = await startService(records)
  const site = createServer(async (request, response) => {
    const file = join(clientFolder, (request.url ?? '').slice(1))
    const type = file.endsWith('.js') ? 'text/javascript' : 'text/html'
    response
      .writeHead(200, { 'content-type': type })
      .end(file.endsWith('.js') ? await readFile(file) : '<!doctype html>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    site.closeAllConnections()
    site.close()
  })
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  // All records of the fixture are in Ávila. The page of five records is requested twice. The second request has the
  // ETag of the first response, which the client has cached. The browser sends this header to another origin only if
  // the service allows it.
  const seen = await page.evaluate(`(async () => {
    const { createClient, memoryCache, RegistryError } = await import('/src/client/client.js')
    const registry = createClient('${service.base}', { cache: memoryCache() })
    let streamed = 0
    for await (const record of registry.search({ municipality: 'Ávila' })) streamed += 1
    const { cursor } = await registry.page({}, { limit: 5 })
    await registry.page({}, { limit: 5 })
    const error = await registry.page({ checkin_date: 'x' }).catch((reason) => reason)
    return {
      streamed,
      hasCursor: cursor !== null,
      nothing: await registry.get('05019-9999'),
      error: error instanceof RegistryError && error.code,
    }
  })()`)
  assert.deepEqual(seen, { streamed: records.length, hasCursor: true, nothing: null, error: 'malformed-year' })
})

test('a TypeScript project compiles against the declarations', async () => {
  const project = join(directory, 'typed')
  await mkdir(join(project, 'node_modules'), { recursive: true })
  await symlink(clientFolder, join(project, 'node_modules/planning-registry-client'))
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(project, 'program.ts'),
    `import { createClient, type WireRecord } from 'planning-registry-client'
const first: WireRecord | null = await createClient('http://x').get('05019-1')
const date: string | null | undefined = first?.inscription_date
// @ts-expect-error there is no such filter
createClient('http://x').search({ serch: date })`,
  )
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', 'program.ts']
  // The compiler prints its errors to standard output and exits with a status other than 0, which rejects the promise.
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), flags, { cwd: project }).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

test('the command of the package runs', async () => {
  // npm would install the dependencies here.
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  const command = join(serviceFolder, 'bin/planning-registry.js')
  const sample = join(directory, 'sample')
  await run(process.execPath, [command, 'sample', sample, '--records', '20', '--documents', '1'])
  // A header and 20 records.
  assert.equal((await readFile(join(sample, 'records.csv'), 'utf8')).trim().split('\n').length, 21)
  await using service = await startService([{ code: '05019-1', title: 'Plan Parcial' }])
  const { stdout } = await run(process.execPath, [command, 'search', 'parcial', '--database', service.database])
  assert.match(stdout, /Plan Parcial/)
})

/** As in `engines` of the client package. */
const oldestSupportedNode = '20.20.0'

/** Returns the oldest supported Node among those on the path and the one that runs this test. */
async function findOldestNode(): Promise<string> {
  const found = [{ path: process.execPath, version: process.versions.node }]
  for (const folderOnPath of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folderOnPath, 'node')
    if (!existsSync(path)) continue
    const { stdout } = await run(path, ['--version'])
    found.push({ path, version: stdout.trim().slice(1) })
  }
  const supported = found.filter(({ version }) => compareVersions(version, oldestSupportedNode) >= 0)
  return supported.reduce((oldest, each) => (compareVersions(each.version, oldest.version) < 0 ? each : oldest)).path
}

/** Negative if `a` is older, positive if it is newer. */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
