// Worker thread that verifies a file (verifyInThread), so that the service keeps answering meanwhile.
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { verifyFile } from './check.ts'

assert.ok(parentPort, 'runs in a worker thread')
let fault: string | null = null
try {
  verifyFile((workerData as { task: string }).task)
} catch (error) {
  fault = error instanceof Error ? error.message : String(error)
}
parentPort.postMessage(fault)
