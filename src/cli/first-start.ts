// Builds the default database from the bundled sample if it does not exist, so that `npm start` works in a fresh
// checkout. It builds no database that the user has named with `--database` or DATABASE_URL.
import { t } from '../language.ts'
import { storeExists } from '../registry/open.ts'
import type { Invocation } from './config.ts'
import { startProgress } from './progress.ts'

export async function buildIfMissing(invocation: Invocation): Promise<void> {
  const database = invocation.value('database') ?? ''
  const isNamedByUser = invocation.isGiven('database')
  if (isNamedByUser || (await storeExists(database))) return
  const { buildBundledSample } = await import('../sample/bundled.ts')
  process.stderr.write(`${t`No registry at ${database}: building one from the bundled sample of fictional records`}\n`)
  const progress = startProgress()
  const onProgress = (stage: string, done: number, total: number) => progress.report(stage, done, total)
  const { metadata } = await buildBundledSample(database, invocation.value('data-dir') ?? '', onProgress).finally(() =>
    progress.end(),
  )
  process.stderr.write(`${t`Built a fictional registry of ${metadata.records} records`}\n`)
}
