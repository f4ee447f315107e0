// `npm run test:packages`: installs both packages from their tarballs in empty folders, from the npm registry, with the
// Node of the machine, and uses them as a stranger would. It takes minutes, so it is not part of `npm test`.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { packPackage } from '../../scripts/check-package.ts'
import { buildClientPackage, buildServicePackage } from '../../scripts/package.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const directory = await makeTemporaryFolder({ after })
const tarballs = { service: '', client: '' }

/** Without the project's own programs, so that `npx` and `node` are those of the machine. */
const environment = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}

before(async () => {
  const [service, client] = [join(directory, 'service'), join(directory, 'client')]
  await buildServicePackage(service, { page: join(root, 'dist/web') })
  await buildClientPackage(client)
  tarballs.service = await packPackage(service, directory)
  tarballs.client = await packPackage(client, directory)
})

test('the service runs from its package, without OCR in at most 80 MB', async () => {
  const project = await makeProject('small')
  await run('npm', ['install', tarballs.service, '--omit=optional'], { cwd: project, env: environment })
  const megabytes = (await countBytes(join(project, 'node_modules'))) / 1e6
  assert.ok(megabytes <= 80, `${megabytes} MB`)
  await run('npm', ['install', 'node@26', '--omit=optional', '--foreground-scripts'], {
    cwd: project,
    env: environment,
  })
  await assertServes(project)
})

test('the service with OCR takes at most 200 MB', async () => {
  const project = await makeProject('whole')
  await run('npm', ['install', tarballs.service], { cwd: project, env: environment })
  const megabytes = (await countBytes(join(project, 'node_modules'))) / 1e6
  assert.ok(megabytes <= 200, `${megabytes} MB`)
})

/** Starts the service with `npx`, and asks it for a record and the page, by the client package and by MCP. */
async function assertServes(project: string): Promise<void> {
  // A process group of its own, as in a terminal, where Ctrl+C reaches npx and the service alike.
  const options = { cwd: project, env: environment, detached: true }
  const service = spawn('npx', ['planning-registry', 'serve', '--port', '0'], options)
  try {
    const url = await readUrl(service)
    const page = await fetch(`${url}/?search=plan`)
    assert.match(await page.text(), /<mark>/)
    const clientProject = await makeProject('client-project')
    await run('npm', ['install', tarballs.client], { cwd: clientProject, env: environment })
    assert.deepEqual(await readdir(join(clientProject, 'node_modules')), [
      '.package-lock.json',
      'planning-registry-client',
    ])
    const program = `import { createClient } from 'planning-registry-client'
console.log((await createClient('${url}').summary()).total)`
    await writeFile(join(clientProject, 'program.mjs'), program)
    const { stdout } = await run('node', ['program.mjs'], { cwd: clientProject, env: environment })
    assert.equal(stdout.trim(), '3000')
    assert.match(await initialiseMcp(project, url), /"serverInfo":\{"name":"planning-registry"/)
  } finally {
    assert.ok(service.pid)
    process.kill(-service.pid, 'SIGINT')
    await once(service, 'close')
  }
}

async function readUrl(service: ChildProcess): Promise<string> {
  assert.ok(service.stdout)
  for await (const line of createInterface(service.stdout)) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The service ended before it was listening')
}

/** Sends the first message of the protocol and returns the first line of the response. */
async function initialiseMcp(project: string, url: string): Promise<string> {
  const server = spawn('npx', ['planning-registry', 'mcp', '--url', url], { cwd: project, env: environment })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  for await (const line of createInterface(server.stdout)) {
    server.stdin.end()
    return line
  }
  throw new Error('The MCP server ended without a response')
}

async function makeProject(name: string): Promise<string> {
  const project = join(directory, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"fresh","private":true}')
  return project
}

async function countBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}
