// `import --export DIR` (src/registry/stores/export.ts): the pointer and the file that a web server hands out.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../../src/registry/open.ts'
import { formatVersion } from '../../../src/registry/schema.ts'
import { exportRegistry } from '../../../src/registry/stores/export.ts'
import { describeFile } from '../../../src/registry/stores/registry-file.ts'
import { makeTemporaryFolder } from '../../cli/temporary-folder.ts'
import { runCommand } from '../../command.ts'
import { publishRecords } from '../../service.ts'
import { createStoredRegistry } from './fixture.ts'

interface ExportedPointer {
  readonly version: string
  readonly sha256: string
  readonly bytes: number
  readonly format: number
  readonly href: string
  readonly last_import: { readonly outcome: string; readonly records: number; readonly rejected: number } | null
}

async function readPointer(folder: string): Promise<ExportedPointer> {
  return JSON.parse(await readFile(join(folder, 'current.json'), 'utf8'))
}

/** A folder with a registry of one record for each code; `publish` replaces it. */
async function makeRegistry(t: TestContext) {
  const folder = await makeTemporaryFolder(t)
  const path = join(folder, 'registry.db')
  const target = join(folder, 'public')
  const publish = async (...codes: string[]): Promise<void> => {
    await publishRecords(
      `sqlite:${path}`,
      codes.map((code) => ({ code })),
    )
  }
  await publish('A-1')
  return { folder, path, target, publish }
}

const registryNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.db')).sort()

