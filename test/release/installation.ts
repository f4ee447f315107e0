// `npm run test:all release`: installs both packages from their tarballs in empty folders, with their dependencies from
// the npm registry, and uses them as a new user would. It takes minutes, so it is not part of `npm test`.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { packPackage } from '../../scripts/check-package.ts'
import { buildClientPackage, buildServicePackage } from '../../scripts/package.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { jbig2Scan, makePdf } from '../import/documents/pdf.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const directory = await makeTemporaryFolder({ after })
/** The paths of the tarballs, which `before` builds. */
const tarballs = { service: '', client: '' }

/** The PATH lacks the project's own programs, so that `npm`, `npx` and `node` are the programs of the machine. */
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

test('without OCR, the service takes at most 80 MB and runs as docs/operating.md says', async () => {
  const project = await makeFolder('without-ocr')
  const productionPage = await readFile(join(root, 'docs/operating.md'), 'utf8')
  // The page has a block of commands that begins with `npm init` and ends with `npx planning-registry serve` and flags.
  const [, commands = '', flags = ''] =
    /```sh\n(npm init [^`]*)npx planning-registry serve (.*)\n```/.exec(productionPage) ?? []
  const script = commands.replace(/\S+\.tgz/, tarballs.service)
  assert.notEqual(script, commands, 'the commands of the page install a tarball')
  await run('sh', ['-ec', script], { cwd: project, env: environment })
  await assertSize(project, { megabytesMax: 80 })
  await assertServes(project, flags.split(' '))
  const database = await importDocuments(project, ['npx', 'planning-registry'])
  assert.match(await search(project, database, 'edificabilidad'), /Plan Parcial/)
  // `ordenanza` is only in the scan, which is not read without OCR. So `search` finds nothing and exits with status 1.
  await assert.rejects(search(project, database, 'ordenanza'), { code: 1 })
})

test('with OCR, the service takes at most 200 MB and reads a scan', async () => {
  const project = await makeProject('with-ocr')
  await run('npm', ['install', tarballs.service], { cwd: project, env: environment })
  await assertSize(project, { megabytesMax: 200 })
  const database = await importDocuments(project, [process.execPath, commandOf(project)], '--ocr')
  assert.match(await search(project, database, 'edificabilidad'), /Plan Parcial/)
  assert.match(await search(project, database, 'ordenanza'), /Plan Parcial/)
})

/**
 * Checks the size on disk of the installed packages, which is larger than the sum of their files. The package `node`,
 * which is Node itself, is not counted.
 */
async function assertSize(project: string, { megabytesMax }: { readonly megabytesMax: number }): Promise<void> {
  const flags = ['--summarize', '--block-size=1000000', '--exclude=*/node_modules/node']
  const { stdout } = await run('du', [...flags, join(project, 'node_modules')])
  const megabytes = Number.parseInt(stdout, 10)
  assert.ok(megabytes <= megabytesMax, `${megabytes} MB`)
}

/**
 * Imports two documents of one record: a page of text with `edificabilidad`, and a scan with `ordenanza`. The scan is
 * in JBIG2, so that reading it needs one of the decoder files of pdfjs-dist. `command` runs planning-registry. Returns
 * the value of `--database`.
 */
async function importDocuments(project: string, command: readonly string[], ...flags: string[]): Promise<string> {
  const database = 'sqlite:documents.db'
  const rows = `id,code,title,municipality,checkin_date,document
1,05019-1,Plan Parcial,Ávila,2004-03-12,text.pdf;scan.pdf`
  await writeFile(join(project, 'records.csv'), rows)
  await mkdir(join(project, 'documents'))
  await writeFile(join(project, 'documents/text.pdf'), makePdf([{ lines: ['Normas de edificabilidad del sector'] }]))
  await writeFile(join(project, 'documents/scan.pdf'), makePdf([{ image: jbig2Scan }]))
  const [program = '', ...args] = command
  const importFlags = ['import', 'records.csv', '--documents', 'documents', '--database', database, ...flags]
  await run(program, [...args, ...importFlags], { cwd: project, env: environment })
  return database
}

/** What the command `search` prints. Rejects if it finds nothing. */
async function search(project: string, database: string, term: string): Promise<string> {
  const args = [commandOf(project), 'search', term, '--database', database]
  const { stdout } = await run(process.execPath, args, { cwd: project })
  return stdout
}

/** The path of the command that the package has installed. */
function commandOf(project: string): string {
  return join(project, 'node_modules/planning-registry/bin/planning-registry.js')
}

/** Starts the service with `npx`, and uses its search page, the client package and MCP (Model Context Protocol). */
async function assertServes(project: string, flags: readonly string[]): Promise<void> {
  // npx and the service have a process group of their own, as in a terminal, where Ctrl+C reaches both.
  const options = { cwd: project, env: environment, detached: true }
  const service = spawn('npx', ['planning-registry', 'serve', ...flags, '--port', '0', '--admin-port', '0'], options)
  try {
    const url = await readUrl(service)
    const searchPage = await fetch(`${url}/?search=plan`)
    // A title of the result has the word highlighted.
    assert.match(await searchPage.text(), /<mark>/)
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
    // The commands of docs/operating.md import a sample of 200 records.
    assert.equal(stdout.trim(), '200')
    assert.match(await initialiseMcp(project, url), /"serverInfo":\{"name":"planning-registry"/)
  } finally {
    assert.ok(service.pid)
    if (service.exitCode === null && service.signalCode === null) {
      process.kill(-service.pid, 'SIGINT')
      await once(service, 'close')
    }
  }
}

/** The address that `serve` prints when it listens. */
async function readUrl(service: ChildProcess): Promise<string> {
  assert.ok(service.stdout)
  for await (const line of createInterface(service.stdout)) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The service ended before it was listening')
}

/** Starts `planning-registry mcp`, sends it the first message of MCP, and returns the first line of the response. */
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

async function makeFolder(name: string): Promise<string> {
  const folder = join(directory, name)
  await mkdir(folder)
  return folder
}

/** A folder with an empty npm project. */
async function makeProject(name: string): Promise<string> {
  const project = await makeFolder(name)
  await writeFile(join(project, 'package.json'), '{"name":"fresh","private":true}')
  return project
}
