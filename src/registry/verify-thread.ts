// Worker thread that verifies a file (verifyInThread), while the service keeps answering or an import reads its records.
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { verifyFile } from './check.ts'

assert.ok(parentPort, 'runs in a worker thread')
/** Posts what the file says about itself or, as a text, what is wrong with it. */
function verify(path: string): unknown {
  try {
    return verifyFile(path)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
parentPort.postMessage(verify((workerData as { task: string }).task))
