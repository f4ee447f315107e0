// The pool of processes that read documents.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toLimits } from '../../../src/import/documents/limits.ts'
import { WorkerPool } from '../../../src/import/documents/worker-pool.ts'

it('closing the pool ends every request, running or waiting', async () => {
  const withOcr = false
  const ocrModels = undefined
  const pool = new WorkerPool(toLimits(withOcr, { workersMax: 1 }), ocrModels)
  // The pool is closed before its worker is ready, so the file is not read.
  const request = { path: '/dev/null', sha256: '', task: 'ocr', page: 1, letters: 0 } as const
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
