// Verifies a snapshot file in a worker thread (../file/verify-worker.ts), so that the service keeps answering
// meanwhile.
import { currentLanguage, t } from '../../language.ts'
import { Thread } from '../../worker-thread.ts'
import { StoreFault } from '../contract.ts'
import type { VerifyResult, VerifyTask } from '../file/verify-worker.ts'

/**
 * Verifies every row (`verifyRows`), or only the structure of the file. Throws `StoreFault` if the file is damaged or
 * cannot be read, and if the thread fails, for example because no further thread is allowed.
 */
export async function verifyInThread(path: string, { verifyRows }: { readonly verifyRows: boolean }): Promise<void> {
  const task: VerifyTask = { path, verifyRows, language: currentLanguage() }
  const result = await runThread(task).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreFault(t`Cannot verify ${path}: ${reason}; check the limits on threads, files and memory`, {
      cause: error,
      isTransient: true,
    })
  })
  // Null means that the file is valid.
  if (result !== null) throw new StoreFault(result.message, { isTransient: result.isTransient })
}

async function runThread(task: VerifyTask): Promise<VerifyResult> {
  let result: VerifyResult | undefined
  const thread = new Thread<VerifyResult>(new URL('../file/verify-worker.ts', import.meta.url), task, (message) => {
    result = message
  })
  try {
    await thread.until(() => result !== undefined)
  } finally {
    await thread.stop()
  }
  // `null` is for the compiler: `until` has rejected if the thread ended without a result.
  return result ?? null
}
