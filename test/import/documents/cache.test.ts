// The cache of documents: what the next import reuses, and what is cleaned up. Also the list of missing documents.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bombPage, makePdf } from './pdf.ts'
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
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', makePdf([{ lines: ['secreto'] }], { password: 'clave' }))
  const first = await prepare(['a.pdf'])
  const before = await readdir(join(cacheFolder, 'readings'), { recursive: true })
  // If the document were opened again, it would exceed this time limit, and the reason would be another one.
  const second = await prepare(['a.pdf'], { limits: { openTimeoutMs: 1 } })
  assert.equal(second.reasonFor('a.pdf'), first.reasonFor('a.pdf'))
  assert.deepEqual(await readdir(join(cacheFolder, 'readings'), { recursive: true }), before)
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

it('a damaged file of the cache counts as absent', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  await (await prepare(['a.pdf'])).close()
  const files = await readdir(cacheFolder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  // One in `readings`, the text of the document, and one in `references`, what is known about its file.
  assert.equal(paths.length, 2)
  const letterZ = 0x7a
  for (const damage of ['cut', 'emptied', 'altered']) {
    for (const path of paths) {
      const bytes = await readFile(path)
      if (damage === 'cut') await truncate(path, bytes.length - 1)
      else if (damage === 'emptied') await truncate(path, 0)
      else await writeFile(path, bytes.with(bytes.length - 1, letterZ))
    }
    const texts = await prepare(['a.pdf'])
    assert.equal(texts.pagesRead, 1, damage)
    assert.equal(await texts.readFile('a.pdf'), 'Plan Parcial')
  }
})

it('an import keeps its own texts while another one, with other documents, uses the same cache', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  const first = await prepare(['a.pdf', 'missing.pdf'])
  await write('a.pdf', makePdf([{ lines: ['Otro plan'] }]))
  await write('missing.pdf', plan)
  const second = await prepare(['a.pdf', 'missing.pdf'])
  assert.equal(await second.readFile('a.pdf'), 'Otro plan')
  assert.equal(await first.readFile('a.pdf'), 'Plan Parcial')
  assert.equal(await first.unreadReason('missing.pdf'), 'the file is missing')
  await second.close()
  assert.equal(await first.readFile('a.pdf'), 'Plan Parcial')
  // If somebody deletes a text during an import, the import fails.
  await rm(join(cacheFolder, 'readings'), { recursive: true })
  await assert.rejects(first.readFile('a.pdf'), { message: /changed during the import; .* with --document-cache$/ })
})

it('an import fails if the cache cannot be written', async (t) => {
  const { cacheFolder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  const fault = {
    name: 'DocumentFault',
    message: /^Cannot use \S+cache for the texts of the documents: (?:ENOTDIR|EEXIST): .*; choose .* --document-cache$/,
  }
  await writeFile(cacheFolder, 'a file where the folder should be')
  await assert.rejects(prepare(['a.pdf']), fault)
  await rm(cacheFolder)
  await mkdir(cacheFolder)
  await writeFile(join(cacheFolder, 'readings'), 'a file where the folder should be')
  await assert.rejects(prepare(['a.pdf']), fault)
})

it('an import that is killed leaves no worker, and its temporary files are deleted a day later', async (t) => {
  const { cacheFolder, folder, write, prepare } = await openWorkspace(t)
  await write('a.pdf', plan)
  // This document takes long to read, so that the import can be killed meanwhile.
  await write('long.pdf', makePdf([bombPage(50 * 1024 * 1024)]))
  // An unusual number, by which the workers are found: the limit is on their command line.
  const workerBytesMax = 3_987_654_321
  const module = new URL('../../../src/import/documents/documents.ts', import.meta.url).href
  const options = { folder, cacheFolder, withDownloads: false, allowHosts: [], ocr: false, limits: { workerBytesMax } }
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

  // `scratch` is the temporary folder of the import that was killed. An import in another container may still use such
  // a folder, so it stays until nothing was written to it for a day.
  const [scratch = '', ...others] = await readdir(join(cacheFolder, 'scratch'))
  assert.deepEqual(others, [])
  await write('long.pdf', makePdf([{ lines: ['corto'] }]))
  const texts = await prepare(['a.pdf', 'long.pdf'])
  assert.equal(texts.pagesRead, 1, 'a.pdf comes from the cache')
  assert.equal(await texts.readFile('a.pdf'), 'Plan Parcial')
  assert.equal(await texts.readFile('long.pdf'), 'corto')
  await texts.close()
  assert.deepEqual(await readdir(join(cacheFolder, 'scratch')), [scratch])
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(cacheFolder, 'scratch', scratch), yesterday, yesterday)
  await (await prepare([])).close()
  assert.deepEqual(await readdir(join(cacheFolder, 'scratch')), [])
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
