// Entry point of `npm run bench`: builds the registry if it does not exist, measures, and prints the results as rows.
// With `--write` it saves them in bench/results.json and updates the tables in bench/results.md. `usage` lists the
// commands.
import { parseArgs } from 'node:util'
import { checkRegressions } from './guard.ts'
import { benchLarge } from './large.ts'
import { meetsThreshold, type Rounds, type Row } from './measure.ts'
import { benchPeers } from './peers.ts'
import { benchQueries } from './queries.ts'
import { prepareRegistry } from './registries.ts'
import { describeRow, saveRun, writeTables } from './report.ts'
import { benchThresholds } from './thresholds.ts'

const usage = `npm run bench -- COMMAND [RECORDS] [FLAGS]

  thresholds  speed and memory against their thresholds, compared with plain node:http (100000)
  queries     each kind of query in process, without HTTP (100000)
  peers       the same queries over HTTP, compared with other servers (100000)
  large       build, size, memory and first pages of one large registry (10000000)
  guard       some thresholds; fails if a ratio is more than 20 % below the committed one
  tables      writes the tables in bench/results.md again

  --write          save the rows in bench/results.json and update the tables
  --rounds NUMBER  rounds per measurement (3)
  --seconds NUMBER seconds per round (2)
  --only NAMES     parts of thresholds (see thresholds.ts) or names of peers
  --rebuild        build the registry again
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    rebuild: { type: 'boolean', default: false },
  },
})
const { rebuild } = values
const rounds: Rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const only = values.only?.split(',')
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

interface Command {
  /** The size of the registry if the argument RECORDS is missing. */
  readonly recordsDefault: number
  run(records: number): Promise<Row[]>
}

/** The commands that take RECORDS, by name. `guard` and `tables` do not take it and are handled below. */
const commands: Readonly<Record<string, Command>> = {
  thresholds: {
    recordsDefault: 100_000,
    run: async (records) => benchThresholds(await prepareRegistry(records, rebuild), rounds, only),
  },
  queries: {
    recordsDefault: 100_000,
    run: async (records) => benchQueries(await prepareRegistry(records, rebuild), rounds),
  },
  peers: {
    recordsDefault: 100_000,
    run: async (records) => benchPeers(await prepareRegistry(records, rebuild), rounds, only),
  },
  large: {
    recordsDefault: 10_000_000,
    run: async (records) => benchLarge(await prepareRegistry(records, rebuild), rounds),
  },
}

const [name = '', recordsArgument] = positionals
const command = commands[name]
if (command !== undefined) {
  const records = recordsArgument === undefined ? command.recordsDefault : Number(recordsArgument)
  if (!Number.isSafeInteger(records) || records < 1) {
    throw new Error(`Expected a number of records, got ${recordsArgument}`)
  }
  const rows = await command.run(records)
  for (const row of rows) print(describeRow(row))
  const missed = rows.filter((row) => meetsThreshold(row) === false)
  for (const row of missed) print(`MISSED ITS THRESHOLD: ${describeRow(row)}`)
  if (values.write) saveRun(name, records, rows)
} else if (name === 'guard') {
  process.exitCode = (await checkRegressions(print)) ? 0 : 1
} else if (name === 'tables') {
  writeTables()
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
