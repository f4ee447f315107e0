// Worker thread that verifies a snapshot file, so that the service keeps answering meanwhile.
import { parentPort, workerData } from 'node:worker_threads'
import { type Language, setLanguage } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { refuseDamaged } from './verify.ts'

export interface VerifyTask {
  readonly path: string
  /** Verify every row and not only the structure of the file. */
  readonly verifyRows: boolean
  /** The language of the result. */
  readonly language: Language
}

/** Why the file is refused, as in `StoreFault`; null if it is valid. */
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
