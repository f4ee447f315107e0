// Saves the latest run of each command and size in bench/results.json, writes tables of all runs to bench/results.md,
// and describes rows for the terminal.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { generatorName } from './load.ts'
import { meetsThreshold, ourName, type Row, thresholdValue } from './measure.ts'

const resultsPath: string = fileURLToPath(new URL('./results.json', import.meta.url))
const tablesPath: string = fileURLToPath(new URL('./results.md', import.meta.url))

/** The results of one command of `npm run bench`, such as `thresholds`, on a registry of one size. */
export interface Run {
  readonly command: string
  /** The size of the registry. */
  readonly records: number
  /** The arguments after `npm run bench --`, without `--write`. */
  readonly args: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
}

export function readRuns(): Run[] {
  return existsSync(resultsPath) ? (JSON.parse(readFileSync(resultsPath, 'utf8')) as Run[]) : []
}

/**
 * Saves the rows and writes the tables. The rows replace earlier ones of the same workload and contestant; rows that
 * `--only` has left out are kept.
 */
export function saveRun(command: string, records: number, rows: readonly Row[]): void {
  const runs = readRuns()
  const previous = runs.find((run) => isRunOf(run, command, records))
  const keptRows = (previous?.rows ?? []).filter((old) => !rows.some((row) => isSameMeasurement(row, old)))
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const { node, sqlite } = process.versions
  const run: Run = {
    command,
    records,
    args: process.argv
      .slice(2)
      .filter((word) => word !== '--write')
      .join(' '),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cores}, ${memory}, Node ${node}, SQLite ${sqlite}, load by ${generatorName}`,
    rows: [...rows, ...keptRows],
  }
  const others = runs.filter((each) => !isRunOf(each, command, records))
  const saved = [...others, run].toSorted(
    (a, b) => commandOrder.indexOf(a.command) - commandOrder.indexOf(b.command) || a.records - b.records,
  )
  writeFileSync(resultsPath, `${JSON.stringify(saved, null, 1)}\n`)
  writeTables()
}

function isRunOf(run: Run, command: string, records: number): boolean {
  return run.command === command && run.records === records
}

function isSameMeasurement(a: Row, b: Row): boolean {
  return a.workload === b.workload && a.contestant === b.contestant
}

/** For each command, the function that turns its runs into Markdown tables. In the order of bench/results.md. */
const tableMakers: Readonly<Record<string, (runs: readonly Run[]) => string>> = {
  thresholds: toThresholdTable,
  queries: toThresholdTable,
  peers: toPeerTables,
  postgres: toPairTables,
  large: toThresholdTable,
}
const commandOrder = Object.keys(tableMakers)

/** Writes bench/results.md. */
export function writeTables(): void {
  const runs = readRuns()
  const sections = Object.entries(tableMakers).flatMap(([command, toTables]) => {
    const commandRuns = runs.filter((run) => run.command === command)
    return commandRuns.length === 0
      ? []
      : [`## ${command}\n\n${commandRuns.map(describeRun).join('\n')}\n\n${toTables(commandRuns)}\n`]
  })
  writeFileSync(tablesPath, [tablesHead, ...sections].join('\n'))
}

const tablesHead = `# Results

The latest run of each benchmark, written by \`npm run bench -- tables\` from results.json, which also has the rates,
percentiles and spreads. Figures in bold miss their goal. [Performance](../docs/performance.md) says what they mean and
how they are measured.
`

/** The command line, the date and the machine, as an item of a Markdown list. */
function describeRun({ args, date, machine }: Run): string {
  return `- \`npm run bench -- ${args}\`, ${date}:\n  ${machine}`
}

/** Our values: one row per workload, one column per size of the registry. */
function toThresholdTable(runs: readonly Run[]): string {
  const workloads = new Set(runs.flatMap(({ rows }) => rows.filter(isOurs).map(({ workload }) => workload)))
  const lines = [...workloads].map((workload) => [
    workload,
    ...runs.map(({ rows }) => {
      const row = rows.find((each) => each.workload === workload && isOurs(each))
      return row === undefined ? '' : describeFigure(row)
    }),
  ])
  return toTable(['', ...runs.map(({ records }) => `${toThousands(records)} records`)], lines)
}

/**
 * Our search and the baseline side by side, one table per size. The ratio is from our row. In `queries` it is above
 * 1 if ours is better than FTS5: a faster query or build, or a smaller file. In `postgres` it is our time divided by
 * the time of `SELECT 1`, so lower is better.
 */
