// The cache of documents: what the next import reuses, and what it forgets. Also the list of missing documents.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bombPage, encryptedPdfs, makePdf } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const plan = makePdf([{ lines: ['Plan Parcial'] }])

it('the next import reads only what is new, by content and not by name', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  assert.equal((await prepare(['a.pdf'])).pagesRead, 1)
  await write('renamed.pdf', plan)
  await write('new.pdf', makePdf([{ lines: ['nuevo'] }]))
  const texts = await prepare(['a.pdf', 'renamed.pdf', 'new.pdf'])
  assert.equal(texts.pagesRead, 1, 'only new.pdf is read')
  assert.equal(await texts.readFile('renamed.pdf'), 'Plan Parcial')
})

it('a document with unreadable content is not tried again, and the reason is kept', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('a.pdf', encryptedPdfs.closed)
  const first = await prepare(['a.pdf'])
  // If the document were opened again, it would exceed this time limit, and the reason would be another one.
  const second = await prepare(['a.pdf'], { limits: { openTimeoutMs: 1 } })
  assert.equal(second.reasonFor('a.pdf'), first.reasonFor('a.pdf'))
})

it('the next import notices that a document was replaced or removed', async (t) => {
  const { folder, write, prepare } = await openWorkspace(t)
  const old = new Date('2001-01-01')
  await write('removed.pdf', plan)
  await write('a.pdf', makePdf([{ lines: ['antes'] }]))
  await utimes(join(folder, 'a.pdf'), old, old)
  assert.equal((await prepare(['a.pdf', 'removed.pdf'])).outcomes.text, 2)
  // The new file has the modification time of the old one.
  await write('a.pdf', makePdf([{ lines: ['ahora'] }]))
  await utimes(join(folder, 'a.pdf'), old, old)
  await rm(join(folder, 'removed.pdf'))
  const texts = await prepare(['a.pdf', 'removed.pdf'])
  assert.equal(await texts.readFile('a.pdf'), 'ahora')
  assert.equal(texts.outcomes.missing, 1)
  assert.equal(await texts.readFile('removed.pdf'), '')
})

it('a damaged cache is discarded with a warning, and a damaged text is read again', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  const path = join(cacheFolder, 'texts.db')
  await write('a.pdf', plan)
  const first = await prepare(['a.pdf'])
  first.close()
  const zeros = (bytes: Buffer): Buffer => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096)])
  const damages = [
    { name: 'cut', damage: () => truncate(path, 5_000), warnings: 1 },
    { name: 'another file', damage: () => writeFile(path, 'not a database'.repeat(1_000)), warnings: 1 },
    { name: 'zeros', damage: async () => writeFile(path, zeros(await readFile(path))), warnings: 1 },
    { name: 'emptied', damage: () => truncate(path, 0), warnings: 0 },
    { name: 'another text', damage: async () => changeText(path), warnings: 0 },
  ]
  for (const { name, damage, warnings } of damages) {
    await damage()
    const texts = await prepare(['a.pdf'])
    assert.equal(texts.pagesRead, 1, name)
    assert.equal(await texts.readFile('a.pdf'), 'Plan Parcial')
    assert.equal(texts.warnings.length, warnings, name)
    for (const warning of texts.warnings) assert.match(warning, /texts\.db were damaged and have been discarded/)
    texts.close()
  }
})

/** Changes the last byte of every text. */
function changeText(path: string): void {
  using database = new DatabaseSync(path)
  database.exec("UPDATE text SET text = CAST(substr(text, 1, length(text) - 1) || x'FF' AS BLOB)")
}

it('texts that no record refers to are forgotten, unless another registry does', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  // Enough text to be seen in the size of the file.
  const pages = Array.from({ length: 30 }, (_, page) => ({
    lines: Array.from({ length: 40 }, (_, line) => String(Math.sin(40 * page + line))),
  }))
  await write('a.pdf', plan)
  await write('long.pdf', makePdf(pages))
  const size = async (): Promise<number> => (await stat(join(cacheFolder, 'texts.db'))).size
  const readPages = async (names: readonly string[], registry: string, isInService = true): Promise<number> => {
    const texts = await prepare(names, { registry })
    if (isInService) texts.forgetUnused()
    texts.close()
    return texts.pagesRead
  }
  assert.equal(await readPages(['a.pdf', 'long.pdf'], 'one'), 31)
  assert.equal(await readPages(['long.pdf'], 'two'), 0)
  const fullSize = await size()
  assert.equal(await readPages(['a.pdf'], 'one'), 0)
  assert.ok((await size()) >= fullSize, 'registry two refers to long.pdf')
  assert.equal(await readPages(['a.pdf'], 'two', false), 0)
  assert.equal(await readPages(['long.pdf'], 'two'), 0, 'the import before did not publish')
  assert.equal(await readPages(['a.pdf'], 'two'), 0)
  assert.ok((await size()) < fullSize)
  assert.equal(await readPages(['a.pdf', 'long.pdf'], 'one'), 30)
})

