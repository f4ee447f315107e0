// `npm run bench -- COMMAND [RECORDS] [FLAGS]` builds the registry where it is missing, measures, and prints each row.
// With `--write` the rows go to bench/results.json and the tables of docs/performance.md. See `usage` below.
import { parseArgs } from 'node:util'
import { benchBars } from './thresholds.ts'
import { guard } from './guard.ts'
import { benchLarge } from './large.ts'
import { meetsBar, type Row } from './measure.ts'
import { benchPeers } from './peers.ts'
import { benchPostgres } from './postgres.ts'
import { benchQueries } from './queries.ts'
import { openRegistry } from './registries.ts'
import { describeRow, saveRun, writeTables } from './report.ts'

const usage = `npm run bench -- COMMAND [RECORDS] [FLAGS]

  bars      speed and memory against their bars, ratios to bare node:http (100000)
  queries   each kind of question in process, against SQLite with FTS5 (100000)
  peers     the same questions over HTTP, against other services (100000)
  postgres  first pages from PostgreSQL, against SELECT 1 (100000)
  large     build, size, memory and first pages of one large registry (10000000)
  guard     a short part of bars; fails where a ratio fell by more than a fifth
  tables    writes the tables of docs/performance.md again

  --write          keep the rows in bench/results.json and write the tables
  --rounds NUMBER  rounds of each measurement (3)
  --seconds NUMBER seconds of each round (2)
  --only NAMES     some parts of bars (requests, fairness, memory, start, export, import) or some peers
  --rebuild        build the registry again, and the file of FTS5
  --prefix-index   queries: FTS5 with an index of prefixes
  --database URL   postgres: a server that is running
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    rebuild: { type: 'boolean', default: false },
    'prefix-index': { type: 'boolean', default: false },
    database: { type: 'string' },
  },
})
const { rebuild, database } = values
const rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const only = values.only?.split(',')
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

interface Command {
  readonly records: number
  run(records: number): Promise<Row[]>
}

const commands: Readonly<Record<string, Command>> = {
  bars: {
    records: 100_000,
    run: async (records) => benchBars(await openRegistry(records, rebuild), rounds, only),
  },
  queries: {
    records: 100_000,
    run: async (records) => {
      const options = { ...rounds, rebuild, prefixIndex: values['prefix-index'] }
      return benchQueries(await openRegistry(records, rebuild), options)
    },
  },
  peers: {
    records: 100_000,
    run: async (records) => benchPeers(await openRegistry(records, rebuild), rounds, only),
  },
  postgres: {
    records: 100_000,
    run: async (records) => benchPostgres(await openRegistry(records, rebuild), database),
  },
  large: {
    records: 10_000_000,
    run: async (records) => benchLarge(await openRegistry(records, rebuild), rounds),
  },
}

const [name = '', size] = positionals
const command = commands[name]
if (command !== undefined) {
  const records = size === undefined ? command.records : Number(size)
  if (!Number.isSafeInteger(records) || records < 1) throw new Error(`expected a number of records, got ${size}`)
  const rows = await command.run(records)
  for (const row of rows) say(describeRow(row))
  for (const row of rows.filter((each) => meetsBar(each) === false)) say(`BELOW ITS BAR: ${describeRow(row)}`)
  if (values.write) saveRun(name, records, rows)
} else if (name === 'guard') {
  process.exitCode = (await guard(say)) ? 0 : 1
} else if (name === 'tables') {
  writeTables()
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
