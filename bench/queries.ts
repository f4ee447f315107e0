// The query itself, without a server around it: a page of ours from the parsed question to its text, against the calls
// of SQLite with FTS5 for the same question. Both in this process, in turns.
import { parseAsked, recordParameters } from '../src/api/parse.ts'
import { Problem } from '../src/api/problems.ts'
import { openSqliteStore } from '../src/store/sqlite/store.ts'
import { openPlainDatabase, PlainQueries } from './contestants/sqlite.ts'
import { median, type Rounds, type Row } from './measure.ts'
import { drawPeerWork, type PeerQuestion } from './peer-work.ts'
import type { BenchRegistry } from './registries.ts'

interface Asked {
  readonly queries: number
  readonly seconds: number
  readonly cpuSeconds: number
}

export async function benchQueries(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const store = await openSqliteStore(registry.path)
  const plain = new PlainQueries(await openPlainDatabase(registry))
  const ours = async ({ path }: PeerQuestion): Promise<void> => {
    const [address = '', query = ''] = path.split('?')
    const [, code] = address.split('/')
    const asked = parseAsked(query, recordParameters, code)
    if (asked instanceof Problem) throw new Error(`${path}: ${asked.detail}`)
    const answer = store.current().page({ ...asked.query, limit: asked.query.limit ?? 1 })
    if (answer instanceof Promise) await answer
  }
  const contestants = [
    { name: 'planning-registry', ask: ours },
    { name: 'SQLite with FTS5, its calls alone', ask: async (question: PeerQuestion) => void plain.ask(question) },
  ]
  try {
    const rows: Row[] = []
    for (const { work, questions } of await drawPeerWork(registry)) {
      const results = contestants.map((): Asked[] => [])
      for (let round = -1; round < rounds.rounds; round++) {
        for (const [index, { ask }] of contestants.entries()) {
          const asked = await askFor(rounds.seconds, questions, ask)
          // The first round warms up and does not count.
          if (round >= 0) results[index]?.push(asked)
        }
      }
      for (const [index, { name }] of contestants.entries()) {
        rows.push(toRow(registry.records, `${work}, the query alone`, name, results[index] ?? [], results[1] ?? []))
      }
    }
    return rows
  } finally {
    plain.close()
    await store.close()
  }
}

async function askFor(
  seconds: number,
  questions: readonly PeerQuestion[],
  ask: (question: PeerQuestion) => Promise<void>,
): Promise<Asked> {
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  let queries = 0
  while (performance.now() - start < seconds * 1000) {
    const question = questions[queries++ % questions.length]
    if (question !== undefined) await ask(question)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return { queries, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}

function toRow(
  records: number,
  work: string,
  contestant: string,
  asked: readonly Asked[],
  reference: readonly Asked[],
): Row {
  const rates = asked.map(({ queries, seconds }) => queries / seconds)
  const costs = asked.map(costOf)
  const ratios = reference.map((each, round) => costOf(each) / (costs[round] ?? Number.NaN))
  return {
    records,
    work,
    contestant,
    median: median(rates),
    least: Math.min(...rates),
    most: Math.max(...rates),
    unit: 'queries/s',
    cpuMicroseconds: median(costs),
    ...(asked === reference ? {} : { ratio: median(ratios), bar: { atLeast: 1 } }),
  }
}

/** Microseconds of processor time a query. */
function costOf({ queries, cpuSeconds }: Asked): number {
  return (cpuSeconds / queries) * 1e6
}
