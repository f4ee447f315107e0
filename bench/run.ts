// `npm run bench`: builds what is missing, measures, and writes bench/results.json and the tables of
// docs/performance.md. `npm run bench -- guard` repeats a short part and fails where a ratio has fallen;
// `-- requests`, `-- queries`, `-- export`, `-- process`, `-- import`, `-- peers`, `-- postgres` run one part alone.
import { parseArgs } from 'node:util'
import { benchExport } from './export.ts'
import { guard } from './guard.ts'
import { benchImport } from './import.ts'
import { meetsBar, type Row } from './measure.ts'
import { benchPeers } from './peers.ts'
import { benchPostgres } from './postgres.ts'
import { benchProcess } from './process.ts'
import { benchQueries } from './queries.ts'
import { openRegistry } from './registries.ts'
import { describeRow, publishRows } from './report.ts'
import { benchRequests } from './requests.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
})
const rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const sizes = values.sizes.split(',').map(Number)
const largest = Math.max(...sizes)
const smallest = Math.min(...sizes)
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  requests: async () => {
    const rows: Row[] = []
    for (const size of sizes) rows.push(...(await benchRequests(await openRegistry(size), rounds)))
    return rows
  },
  queries: async () => {
    const rows: Row[] = []
    for (const size of sizes) rows.push(...(await benchQueries(await openRegistry(size), rounds)))
    return rows
  },
  export: async () => benchExport(await openRegistry(largest), rounds),
  process: async () => benchProcess(await openRegistry(largest), rounds),
  import: () => benchImport(largest, rounds),
  peers: async () => benchPeers(await openRegistry(smallest), rounds),
  postgres: () => benchPostgres(largest),
}

if (positionals[0] === 'guard') {
  process.exitCode = await guard(say)
} else {
  const chosen = positionals.length === 0 ? Object.keys(parts) : positionals
  for (const name of chosen) {
    const part = parts[name]
    if (part === undefined) throw new Error(`no such part: ${name}; there are guard, ${Object.keys(parts).join(', ')}`)
    const rows = await part()
    for (const row of rows) say(describeRow(row))
    publishRows(name, rows)
    for (const row of rows.filter((each) => meetsBar(each) === false)) say(`BELOW ITS BAR: ${describeRow(row)}`)
  }
}
