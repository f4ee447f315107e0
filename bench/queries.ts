// The query itself, without a server around it: a page of ours, from the words as they were typed to its wire JSON,
// against SQLite with FTS5 used well for the same question. Both in this process, in turns.

import { analyseTerm } from '../src/analysis/analyser.ts'
import { foldCode } from '../src/domain/inscription-code.ts'
import type { Snapshot } from '../src/snapshot/contract.ts'
import { openStore } from '../src/snapshot/open.ts'
import { FtsQueries, openFtsFile } from './contestants/sqlite.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import { drawQuestions, pageRecords, type Question } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

/** Enough that a round seldom asks one twice. */
const questionsMax = 20_000

const turnSeconds = 0.1
const warmUpTurns = 10

export interface QueryOptions extends Rounds {
  readonly prefixIndex: boolean
  readonly rebuild: boolean
}

export async function benchQueries(registry: BenchRegistry, options: QueryOptions): Promise<Row[]> {
  const { records } = registry
  const file = await openFtsFile(registry, options)
  const store = await openStore(`sqlite:${registry.path}`)
  const fts = new FtsQueries(file.path)
  const theirName = options.prefixIndex ? "FTS5, prefix = '3 4 5 6'" : 'FTS5'
  const ours = (question: Question): Promise<string> => askOurs(store.current(), question)
  const theirs = async (question: Question): Promise<string> => fts.page(question)
  const rows: Row[] = []
  try {
    for (const { work, questions } of drawQuestions(registry, undefined, questionsMax)) {
      await reportAgreement(work, questions, ours, theirs)
      const costs = { ours: [] as number[], theirs: [] as number[] }
      // Short turns, so that a neighbour of the machine disturbs few of them. The first ones warm up.
      const turns = Math.ceil((options.rounds * options.seconds) / turnSeconds)
      for (let turn = -warmUpTurns; turn < turns; turn++) {
        const first = Math.floor((questions.length / turns) * Math.max(turn, 0))
        const our = await askFor(turnSeconds, questions, first, ours)
        const their = await askFor(turnSeconds, questions, first, theirs)
        if (turn < 0) continue
        costs.ours.push(our)
        costs.theirs.push(their)
      }
      const ratio = median(costs.theirs.map((cost, round) => cost / (costs.ours[round] ?? Number.NaN)))
      rows.push(toRow({ records, work, unit: 'µs', figures: costs.ours, ratio, bar: { atLeast: 1 } }))
      rows.push(toRow({ records, work, contestant: theirName, unit: 'µs', figures: costs.theirs }))
    }
  } finally {
    fts.close()
    await store.close()
  }
  // Ours through the whole command, from a CSV in any order; FTS5 from prepared records in canonical order.
  const build = { records, work: 'build (ours: whole import)', unit: 'records/s' }
  const ourRate = records / registry.build.seconds
  rows.push(toRow({ ...build, figures: [ourRate], ratio: ourRate / file.recordsPerSecond }))
  rows.push(toRow({ ...build, contestant: theirName, figures: [file.recordsPerSecond] }))
  const size = { records, work: 'file', unit: 'MB' }
  rows.push(toRow({ ...size, figures: [registry.bytes / 1e6], ratio: file.bytes / registry.bytes }))
  rows.push(toRow({ ...size, contestant: theirName, figures: [file.bytes / 1e6] }))
  return rows
}

export async function askOurs(snapshot: Snapshot, { code, search, municipality, year }: Question): Promise<string> {
  const page = await snapshot.page({
    code: code === undefined ? undefined : foldCode(code),
    term: search === undefined ? undefined : analyseTerm(search),
    municipality,
    year: year === undefined ? undefined : Number(year),
    limit: pageRecords,
  })
  return page?.text ?? ''
}

/** Returns the processor time a question, in microseconds. */
async function askFor(
  seconds: number,
  questions: readonly Question[],
  first: number,
  ask: (question: Question) => Promise<string>,
): Promise<number> {
  const end = performance.now() + seconds * 1000
  const cpuStart = process.cpuUsage()
  let asked = 0
  while (performance.now() < end) {
    const question = questions[(first + asked++) % questions.length]
    if (question !== undefined) await ask(question)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / asked
}

const questionsCompared = 200

/** Says how alike the two answer. They differ where ours knows stems, synonyms or other names of a municipality. */
async function reportAgreement(
  work: string,
  questions: readonly Question[],
  ours: (question: Question) => Promise<string>,
  theirs: (question: Question) => Promise<string>,
): Promise<void> {
  let same = 0
  let records = { ours: 0, theirs: 0 }
  for (const question of questions.slice(0, questionsCompared)) {
    const our = readIds(await ours(question))
    const their = readIds(await theirs(question))
    if (our.join() === their.join()) same++
    records = { ours: records.ours + our.length, theirs: records.theirs + their.length }
  }
  const share = Math.round((same / questionsCompared) * 100)
  const counts = `${records.ours} and ${records.theirs} records`
  process.stderr.write(`${work}: ${share} % of ${questionsCompared} pages are the same, ${counts}\n`)
}

function readIds(page: string): string[] {
  return (JSON.parse(`[${page}]`) as { id: string }[]).map(({ id }) => id)
}
