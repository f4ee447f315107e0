// Reads the judged set, asks every engine, and judges the answers: what must be found, what must not, what comes
// first. Used by the test beside it and by `npm run quality`.
import { readFileSync } from 'node:fs'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import type { Snapshot } from '../../src/snapshot/contract.ts'
import type { TestRecord } from '../service.ts'

export interface Judgement {
  readonly term: string
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
  readonly first: readonly string[]
}

export interface Verdict {
  readonly term: string
  readonly found: readonly string[]
  /** Must-finds that came back, must-finds in all, must-nots that came back. */
  readonly right: number
  readonly wanted: number
  readonly wrong: number
  /** One sentence for each miss. */
  readonly misses: readonly string[]
}

interface JudgedRecord extends TestRecord {
  readonly id: string
  content: string
}

export function readRecords(): JudgedRecord[] {
  const records: JudgedRecord[] = []
  for (const line of readLines('records.txt')) {
    const [id = '', checkinDate = '', municipality = '', title = ''] = line.split(' | ').map(toText)
    const last = records.at(-1)
    const code = `${id.charAt(0)}-${id.slice(1)}`
    if (!line.startsWith('  ')) records.push({ code, id, checkinDate, municipality, title, content: '' })
    else if (last !== undefined) last.content += `${toText(line.slice(2))}\n`
  }
  return records
}

export function readJudgements(): Judgement[] {
  const ids = readRecords().map((record) => record.id)
  const judgements: { term: string; must: string[]; mustNot: string[]; first: string[] }[] = []
  for (const line of readLines('queries.txt')) {
    if (!line.startsWith('  ')) {
      judgements.push({ term: toText(line), must: [], mustNot: [], first: [] })
      continue
    }
    const [mark = '', ...patterns] = line.trim().split(/\s+/)
    const named = ids.filter((id) => patterns.some((pattern) => matches(id, pattern)))
    for (const pattern of patterns) {
      if (!ids.some((id) => matches(id, pattern))) throw new Error(`Cannot judge ${line}: no record ${pattern}`)
    }
    const last = judgements.at(-1)
    if (last === undefined) throw new Error(`Cannot read ${line}: no term stands above it`)
    if (mark === '=' || mark === '+') last.must.push(...named)
    if (mark === '=') last.mustNot.push(...ids.filter((id) => !named.includes(id)))
    if (mark === '-') last.mustNot.push(...named)
    if (mark === '>') last.first.push(...patterns)
  }
  return judgements
}

export async function judge(snapshot: Snapshot, { term, must, mustNot, first }: Judgement): Promise<Verdict> {
  const found = await search(snapshot, term)
  const missing = must.filter((id) => !found.includes(id))
  const wrong = mustNot.filter((id) => found.includes(id))
  const misses = [
    ...missing.map((id) => `${term}: does not find ${id}`),
    ...wrong.map((id) => `${term}: finds ${id}`),
    ...(first.every((id, place) => found[place] === id)
      ? []
      : [`${term}: begins with ${found.slice(0, first.length).join(' ')} instead of ${first.join(' ')}`]),
  ]
  return { term, found, right: must.length - missing.length, wanted: must.length, wrong: wrong.length, misses }
}

export async function search(snapshot: Snapshot, term: string): Promise<string[]> {
  const found: string[] = []
  for await (const { bytes } of snapshot.search({ term: analyseTerm(term) })) {
    const records: unknown = JSON.parse(`[${Buffer.from(bytes).toString()}]`)
    for (const { id } of records as { id: string }[]) found.push(id)
  }
  return found
}

function matches(id: string, pattern: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

function readLines(file: string): string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

function toText(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll('\\t', '\t')
    .replaceAll('\\n', '\n')
}
