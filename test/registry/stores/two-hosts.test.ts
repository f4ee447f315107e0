// Two hosts without a database (docs/operating.md): one imports and offers its file, others follow it in processes of
// their own and answer from their copies.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ServeProcess, serve } from '../../api/process.ts'
import { makeTemporaryFolder } from '../../cli/temporary-folder.ts'
import { runCommand } from '../../command.ts'
import { publishRecords } from '../../service.ts'
import { startWebStore } from './web-store.ts'

const headings = 'code,id,title,checkin_date,municipality\n'
const row = (code: string): string => `${code},E-${code},Plan Parcial,2004-05-17,Ávila\n`

/** A host that has imported a registry and offers it. */
async function startFirstHost(t: TestContext) {
  const folder = await makeTemporaryFolder(t)
  const database = `sqlite:${join(folder, 'registry.db')}`
  const importCodes = async (...codes: string[]): Promise<void> => {
    const source = join(folder, 'records.csv')
    await writeFile(source, headings + codes.map(row).join(''))
    const { status, stderr } = await runCommand(['import', source, '--database', database])
    assert.equal(status, 0, stderr)
  }
  await importCodes('A-1')
  const process = await start(t, ['--database', database, '--offer-file'])
  return { base: process.base, process, importCodes }
}

async function start(t: TestContext, flags: readonly string[]): Promise<ServeProcess> {
  const process = await serve(flags)
  t.after(() => process[Symbol.asyncDispose]())
  return process
}

async function readTotal(base: string): Promise<number> {
  const response = await fetch(`${base}/summary`)
  const body = await response.text()
  assert.equal(response.status, 200, body)
  return JSON.parse(body).total
}

/** Reads the total of each service again and again, without a pause, until it is as wanted everywhere. */
async function untilTotal(bases: readonly string[], wanted: number): Promise<void> {
  const readUntil = async (base: string): Promise<void> => {
    while ((await readTotal(base)) !== wanted);
  }
  await Promise.all(bases.map(readUntil))
}

test('two services follow a third: a new version is in service everywhere, and no request fails', async (t) => {
  const first = await startFirstHost(t)
  const bases: string[] = []
  for (const flags of [[], ['--workers', '2']]) {
    const dataDir = await makeTemporaryFolder(t)
    const follower = ['--database', first.base, '--data-dir', dataDir, '--poll-seconds', '1', ...flags]
    bases.push((await start(t, follower)).base)
  }
  await untilTotal(bases, 1)
  await Promise.all([first.importCodes('A-1', 'A-2'), untilTotal(bases, 2)])
  await Promise.all([first.importCodes('A-1', 'A-2', 'A-3'), untilTotal(bases, 3)])
  // A response is the same on every host, and so is its entity tag, once the last worker has switched.
  const expected = await readResponse(first.base)
  for (const base of bases) while ((await readResponse(base)) !== expected);
})

/** A response and its entity tag. */
async function readResponse(base: string): Promise<string> {
  const response = await fetch(`${base}/record?municipality=avila`)
  return `${response.status} ${response.headers.get('ETag')} ${await response.text()}`
}

test('a follower answers while the first host is away, also after a restart, and may offer its copy too', async (t) => {
  const first = await startFirstHost(t)
  const dataDir = await makeTemporaryFolder(t)
  const flags = ['--database', first.base, '--data-dir', dataDir, '--poll-seconds', '1', '--offer-file']
  const follower = await start(t, flags)
  first.process.child.kill('SIGKILL')
  await first.process.exit
  await readTotal(follower.base)
  follower.child.kill('SIGTERM')
  assert.equal(await follower.exit, 0)
  const again = await start(t, flags)
  assert.equal(await readTotal(again.base), 1)
  const third = await start(t, ['--database', again.base, '--data-dir', await makeTemporaryFolder(t)])
  assert.equal(await readTotal(third.base), 1)
})

test('search and check read a followed registry', async (t) => {
  const first = await startFirstHost(t)
  const flags = ['--database', first.base, '--data-dir', await makeTemporaryFolder(t)]
  const search = await runCommand(['search', 'parcial', '--json', ...flags])
  assert.equal(search.status, 0, search.stderr)
  assert.match(search.stdout, /E-A-1/)
  const sha256 = await readSha256(first.base)
  await first.importCodes('A-1', 'A-2')
  while ((await readSha256(first.base)) === sha256);
  const check = await runCommand(['check', ...flags])
  assert.equal(check.status, 0, check.stderr)
  assert.match(check.stdout, /records +2$/m)
})

/** The file that a service offers. */
async function readSha256(base: string): Promise<string> {
  const response = await fetch(`${base}/current.json`)
  const { sha256 } = (await response.json()) as { readonly sha256: string }
  return sha256
}

test('an exported folder on any web server is followed', async (t) => {
  const folder = await makeTemporaryFolder(t)
  const database = `sqlite:${join(folder, 'registry.db')}`
  const source = join(folder, 'records.csv')
  await writeFile(source, headings + row('A-1'))
  const exported = join(folder, 'public')
  const imported = await runCommand(['import', source, '--database', database, '--export', exported])
  assert.equal(imported.status, 0, imported.stderr)
  const pointer = JSON.parse(await readFile(join(exported, 'current.json'), 'utf8'))
  const web = await startWebStore(await readFile(join(exported, pointer.href)), { ...pointer, href: 'registry.db' })
  t.after(() => web[Symbol.asyncDispose]())
  const follower = await start(t, ['--database', web.address, '--data-dir', await makeTemporaryFolder(t)])
  assert.equal(await readTotal(follower.base), 1)
})

test('serve waits for a store that does not answer yet', async (t) => {
  const folder = await makeTemporaryFolder(t)
  const database = `sqlite:${join(folder, 'registry.db')}`
  await publishRecords(database, [{ code: 'A-1' }])
  const web = await startWebStore(await readFile(join(folder, 'registry.db')))
  t.after(() => web[Symbol.asyncDispose]())
  web.answerPointer = (_request, response, self) => {
    // The third request is answered.
    if (self.requests.length === 2) self.answerPointer = undefined
    response.writeHead(503).end()
  }
  const follower = await start(t, ['--database', web.address, '--data-dir', await makeTemporaryFolder(t)])
  assert.match(follower.output.stderr, /answers 503","msg":"waiting for the store/)
  assert.equal(await readTotal(follower.base), 1)
})

test('serve ends with the reason if the address is not secure, or there is no registry', async (t) => {
  const dataDir = await makeTemporaryFolder(t)
  const insecure = await runCommand(['serve', '--port', '0', '--database', 'http://192.0.2.1/r', '--data-dir', dataDir])
  assert.equal(insecure.status, 2)
  assert.match(insecure.stderr, /use https:\/\/, or --allow-insecure/)
  const web = await startWebStore(Buffer.from(''))
  t.after(() => web[Symbol.asyncDispose]())
  const missing = `${new URL(web.address).origin}/nothing`
  const absent = await runCommand(['serve', '--port', '0', '--database', missing, '--data-dir', dataDir])
  assert.equal(absent.status, 2)
  assert.match(absent.stderr, /current\.json: the server answers 404/)
})

test('import does not publish to a web server, and says what to do', async (t) => {
  const folder = await makeTemporaryFolder(t)
  const source = join(folder, 'records.csv')
  await writeFile(source, headings + row('A-1'))
  const { status, stderr } = await runCommand(['import', source, '--database', 'https://example.org/registry'])
  assert.equal(status, 2)
  assert.match(stderr, /a web server only hands a registry out; import with --export DIR and upload that folder/)
})
