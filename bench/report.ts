// Keeps the results of the newest run of each part in bench/results.json, and writes them as tables between the
// markers of docs/performance.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { generator } from './load.ts'
import { meetsBar, type Row } from './measure.ts'

const resultsFile: string = fileURLToPath(new URL('./results.json', import.meta.url))
const document: string = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

export interface PartResults {
  readonly command: string
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
}

export function readResults(): Record<string, PartResults> {
  if (!existsSync(resultsFile)) return {}
  return JSON.parse(readFileSync(resultsFile, 'utf8'), reviveRatio) as Record<string, PartResults>
}

/** Against a peer that answered nothing the ratio is infinite, for which JSON has no word but null. */
function reviveRatio(key: string, value: unknown): unknown {
  return key === 'ratio' && value === null ? Number.POSITIVE_INFINITY : value
}

export function publishRows(part: string, rows: readonly Row[]): void {
  const results = readResults()
  results[part] = {
    command: `npm run bench -- ${[part, ...process.argv.slice(2).filter((word) => word !== part)].join(' ')}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, SQLite ${process.versions.sqlite}, load by ${generator}`,
    rows,
  }
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 1)}\n`)
  const tables = Object.entries(results).map(([name, each]) => toTable(name, each))
  const text = readFileSync(document, 'utf8')
  const begin = '<!-- results -->'
  const end = '<!-- end of results -->'
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  const after = text.slice(text.indexOf(end))
  writeFileSync(document, `${before}\n\n${tables.join('\n')}\n${after}`)
}

function toTable(name: string, { command, date, machine, rows }: PartResults): string {
  const lines = rows.map((row) => {
    const met = meetsBar(row)
    const verdict = met === undefined ? '' : `${describeBar(row)} ${met ? 'met' : '**not met**'}`
    const latency = row.p50Ms === undefined ? '' : `${figure(row.p50Ms)} / ${figure(row.p99Ms)}`
    const spread = `${figure(row.least)}–${figure(row.most)}`
    const size = row.records.toLocaleString('en')
    return `| ${row.work} | ${size} | ${row.contestant} | ${figure(row.median)} ${row.unit} | ${spread} | ${figure(row.cpuMicroseconds)} | ${latency} | ${figure(row.ratio)} | ${verdict} |`
  })
  return `### ${name}

\`${command}\`, ${date}: ${machine}

| work | records | contestant | median | spread | processor µs | p50 / p99 ms | ratio | bar |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`
}

export function describeRow(row: Row): string {
  const met = meetsBar(row)
  const parts = [row.records, row.work, row.contestant, `${figure(row.median)} ${row.unit}`]
  if (row.cpuMicroseconds !== undefined) parts.push(`${figure(row.cpuMicroseconds)} µs`)
  if (row.p99Ms !== undefined) parts.push(`p50 ${figure(row.p50Ms)} p99 ${figure(row.p99Ms)} ms`)
  if (row.ratio !== undefined) parts.push(`ratio ${figure(row.ratio)}`)
  if (met !== undefined) parts.push(`${describeBar(row)} ${met ? 'met' : 'NOT MET'}`)
  return parts.join(' · ')
}

function describeBar({ bar }: Row): string {
  if (bar === undefined) return ''
  const of = bar.of === 'p99Ms' ? 'p99 ' : ''
  return bar.atLeast === undefined ? `${of}≤ ${bar.atMost}` : `${of}≥ ${bar.atLeast}`
}

function figure(value: number | undefined): string {
  if (value === undefined) return ''
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toPrecision(2)
}
