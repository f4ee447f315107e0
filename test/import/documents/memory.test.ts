// The memory of the processes that read documents.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bombPage, hugeImage, makePdf } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const mebibyte = 1024 * 1024

it('a worker stays within its memory limit, even if a document needs more', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('bomb.pdf', makePdf([bombPage(300 * mebibyte)]))
  await write('image.pdf', makePdf([{ image: hugeImage() }]))
  // An unusual number, by which the workers are found: the limit is on their command line.
  const workerBytesMax = 350 * mebibyte + 4_321
  let isDone = false
  const preparing = prepare(['bomb.pdf', 'image.pdf'], {
    ocr: true,
    limits: { workerBytesMax, workersMax: 1 },
  }).finally(() => {
    isDone = true
  })
  let peakBytes = 0
  while (!isDone) {
    peakBytes = Math.max(peakBytes, await readPeakBytes(String(workerBytesMax)))
    await pause(10)
  }
  const texts = await preparing
  assert.equal(texts.reasonFor('bomb.pdf'), 'the document is too large to read in the memory allowed')
  assert.equal(texts.reasonFor('image.pdf'), 'page 1 is too large to read in the memory allowed')
  assert.ok(peakBytes > workerBytesMax / 2, `${peakBytes} bytes at most: the documents are too small for this test`)
  assert.ok(peakBytes <= workerBytesMax, `${peakBytes} bytes of ${workerBytesMax}`)
})

/** Returns the largest peak of resident memory (VmHWM) of the processes with the word on their command line. */
async function readPeakBytes(word: string): Promise<number> {
  let peakBytes = 0
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')
    if (!line.split('\0').includes(word)) continue
    const status = await readFile(`/proc/${id}/status`, 'latin1').catch(() => '')
    const kilobytes = /^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? '0'
    peakBytes = Math.max(peakBytes, Number(kilobytes) * 1024)
  }
  return peakBytes
}