function toPairTables(runs: readonly Run[]): string {
  const tablesBySize = runs.map(({ records, rows }) => {
    const workloads = [...new Set(rows.map(({ workload }) => workload))]
    // Our rows come first. In `postgres` they have the name `PostgreSQL` instead of `ourName`.
    const [ourRowName = '', baselineName = ''] = new Set(rows.map(({ contestant }) => contestant))
    const lines = workloads.map((workload) => {
      const [ours, theirs] = [ourRowName, baselineName].map((name) =>
        rows.find((row) => row.workload === workload && row.contestant === name),
      )
      const cells = [ours, theirs].map((row) => (row === undefined ? '' : `${toFigure(row.median)} ${row.unit}`))
      const ratio = ours?.ratio === undefined ? '' : emphasiseMissed(ours, toFigure(ours.ratio))
      return [workload, ...cells, ratio]
    })
    return toTable([`${toThousands(records)} records`, ourRowName, baselineName, 'ratio'], lines)
  })
  return tablesBySize.join('\n\n')
}

/** How many times slower than ours each peer (another server) is: one table per size, one row per kind of query. */
function toPeerTables(runs: readonly Run[]): string {
  const tablesBySize = runs.map(({ records, rows }) => {
    // The workload of such a row is written as `two words, against Datasette` (peers.ts).
    const comparisons = rows.filter(isOurs).map((row) => {
      const [queryKind = '', peer = ''] = row.workload.split(', against ')
      return { row, queryKind, peer }
    })
    const peers = [...new Set(comparisons.map(({ peer }) => peer))]
    const queryKinds = [...new Set(comparisons.map(({ queryKind }) => queryKind))]
    const lines = queryKinds.map((queryKind) => [
      queryKind,
      ...peers.map((peer) => {
        const row = comparisons.find((each) => each.queryKind === queryKind && each.peer === peer)?.row
        return row === undefined ? '' : emphasiseMissed(row, describeRatio(row))
      }),
    ])
    return toTable([`${toThousands(records)} records, times slower`, ...peers], lines)
  })
  return tablesBySize.join('\n\n')
}

/** A Markdown table. */
function toTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function isOurs({ contestant }: Row): boolean {
  return contestant === ourName
}

/**
 * The value that the threshold limits, in bold if it misses the threshold, and the threshold: `0.85 (≥ 0.8)` or
 * `240 MB (≤ 250)`. Without a threshold, the median.
 */
function describeFigure(row: Row): string {
  if (row.threshold === undefined) return `${toFigure(row.median)} ${row.unit}`
  const value = toFigure(thresholdValue(row))
  const units = { ratio: '', median: ` ${row.unit}`, p99Ms: ' ms' }
  const unit = units[row.threshold.of ?? 'ratio']
  return `${emphasiseMissed(row, `${value}${unit}`)} (${describeThreshold(row)})`
}

/** The text, in bold if the row misses its threshold. */
function emphasiseMissed(row: Row, text: string): string {
  return meetsThreshold(row) === false ? `**${text}**` : text
}

/** `3.2`, or `more than 3.2` if the other program completed too few requests to be measured. */
function describeRatio({ ratio, isRatioLowerBound }: Row): string {
  return `${isRatioLowerBound ? 'more than ' : ''}${toFigure(ratio)}`
}

/** The row as one line for the terminal. */
export function describeRow(row: Row): string {
  const parts = [toThousands(row.records), row.workload, row.contestant, `${toFigure(row.median)} ${row.unit}`]
  if (row.cpuMicroseconds !== undefined) parts.push(`${toFigure(row.cpuMicroseconds)} µs CPU`)
  if (row.p99Ms !== undefined) parts.push(`p50 ${toFigure(row.p50Ms)} p99 ${toFigure(row.p99Ms)} ms`)
  if (row.ratio !== undefined) parts.push(`ratio ${describeRatio(row)}`)
  const isMet = meetsThreshold(row)
  if (isMet !== undefined) parts.push(`${describeThreshold(row)} ${isMet ? 'met' : 'NOT MET'}`)
  return parts.join(' · ')
}

/** For example `≥ 0.8` or `≤ 250`. Empty if the row has no threshold. */
function describeThreshold({ threshold }: Row): string {
  if (threshold === undefined) return ''
  const value = threshold.atLeast ?? threshold.atMost ?? Number.NaN
  return `${threshold.atLeast === undefined ? '≤' : '≥'} ${value >= 100 ? toThousands(value) : value}`
}

/** `0.85`, `12` or `1,234`: two significant digits below 100, else a whole number. A missing value is an empty text. */
function toFigure(value: number | undefined): string {
  if (value === undefined) return ''
  // From 99.5 on, two significant digits would round to 100, which `toPrecision` writes as `1.0e+2`.
  return value >= 99.5 ? toThousands(Math.round(value)) : value.toPrecision(2)
}

/** The number with commas: `1,000,000`. */
function toThousands(value: number): string {
  return value.toLocaleString('en')
}
