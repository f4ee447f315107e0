// The guard against slow decay: a short part of the benchmark, ratios alone, in under two minutes. Fails where one has
// fallen more than a fifth below the committed results.
import type { Row } from './measure.ts'
import { openRegistry } from './registries.ts'
import { describeRow, readResults } from './report.ts'
import { benchRequests } from './requests.ts'

const records = 100_000
const work: readonly string[] = ['lookup by code', 'two words', 'word + municipality + year', 'hot answer']
const lossMax = 0.2

/** The exit status: 0 where every ratio holds. */
export async function guard(say: (text: string) => void): Promise<number> {
  const committed = readResults().requests?.rows ?? []
  const rows = await benchRequests(await openRegistry(records), { rounds: 3, seconds: 1 }, work)
  let fallen = 0
  for (const row of rows.filter((each) => each.contestant === 'planning-registry')) {
    const before = committed.find((each) => isSameWork(each, row))
    if (before?.ratio === undefined || row.ratio === undefined) {
      say(`${describeRow(row)} · nothing committed to compare with`)
      fallen++
      continue
    }
    const isFallen = row.ratio < before.ratio * (1 - lossMax)
    if (isFallen) fallen++
    const verdict = isFallen ? 'FALLEN' : 'holds'
    say(`${row.work}: ratio ${row.ratio.toFixed(2)}, committed ${before.ratio.toFixed(2)}: ${verdict}`)
  }
  return fallen === 0 ? 0 : 1
}

function isSameWork(a: Row, b: Row): boolean {
  return a.work === b.work && a.records === b.records && a.contestant === b.contestant
}
