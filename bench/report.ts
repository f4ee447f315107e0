// Saves the latest run of each command and size in bench/results.json, and writes tables of all runs between the
// markers in docs/performance.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { generator } from './load.ts'
import { meetsThreshold, ourName, type Row, thresholdValue } from './measure.ts'

const resultsFile: string = fileURLToPath(new URL('./results.json', import.meta.url))
const document: string = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

export interface Run {
  readonly command: string
  readonly records: number
  /** The arguments after `npm run bench --`. */
  readonly args: string
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
}

export function readRuns(): Run[] {
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Run[]) : []
}

/** Replaces rows of the same workload and contestant, and keeps the rows of parts that were not run. */
export function saveRun(command: string, records: number, rows: readonly Row[]): void {
  const runs = readRuns()
  const before = runs.find((run) => isSame(run, command, records))
  const kept = (before?.rows ?? []).filter((old) => !rows.some((row) => isSameWorkload(row, old)))
  const model = cpus()[0]?.model.trim()
  const run: Run = {
    command,
    records,
    args: process.argv
      .slice(2)
      .filter((word) => word !== '--write')
      .join(' '),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, SQLite ${process.versions.sqlite}, load by ${generator}`,
    rows: [...rows, ...kept],
  }
  const others = runs.filter((each) => !isSame(each, command, records))
  const saved = [...others, run].toSorted(
    (a, b) => commandOrder.indexOf(a.command) - commandOrder.indexOf(b.command) || a.records - b.records,
  )
  writeFileSync(resultsFile, `${JSON.stringify(saved, null, 1)}\n`)
  writeTables()
}

function isSame(run: Run, command: string, records: number): boolean {
  return run.command === command && run.records === records
}

function isSameWorkload(a: Row, b: Row): boolean {
  return a.workload === b.workload && a.contestant === b.contestant
}

const tables: Readonly<Record<string, (runs: readonly Run[]) => string>> = {
  thresholds: toThresholdTable,
  queries: toPairTables,
  peers: toPeerTables,
  postgres: toPairTables,
  large: toThresholdTable,
}
const commandOrder = Object.keys(tables)

/** Replaces the text between the markers. */
export function writeTables(): void {
  const runs = readRuns()
  const sections = Object.entries(tables).flatMap(([command, toTables]) => {
    const commandRuns = runs.filter((run) => run.command === command)
    return commandRuns.length === 0
      ? []
      : [`### ${command}\n\n${commandRuns.map(describeRun).join('\n')}\n\n${toTables(commandRuns)}`]
  })
  const text = readFileSync(document, 'utf8')
  const begin = '<!-- results -->'
  const end = '<!-- end of results -->'
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  const after = text.slice(text.indexOf(end))
  writeFileSync(document, `${before}\n\n${sections.map((section) => `${section}\n\n`).join('')}${after}`)
}

function describeRun({ args, date, machine }: Run): string {
  return `- \`npm run bench -- ${args}\`, ${date}:\n  ${machine}`
}

/** One row per workload, one column per size. */
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

/** Our service and the baseline side by side, one table per size. */
function toPairTables(runs: readonly Run[]): string {
  const each = runs.map(({ records, rows }) => {
    const workloads = [...new Set(rows.map(({ workload }) => workload))]
    const [first = '', second = ''] = new Set(rows.map(({ contestant }) => contestant))
    const lines = workloads.map((workload) => {
      const [a, b] = [first, second].map((name) =>
        rows.find((row) => row.workload === workload && row.contestant === name),
      )
      const cells = [a, b].map((row) => (row === undefined ? '' : `${toFigure(row.median)} ${row.unit}`))
      return [workload, ...cells, a?.ratio === undefined ? '' : emphasiseMissed(a, toFigure(a.ratio))]
    })
    return toTable([`${toThousands(records)} records`, first, second, 'ratio'], lines)
  })
  return each.join('\n\n')
}

/** How many times slower each peer is, one table per size. */
function toPeerTables(runs: readonly Run[]): string {
  const each = runs.map(({ records, rows }) => {
    const ours = rows.filter(isOurs).map((row) => ({ row, parts: row.workload.split(', against ') }))
    const peers = [...new Set(ours.map(({ parts }) => parts[1] ?? ''))]
    const lines = [...new Set(ours.map(({ parts }) => parts[0] ?? ''))].map((workload) => [
      workload,
      ...peers.map((peer) => {
        const row = ours.find(({ parts }) => parts[0] === workload && parts[1] === peer)?.row
        return row === undefined ? '' : emphasiseMissed(row, describeRatio(row))
      }),
    ])
    return toTable([`${toThousands(records)} records, times slower`, ...peers], lines)
  })
  return each.join('\n\n')
}

function toTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rows = [head, head.map(() => '---'), ...lines]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function isOurs({ contestant }: Row): boolean {
  return contestant === ourName
}

/** For example `0.85 (≥ 0.8)` or `240 MB (≤ 250)`, in bold if it misses its threshold. */
function describeFigure(row: Row): string {
  if (row.threshold === undefined) return `${toFigure(row.median)} ${row.unit}`
  const value = toFigure(thresholdValue(row))
  const unit = row.threshold.of === 'median' ? ` ${row.unit}` : row.threshold.of === 'p99Ms' ? ' ms' : ''
  return `${emphasiseMissed(row, `${value}${unit}`)} (${describeThreshold(row)})`
}

function emphasiseMissed(row: Row, text: string): string {
  return meetsThreshold(row) === false ? `**${text}**` : text
}

function describeRatio({ ratio, isRatioLowerBound }: Row): string {
  return `${isRatioLowerBound ? 'more than ' : ''}${toFigure(ratio)}`
}

/** The row as one line for the terminal. */
export function describeRow(row: Row): string {
  const parts = [toThousands(row.records), row.workload, row.contestant, `${toFigure(row.median)} ${row.unit}`]
  if (row.cpuMicroseconds !== undefined) parts.push(`${toFigure(row.cpuMicroseconds)} µs CPU`)
  if (row.p99Ms !== undefined) parts.push(`p50 ${toFigure(row.p50Ms)} p99 ${toFigure(row.p99Ms)} ms`)
  if (row.ratio !== undefined) parts.push(`ratio ${describeRatio(row)}`)
  const met = meetsThreshold(row)
  if (met !== undefined) parts.push(`${describeThreshold(row)} ${met ? 'met' : 'NOT MET'}`)
  return parts.join(' · ')
}

function describeThreshold({ threshold }: Row): string {
  if (threshold === undefined) return ''
  const value = threshold.atLeast ?? threshold.atMost ?? Number.NaN
  return `${threshold.atLeast === undefined ? '≤' : '≥'} ${value >= 100 ? toThousands(value) : value}`
}

function toFigure(value: number | undefined): string {
  if (value === undefined) return ''
  return value >= 100 ? toThousands(Math.round(value)) : value.toPrecision(2)
}

function toThousands(value: number): string {
  return value.toLocaleString('en')
}
