// The memory of the processes that read documents.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bombPage, hugeImage, makePdf } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const mebibyte = 1024 * 1024

it('a worker stays within its memory limit, even if a document needs more, and does not affect others', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  const bomb = makePdf([bombPage(300 * mebibyte)])
  // The file itself is small. Its page needs the memory when it is inflated.
  assert.ok(bomb.length < 2 * mebibyte)
  await write('bomb.pdf', bomb)
  await write('image.pdf', makePdf([{ image: hugeImage() }]))
  await write('good.pdf', makePdf([{ lines: ['bueno'] }]))
  const workerBytesMax = 350 * mebibyte
  let isDone = false
  // `prepare` runs one worker at a time, so a document that blocked its worker would also block good.pdf.
  const preparing = prepare(['bomb.pdf', 'image.pdf', 'good.pdf'], {
    ocr: true,
    limits: { workerBytesMax },
  }).finally(() => {
    isDone = true
  })
  let peakBytes = 0
  while (!isDone) {
    peakBytes = Math.max(peakBytes, await readPeakBytes())
    await pause(1)
  }
  const texts = await preparing
  assert.equal(texts.reasonFor('bomb.pdf'), 'the document is too large to read in the memory allowed')
  assert.equal(texts.reasonFor('image.pdf'), 'page 1 is too large to read in the memory allowed')
  assert.equal(await texts.readFile('good.pdf'), 'bueno')
  assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 2, missing: 0 })
  assert.ok(peakBytes > workerBytesMax / 2, `${peakBytes} bytes at most: the documents are too small for this test`)
  assert.ok(peakBytes <= workerBytesMax, `${peakBytes} bytes of ${workerBytesMax}`)
})

/** Returns the largest peak of resident memory (VmHWM) of the workers, the child processes of this one. */
async function readPeakBytes(): Promise<number> {
  let peakBytes = 0
  // On Linux, the id of a process is also that of its main thread.
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'latin1')
  for (const id of children.split(' ').filter((text) => text !== '')) {
    const status = await readFile(`/proc/${id}/status`, 'latin1').catch(() => '')
    const kilobytes = /^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? '0'
    peakBytes = Math.max(peakBytes, Number(kilobytes) * 1024)
  }
  return peakBytes
}
