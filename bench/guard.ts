// Regression check: measures some workloads of the command `thresholds` (thresholds.ts) in about two minutes. The ratio
// is the CPU time per request of plain node:http, divided by ours. Fails if a measured ratio is more than 20 % below
// the one in bench/results.json, which is committed, or if either is missing.
import { ourName, type Row } from './measure.ts'
import { prepareRegistry } from './registries.ts'
import { readRuns } from './report.ts'
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
  const rows = await benchRequests(await prepareRegistry(records), { rounds: 3, seconds: 1 }, guardedWorkloads)
  let failures = 0
  for (const workload of guardedWorkloads) {
    const measured = findRatio(rows, workload)
    const committed = findRatio(committedRun?.rows ?? [], workload)
    if (measured === undefined || committed === undefined) {
      print(`${workload}: no ratio was measured, or none is committed`)
      failures++
      continue
    }
    const isRegression = measured < committed * (1 - lossMax)
    if (isRegression) failures++
    const verdict = isRegression ? 'REGRESSION' : 'ok'
    print(`${workload}: ratio ${measured.toFixed(2)}, committed ${committed.toFixed(2)}: ${verdict}`)
  }
  return failures === 0
}

/** Our ratio in the rows; undefined if there is none. */
function findRatio(rows: readonly Row[], workload: string): number | undefined {
  return rows.find((row) => row.workload === workload && row.contestant === ourName)?.ratio
}
