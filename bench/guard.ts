// Regression check of `npm run bench -- guard`, in about two minutes: measures some workloads of requests.ts. The ratio
// is the processor time of a request of plain node:http, divided by ours. Fails if a ratio is more than 20 % below that
// in results.json, which is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { ourName, toFigure } from './measure.ts'
import { prepareRegistry } from './registries.ts'
import { benchRequests } from './requests.ts'

const guardedWorkloads = ['cached', 'lookup by code', 'two words', 'word + municipality + year']
/** The share of the committed ratio that may be lost, because measurements vary. */
const lossMax = 0.2
const resultsPath = new URL('./results.json', import.meta.url)

/** Returns whether no ratio has regressed. With `write` the ratios become those to compare with. */
export async function checkRegressions(records: number, write: boolean): Promise<boolean> {
  const committed = JSON.parse(readFileSync(resultsPath, 'utf8')) as Readonly<Record<string, number>>
  const rows = await benchRequests(await prepareRegistry(records), { rounds: 3, seconds: 2 }, guardedWorkloads)
  const ratios = rows
    .filter(({ contestant }) => contestant === ourName)
    .map(({ workload, ratio = 0 }) => [workload, ratio] as const)
  let regressions = 0
  for (const [workload, ratio] of ratios) {
    const expected = committed[workload] ?? 0
    const isRegression = ratio < expected * (1 - lossMax)
    if (isRegression) regressions++
    const verdict = isRegression ? 'REGRESSION' : 'ok'
    process.stdout.write(`${workload}: ratio ${toFigure(ratio)}, committed ${toFigure(expected)}: ${verdict}\n`)
  }
  if (write) {
    const rounded = Object.fromEntries(ratios.map(([workload, ratio]) => [workload, Number(ratio.toPrecision(2))]))
    writeFileSync(resultsPath, `${JSON.stringify(rounded, null, 2)}\n`)
  }
  return write || regressions === 0
}
