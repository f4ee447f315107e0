// The first `npm start` in a fresh checkout: where the default database does not exist yet, it is built from the
// bundled sample. A database the user named is never created.
import type { Invocation } from './config.ts'
import { storeExists } from './store/open.ts'

export async function buildWhereMissing(invocation: Invocation): Promise<void> {
  const database = invocation.text('database') ?? ''
  if (invocation.isGiven('database') || (await storeExists(database))) return
  const { buildBundledSample } = await import('./sample/bundled.ts')
  process.stderr.write(`There is no registry at ${database} yet: building one from the bundled sample (fictional)\n`)
  const { facts } = await buildBundledSample(database, showProgress)
  process.stderr.write(`Built a fictional registry of ${facts.records} records\n`)
}

let shownPercent = -1

/** A bar that is drawn over itself, on a terminal only. */
function showProgress(stage: string, done: number, total: number): void {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  if (!process.stderr.isTTY || percent === shownPercent) return
  shownPercent = percent
  const bar = '█'.repeat(percent / 5).padEnd(20, '░')
  process.stderr.write(`\r${bar} ${String(percent).padStart(3)} % ${stage}\x1b[K${percent === 100 ? '\n' : ''}`)
}