test('a file is described by its id, format, size and hash', async (t) => {
  const { path } = await makeRegistry(t)
  const bytes = await readFile(path)
  const store = await openStore(`sqlite:${path}`)
  t.after(() => store.close())
  assert.deepEqual(await describeFile(path), {
    version: store.current().metadata.id,
    format: formatVersion,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  await writeFile(path, 'x'.repeat(1000))
  await assert.rejects(describeFile(path), /it is not a planning registry/)
})

test('the pointer names a copy of the registry by its hash', async (t) => {
  const { path, target } = await makeRegistry(t)
  await exportRegistry(path, target, null)
  const { href, ...facts } = await readPointer(target)
  assert.deepEqual(facts, { ...(await describeFile(path)), last_import: null })
  assert.equal(href, `registry-${facts.sha256.slice(0, 16)}.db`)
  assert.deepEqual(await readFile(join(target, href)), await readFile(path))
})

test('the two newest files are kept, also if the newest has been exported before', async (t) => {
  const { folder, path, target, publish } = await makeRegistry(t)
  const exported: string[] = []
  for (const codes of [['A-1'], ['A-2'], ['A-3']]) {
    await publish(...codes)
    await exportRegistry(path, target, null)
    exported.push((await readPointer(target)).href)
  }
  assert.deepEqual(await registryNames(target), exported.slice(1).sort())
  // An older registry is restored: it is the newest export.
  const [, second = '', third = ''] = exported
  const restored = join(folder, 'restored.db')
  await writeFile(restored, await readFile(join(target, second)))
  await utimes(join(target, second), 0, 0)
  await exportRegistry(restored, target, null)
  assert.equal((await readPointer(target)).href, second)
  await publish('A-4')
  await exportRegistry(path, target, null)
  assert.deepEqual(await registryNames(target), [second, (await readPointer(target)).href].sort())
  assert.ok(!(await registryNames(target)).includes(third))
})

test('a download of an older file goes on to its end', async (t) => {
  const { path, target, publish } = await makeRegistry(t)
  await exportRegistry(path, target, null)
  const first = await readFile(path)
  const download = await open(join(target, (await readPointer(target)).href))
  t.after(() => download.close())
  const begun = Buffer.alloc(1000)
  await download.read(begun)
  for (const code of ['A-2', 'A-3']) {
    await publish(code)
    await exportRegistry(path, target, null)
  }
  assert.deepEqual(Buffer.concat([begun, await download.readFile()]), first)
})

test('an unchanged registry is not written again, but a damaged copy is', async (t) => {
  const { path, target } = await makeRegistry(t)
  await exportRegistry(path, target, null)
  const exported = join(target, (await readPointer(target)).href)
  const { ino } = await stat(exported)
  await exportRegistry(path, target, null)
  assert.equal((await stat(exported)).ino, ino)
  const file = await open(exported, 'r+')
  await file.write('damage', 5000)
  await file.close()
  await exportRegistry(path, target, null)
  assert.deepEqual(await readFile(exported), await readFile(path))
})

test('what a killed export has left is removed, and other files are not', async (t) => {
  const { path, target } = await makeRegistry(t)
  await exportRegistry(path, target, null)
  for (const name of ['registry-0123456789abcdef.db.writing', 'index.html', 'my-registry.db']) {
    await writeFile(join(target, name), '')
  }
  await exportRegistry(path, target, null)
  const { href } = await readPointer(target)
  assert.deepEqual((await readdir(target)).sort(), ['current.json', 'index.html', 'my-registry.db', href].sort())
})

const row = (code: string): string => `${code},E-${code},Plan,2004-05-17,Ávila\n`
const headings = 'code,id,title,checkin_date,municipality\n'

test('import --export writes both once the registry is in service, and the outcome of every import', async (t) => {
  const folder = await makeTemporaryFolder(t)
  const source = join(folder, 'records.csv')
  const target = join(folder, 'public')
  const database = `sqlite:${join(folder, 'registry.db')}`
  const run = (...flags: string[]) =>
    runCommand(['import', source, '--database', database, '--export', target, '--max-gone', '0', ...flags])
  await writeFile(source, headings + row('A-1') + row('A-2') + row('no code'))
  const first = await run('--max-rejects', '1')
  assert.equal(first.status, 0, first.stderr)
  const pointer = await readPointer(target)
  assert.partialDeepStrictEqual(pointer.last_import, { outcome: 'published', records: 2, rejected: 1 })
  assert.equal(pointer.sha256, (await describeFile(join(folder, 'registry.db'))).sha256)
  // Refused because a record is gone: the file stays, and followers see the outcome.
  await writeFile(source, headings + row('A-1'))
  assert.equal((await run()).status, 1)
  const afterwards = await readPointer(target)
  assert.partialDeepStrictEqual(afterwards, {
    sha256: pointer.sha256,
    last_import: { outcome: 'refused', rejected: 0 },
  })
  // A dry run leaves everything as it is.
  await writeFile(source, headings + row('A-1') + row('A-2') + row('A-3'))
  assert.equal((await run('--dry-run')).status, 0)
  assert.deepEqual(await readPointer(target), afterwards)
})

test('a registry on PostgreSQL is exported too, and its followers see the outcome of the last import', async (t) => {
  const folder = await makeTemporaryFolder(t)
  await using registry = await createStoredRegistry()
  const source = join(folder, 'records.csv')
  const target = join(folder, 'public')
  const places = ['--database', registry.url, '--data-dir', registry.dataDir, '--export', target]
  await writeFile(source, headings + row('A-1') + row('no code'))
  const { status, stderr } = await runCommand(['import', source, ...places, '--max-rejects', '1'])
  assert.equal(status, 0, stderr)
  const { href, sha256, last_import: lastImport } = await readPointer(target)
  assert.equal((await describeFile(join(target, href))).sha256, sha256)
  const rows = await registry.query('SELECT sha256, last_import FROM registry.manifest')
  assert.deepEqual(rows, [{ sha256, last_import: lastImport }])
  assert.partialDeepStrictEqual(lastImport, { outcome: 'published', records: 1, rejected: 1 })
})

test('an export that fails is reported, and the registry is in service', async (t) => {
  const folder = await makeTemporaryFolder(t)
  const source = join(folder, 'records.csv')
  await writeFile(source, headings + row('A-1'))
  const database = `sqlite:${join(folder, 'registry.db')}`
  const result = await runCommand(['import', source, '--database', database, '--export', source])
  assert.equal(result.status, 2)
  assert.match(result.stderr, /Cannot write to the folder of --export, .*; the records are in service in sqlite:/)
  await (await openStore(database)).close()
})
