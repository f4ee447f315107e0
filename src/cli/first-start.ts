// The first `npm start` in a fresh checkout: where the default database does not exist yet, it is built from the
// bundled sample. A database the user named is never created.

import { storeExists } from '../snapshot/open.ts'
import type { Invocation } from './config.ts'
import { startProgress } from './progress.ts'

export async function buildWhereMissing(invocation: Invocation): Promise<void> {
  const database = invocation.text('database') ?? ''
  if (invocation.isGiven('database') || (await storeExists(database))) return
  const { buildBundledSample } = await import('../sample/bundled.ts')
  process.stderr.write(`There is no registry at ${database} yet: building one from the bundled sample (fictional)\n`)
  const progress = startProgress()
  const onProgress = (stage: string, done: number, total: number) => progress.report(stage, done, total)
  const { facts } = await buildBundledSample(database, onProgress).finally(() => progress.end())
  process.stderr.write(`Built a fictional registry of ${facts.records} records\n`)
}
