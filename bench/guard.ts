// Regression check: measures some thresholds in under two minutes, and fails if a ratio is more than 20 % below the
// committed one, or if there is no committed one.
import { ourName } from './measure.ts'
import { openRegistry } from './registries.ts'
import { describeRow, readRuns } from './report.ts'
import { benchRequests, cachedWorkload } from './requests.ts'

/** The size of the registry. */
const records = 100_000
/** Names of workloads (requests.ts). */
const guardedWorkloads: readonly string[] = [
  cachedWorkload,
  'lookup by code',
  'two words',
  'word + municipality + year',
]

/** The share of the committed ratio that may be lost, because measurements vary. */
const lossMax = 0.2

/** Returns whether every ratio was compared and none has regressed. */
export async function checkRegressions(print: (text: string) => void): Promise<boolean> {
  const committedRun = readRuns().find((run) => run.command === 'thresholds' && run.records === records)
  const rows = await benchRequests(await openRegistry(records), { rounds: 3, seconds: 1 }, guardedWorkloads)
  let failures = 0
  for (const row of rows.filter(({ contestant }) => contestant === ourName)) {
    const committed = committedRun?.rows.find(
      ({ workload, contestant }) => workload === row.workload && contestant === ourName,
    )
    if (committed?.ratio === undefined || row.ratio === undefined) {
      print(`${describeRow(row)} · no committed ratio to compare with`)
      failures++
      continue
    }
    const isRegression = row.ratio < committed.ratio * (1 - lossMax)
    if (isRegression) failures++
    const verdict = isRegression ? 'REGRESSION' : 'ok'
    print(`${row.workload}: ratio ${row.ratio.toFixed(2)}, committed ${committed.ratio.toFixed(2)}: ${verdict}`)
  }
  return failures === 0
}
