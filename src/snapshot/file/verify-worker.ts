// Worker thread that verifies a snapshot file, so that the service keeps answering meanwhile.
// sqlite/verify-thread.ts starts it and gets one message with the result.
import { parentPort, workerData } from 'node:worker_threads'
import { type Language, setLanguage } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { refuseDamaged } from './verify.ts'

export interface VerifyTask {
  readonly path: string
  /** Whether to verify every row and not only the structure of the file. */
  readonly verifyRows: boolean
  /** The language of the result. */
  readonly language: Language
}

/**
 * The fault for which the file is refused; null if it is valid. It is a plain object, because a message cannot carry an
 * instance of `StoreFault`.
 */
export type VerifyResult = { readonly message: string; readonly isTransient: boolean } | null

const { path, verifyRows, language } = (workerData as { task: VerifyTask }).task
setLanguage(language)
let result: VerifyResult = null
try {
  refuseDamaged(path, { verifyRows })
} catch (error) {
  result = {
    message: error instanceof Error ? error.message : String(error),
    isTransient: error instanceof StoreFault && error.isTransient,
  }
}
parentPort?.postMessage(result)
