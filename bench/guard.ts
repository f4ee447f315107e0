// The guard against slow decay: a short part of the bars in under two minutes. Fails where a ratio has fallen more than
// a fifth below the committed one.
import { ourName } from './measure.ts'
import { openRegistry } from './registries.ts'
import { describeRow, readRuns } from './report.ts'
import { benchRequests, cachedWork } from './requests.ts'

const records = 100_000
const kinds: readonly string[] = [cachedWork, 'lookup by code', 'two words', 'word + municipality + year']
const lossMax = 0.2

/** Returns whether every ratio holds. */
export async function guard(say: (text: string) => void): Promise<boolean> {
  const run = readRuns().find((each) => each.command === 'bars' && each.records === records)
  const rows = await benchRequests(await openRegistry(records), { rounds: 3, seconds: 1 }, kinds)
  let fallen = 0
  for (const row of rows.filter(({ contestant }) => contestant === ourName)) {
    const committed = run?.rows.find(({ work, contestant }) => work === row.work && contestant === ourName)
    if (committed?.ratio === undefined || row.ratio === undefined) {
      say(`${describeRow(row)} · no committed ratio to compare with`)
      fallen++
      continue
    }
    const isFallen = row.ratio < committed.ratio * (1 - lossMax)
    if (isFallen) fallen++
    const verdict = isFallen ? 'FALLEN' : 'holds'
    say(`${row.work}: ratio ${row.ratio.toFixed(2)}, committed ${committed.ratio.toFixed(2)}: ${verdict}`)
  }
  return fallen === 0
}
