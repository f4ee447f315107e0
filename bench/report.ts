// Keeps the newest run of each command and size in bench/results.json, and writes the ratios of all runs as tables
// between the markers of docs/performance.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { generator } from './load.ts'
import { barredFigure, meetsBar, ourName, type Row } from './measure.ts'

const resultsFile: string = fileURLToPath(new URL('./results.json', import.meta.url))
const document: string = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

export interface Run {
  readonly command: string
  readonly records: number
  /** As it was typed behind `npm run bench --`. */
  readonly args: string
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
}

export function readRuns(): Run[] {
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Run[]) : []
}

/** Replaces rows of the same work by the same contestant; rows of parts that were not run stay. */
export function saveRun(command: string, records: number, rows: readonly Row[]): void {
  const runs = readRuns()
  const before = runs.find((run) => isSame(run, command, records))
  const kept = (before?.rows ?? []).filter((old) => !rows.some((row) => isSameWork(row, old)))
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
    (a, b) => titles.indexOf(a.command) - titles.indexOf(b.command) || a.records - b.records,
  )
  writeFileSync(resultsFile, `${JSON.stringify(saved, null, 1)}\n`)
  writeTables()
}

function isSame(run: Run, command: string, records: number): boolean {
  return run.command === command && run.records === records
}

function isSameWork(a: Row, b: Row): boolean {
  return a.work === b.work && a.contestant === b.contestant
}

const tables: Readonly<Record<string, (runs: readonly Run[]) => string>> = {
  bars: toBarTable,
  queries: toPairTables,
  peers: toPeerTables,
  postgres: toPairTables,
  large: toBarTable,
}
const titles = Object.keys(tables)

/** Rewrites the part of the document between the markers. */
export function writeTables(): void {
  const runs = readRuns()
  const sections = Object.entries(tables).flatMap(([command, toTables]) => {
    const own = runs.filter((run) => run.command === command)
    return own.length === 0 ? [] : [`### ${command}\n\n${own.map(describeRun).join('\n')}\n\n${toTables(own)}`]
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

/** One line for each work, one column for each size. */
function toBarTable(runs: readonly Run[]): string {
  const works = new Set(runs.flatMap(({ rows }) => rows.filter(isOurs).map(({ work }) => work)))
  const lines = [...works].map((work) => [
    work,
    ...runs.map(({ rows }) => {
      const row = rows.find((each) => each.work === work && isOurs(each))
      return row === undefined ? '' : describeFigure(row)
    }),
  ])
  return toTable(['', ...runs.map(({ records }) => `${thousands(records)} records`)], lines)
}

/** Ours and the one other contestant side by side, a table for each size. */
function toPairTables(runs: readonly Run[]): string {
  const each = runs.map(({ records, rows }) => {
    const works = [...new Set(rows.map(({ work }) => work))]
    const [first = '', second = ''] = new Set(rows.map(({ contestant }) => contestant))
    const lines = works.map((work) => {
      const [a, b] = [first, second].map((name) => rows.find((row) => row.work === work && row.contestant === name))
      const cells = [a, b].map((row) => (row === undefined ? '' : `${figure(row.median)} ${row.unit}`))
      return [work, ...cells, a?.ratio === undefined ? '' : mark(a, figure(a.ratio))]
    })
    return toTable([`${thousands(records)} records`, first, second, 'ratio'], lines)
  })
  return each.join('\n\n')
}

/** How many times slower each peer is, a table for each size. */
function toPeerTables(runs: readonly Run[]): string {
  const each = runs.map(({ records, rows }) => {
    const ours = rows.filter(isOurs).map((row) => ({ row, parts: row.work.split(', against ') }))
    const peers = [...new Set(ours.map(({ parts }) => parts[1] ?? ''))]
    const lines = [...new Set(ours.map(({ parts }) => parts[0] ?? ''))].map((work) => [
      work,
      ...peers.map((peer) => {
        const row = ours.find(({ parts }) => parts[0] === work && parts[1] === peer)?.row
        return row === undefined ? '' : mark(row, describeRatio(row))
      }),
    ])
    return toTable([`${thousands(records)} records, times slower`, ...peers], lines)
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

/** As in `0.85 (≥ 0.8)` or `240 MB (≤ 250)`, in bold where it misses its bar. */
function describeFigure(row: Row): string {
  if (row.bar === undefined) return `${figure(row.median)} ${row.unit}`
  const value = figure(barredFigure(row))
  const unit = row.bar.of === 'median' ? ` ${row.unit}` : row.bar.of === 'p99Ms' ? ' ms' : ''
  return `${mark(row, `${value}${unit}`)} (${describeBar(row)})`
}

function mark(row: Row, text: string): string {
  return meetsBar(row) === false ? `**${text}**` : text
}

function describeRatio({ ratio, isRatioLowerBound }: Row): string {
  return `${isRatioLowerBound ? 'more than ' : ''}${figure(ratio)}`
}

/** One line for the terminal. */
export function describeRow(row: Row): string {
  const parts = [thousands(row.records), row.work, row.contestant, `${figure(row.median)} ${row.unit}`]
  if (row.cpuMicroseconds !== undefined) parts.push(`${figure(row.cpuMicroseconds)} µs of processor time`)
  if (row.p99Ms !== undefined) parts.push(`p50 ${figure(row.p50Ms)} p99 ${figure(row.p99Ms)} ms`)
  if (row.ratio !== undefined) parts.push(`ratio ${describeRatio(row)}`)
  const met = meetsBar(row)
  if (met !== undefined) parts.push(`${describeBar(row)} ${met ? 'met' : 'NOT MET'}`)
  return parts.join(' · ')
}

function describeBar({ bar }: Row): string {
  if (bar === undefined) return ''
  const value = bar.atLeast ?? bar.atMost ?? Number.NaN
  return `${bar.atLeast === undefined ? '≤' : '≥'} ${value >= 100 ? thousands(value) : value}`
}

function figure(value: number | undefined): string {
  if (value === undefined) return ''
  return value >= 100 ? thousands(Math.round(value)) : value.toPrecision(2)
}

function thousands(value: number): string {
  return value.toLocaleString('en')
}
