// Entry point of `npm run bench`: builds the registry if it does not exist, measures, and prints a line for each value.
import { parseArgs } from 'node:util'
import { benchDocuments } from './documents.ts'
import { benchExport } from './export.ts'
import { checkRegressions } from './guard.ts'
import { benchImport } from './import.ts'
import { describeRow, type Rounds, type Row } from './measure.ts'
import { benchPassages } from './passages.ts'
import { benchPeers } from './peers.ts'
import { benchFairness, benchMemory, benchStart } from './process.ts'
import { benchQueries } from './queries.ts'
import { type BenchRegistry, prepareRegistry } from './registries.ts'
import { benchRequests } from './requests.ts'
import { benchSuggestions } from './suggestions.ts'

const usage = `npm run bench -- COMMAND [RECORDS] [FLAGS]

  guard      some requests against plain node:http; fails if a ratio is more than 20 % below the committed one
  peers      requests against PostgreSQL, OpenSearch and Datasette
  requests   each kind of request over HTTP, against plain node:http
  queries    each kind of query in process
  passages   pages of results with passages
  suggestions, fairness, memory, start, export, import
  documents  FOLDER [--ocr]: reading the PDFs of a folder

RECORDS is the size of the registry, 100000 by default.

  --only NAMES      kinds of requests, or names of peers, separated by commas
  --rounds NUMBER   rounds per measurement (3)
  --seconds NUMBER  seconds per round (2)
  --write           with guard: commit the measured ratios as those to compare with
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    ocr: { type: 'boolean', default: false },
  },
})
const rounds: Rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const only = values.only?.split(',')
const [command = '', operand = '100000'] = positionals

const parts: Readonly<Record<string, (registry: BenchRegistry, rounds: Rounds) => Promise<Row[]>>> = {
  requests: (registry) => benchRequests(registry, rounds, only),
  queries: benchQueries,
  passages: benchPassages,
  suggestions: benchSuggestions,
  fairness: benchFairness,
  memory: benchMemory,
  start: benchStart,
  export: benchExport,
  import: benchImport,
}
const part = parts[command]
if (part !== undefined) {
  for (const row of await part(await prepareRegistry(Number(operand)), rounds)) {
    process.stdout.write(`${describeRow(row)}\n`)
  }
} else if (command === 'guard') {
  process.exitCode = (await checkRegressions(Number(operand), values.write)) ? 0 : 1
} else if (command === 'peers') {
  await benchPeers(await prepareRegistry(Number(operand)), rounds, only)
} else if (command === 'documents' && positionals.length > 1) {
  await benchDocuments(operand, values.ocr)
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
