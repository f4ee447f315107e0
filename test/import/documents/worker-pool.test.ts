// The pool of processes that read documents.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { toLimits } from '../../../src/import/documents/limits.ts'
import { TextExtractor } from '../../../src/import/documents/text-extractor.ts'
import { WorkerPool } from '../../../src/import/documents/worker-pool.ts'

it('closing the pool ends every request, running or waiting', async () => {
  const withOcr = false
  const ocrModels = undefined
  const pool = new WorkerPool(toLimits(withOcr, { workersMax: 1 }), ocrModels)
  // The pool is closed before its worker is ready, so the file is not read.
  const request = { path: '/dev/null', sha256: '', task: 'ocr', pages: [] } as const
  const pageTimeoutMs = 1000
  /** Handles a message of a worker. Returns true, because false would end the request. */
  const onMessage = () => true
  // One request runs and four wait for its worker.
  const results = Array.from({ length: 5 }, () => pool.run(request, pageTimeoutMs, onMessage))
  await pool.close()
  assert.deepEqual(
    (await Promise.all(results)).map(({ kind }) => kind),
    Array.from({ length: 5 }, () => 'failed'),
  )
})

it('a file that has changed since its text was read is refused once per request, not once per page', async () => {
  // Decides only about the memory limit of a worker. No page is recognised here, because the file is refused.
  const withOcr = false
  const ocrModels = undefined
  const limits = toLimits(withOcr, { workersMax: 1 })
  const pool = new WorkerPool(limits, ocrModels)
  /** The task of each request to the pool. */
  const tasks: string[] = []
  const run = pool.run.bind(pool)
  pool.run = (request, ...others) => {
    tasks.push(request.task)
    return run(request, ...others)
  }
  const extractor = new TextExtractor(pool, limits, () => {})
  /** What was read of the file before it changed. */
  const text = {
    format: 'pdf',
    pageCount: 6,
    pages: ['a', 'b', 'c', '', '', ''],
    // The pages that may be scans.
    candidates: [1, 2, 3, 4, 5, 6],
    scans: 0,
    annotations: [],
    recognised: [],
    lost: [],
    omitted: [],
  } as const
  try {
    // A worker refuses a file whose content does not have the checksum of the request.
    const file = { path: fileURLToPath(import.meta.url), sha256: 'that of another content' }
    const { lost } = await extractor.addOcrText(file, text)
    // Six pages take two requests, which are both refused.
    assert.deepEqual(tasks, ['ocr', 'ocr'])
    assert.deepEqual(
      lost.map(({ firstPage, fault }) => [firstPage, fault.code]),
      [1, 2, 3, 4, 5, 6].map((page) => [page, 'fault.unreadable']),
    )
  } finally {
    await pool.close()
  }
})