it('texts of an older version of the extractor are forgotten', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  const first = await prepare(['a.pdf'])
  first.close()
  const database = new DatabaseSync(join(cacheFolder, 'texts.db'))
  database.exec('PRAGMA user_version = 3')
  database.close()
  const second = await prepare(['a.pdf'])
  assert.equal(second.pagesRead, 1)
})

it('an import keeps its own texts while another one, of another registry, uses the same cache', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  const first = await prepare(['a.pdf', 'missing.pdf'])
  await write('a.pdf', makePdf([{ lines: ['Otro plan'] }]))
  await write('missing.pdf', plan)
  const second = await prepare(['a.pdf', 'missing.pdf'], { registry: 'other' })
  assert.equal(await second.readFile('a.pdf'), 'Otro plan')
  assert.equal(await first.readFile('a.pdf'), 'Plan Parcial')
  assert.equal(await first.unreadReason('missing.pdf'), 'the file is missing')
  second.forgetUnused()
  second.close()
  assert.equal(await first.readFile('a.pdf'), 'Plan Parcial')
  // If somebody deletes a text during an import, the import fails.
  using database = new DatabaseSync(join(cacheFolder, 'texts.db'))
  database.exec('DELETE FROM text')
  await assert.rejects(first.readFile('a.pdf'), { message: /changed during the import; .* with --document-cache$/ })
})

it('an import fails if the cache cannot be written', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  const fault = {
    name: 'DocumentFault',
    message: /^Cannot use \S+cache for the texts of the documents: .*; choose .* --document-cache$/,
  }
  await writeFile(cacheFolder, 'a file where the folder should be')
  await assert.rejects(prepare(['a.pdf']), fault)
  await rm(cacheFolder)
  await mkdir(join(cacheFolder, 'texts.db'), { recursive: true })
  await assert.rejects(prepare(['a.pdf']), fault)
})

it('an import that is killed leaves no worker, and what it has read stays in the cache', async (t) => {
  const { cacheFolder, folder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  // This document takes long to read, so that the import can be killed meanwhile.
  await write('long.pdf', makePdf([bombPage(50 * 1024 * 1024)]))
  // An unusual number, by which the workers are found: the limit is on their command line.
  const workerBytesMax = 3_987_654_321
  const module = new URL('../../../src/import/documents/documents.ts', import.meta.url).href
  const limits = { workerBytesMax }
  const options = { folder, cacheFolder, registry: 'test', withDownloads: false, allowHosts: [], ocr: false, limits }
  const source = `
    import { prepareDocuments } from ${JSON.stringify(module)}
    await prepareDocuments(['a.pdf', 'long.pdf'].map((name) => ({ kind: 'file', name })), {
      ...${JSON.stringify(options)},
      onProgress: ({ references }) => references > 0 && console.log('a.pdf is done'),
    })`
  const importProcess = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(importProcess.stdout, 'data')
  assert.notEqual((await findProcessesWith(String(workerBytesMax))).length, 0)
  importProcess.kill('SIGKILL')
  await once(importProcess, 'exit')
  while ((await findProcessesWith(String(workerBytesMax))).length > 0) await pause(10)

  await write('long.pdf', makePdf([{ lines: ['corto'] }]))
  const texts = await prepare(['a.pdf', 'long.pdf'])
  assert.equal(texts.pagesRead, 1, 'a.pdf comes from the cache')
  assert.equal(await texts.readFile('a.pdf'), 'Plan Parcial')
  assert.equal(await texts.readFile('long.pdf'), 'corto')
})

it('the first 1,000 missing documents are listed, in the order of the references', async (t) => {
  const { prepare } = await openWorkspace(t)
  // While the documents are read, the list is cut to 1,000 each time it reaches 2,000. The last 100 come after that.
  const names = Array.from({ length: 2_100 }, (_, number) => `${number}.pdf`)
  const texts = await prepare(names)
  assert.equal(texts.problemCount, 2_100)
  assert.equal(texts.outcomes.missing, 2_100)
  assert.deepEqual(
    texts.problems.map((problem) => problem.document),
    names.slice(0, 1_000),
  )
})

/** Returns the ids of processes with the word on their command line. */
async function findProcessesWith(word: string): Promise<string[]> {
  const found: string[] = []
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')
    if (line.split('\0').includes(word)) found.push(id)
  }
  return found
}
