// A thread that reads a snapshot file to find damage, so that the service goes on answering meanwhile.
import { parentPort, workerData } from 'node:worker_threads'
import { refuseDamaged } from './verify.ts'

export interface VerifyTask {
  readonly path: string
  readonly isThorough: boolean
}

/** Why the file is refused; null where it is sound. */
export type VerifyResult = string | null

const { path, isThorough } = (workerData as { task: VerifyTask }).task
let result: VerifyResult = null
try {
  refuseDamaged(path, isThorough)
} catch (error) {
  result = error instanceof Error ? error.message : String(error)
}
parentPort?.postMessage(result)
