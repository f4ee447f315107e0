// Relevance judgements: reads records and queries, whose formats are described at the beginning of records.txt and
// queries.txt. For each query, compares the results in a snapshot (a registry with its index) with the relevant,
// irrelevant and first records. `npx node test/search-quality/score.ts` does this.
import { readFileSync } from 'node:fs'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import type { TestRecord } from '../service.ts'

/** A query with its expected result. Records that are neither relevant nor irrelevant are not judged. */
export interface Judgement {
  readonly term: string
  /** Ids of the records that must be found. */
  readonly relevant: readonly string[]
  /** Ids of the records that must not be found. */
  readonly irrelevant: readonly string[]
  /** Ids of the records that must come first, in this order. Empty if the order is not judged. */
  readonly first: readonly string[]
}

/** The result of one judged query in one snapshot. */
interface Evaluation {
  readonly relevantCount: number
  readonly truePositives: number
  readonly falsePositives: number
  readonly errors: readonly string[]
}

/** The results of all queries of a set together. */
export interface Score {
  /** The share of the queries without an error. */
  readonly exact: number
  readonly precision: number
  readonly recall: number
  readonly errors: readonly string[]
}

interface JudgedRecord extends TestRecord {
  readonly id: string
  /** Grows with each line of text below the record in records.txt. */
  content: string
}

/** Reads a file of records. The inscription code of the record `g01` is `g-01`: a code has a hyphen before its number. */
export function readRecords(file = 'records.txt'): JudgedRecord[] {
  const records: JudgedRecord[] = []
  for (const line of readLines(file)) {
    const isContent = line.startsWith('  ')
    const last = records.at(-1)
    if (isContent) {
      if (last !== undefined) last.content += `${resolveEscapes(line.slice(2))}\n`
      continue
    }
    const [id = '', checkinDate = '', municipality = '', title = '', area = ''] = line.split(' | ').map(resolveEscapes)
    const code = `${id.charAt(0)}-${id.slice(1)}`
    records.push({ code, id, checkinDate, municipality, title, area, content: '' })
  }
  return records
}

/** Reads a file of queries with their expected results in a file of records. */
export function readJudgements(file = 'queries.txt', recordsFile = 'records.txt'): Judgement[] {
  const ids = readRecords(recordsFile).map((record) => record.id)
  const judgements: { term: string; relevant: string[]; irrelevant: string[]; first: string[] }[] = []
  for (const line of readLines(file)) {
    const isTerm = !line.startsWith('  ')
    if (isTerm) {
      judgements.push({ term: resolveEscapes(line), relevant: [], irrelevant: [], first: [] })
      continue
    }
    const [operator = '', ...patterns] = line.trim().split(/\s+/)
    const matching = ids.filter((id) => patterns.some((pattern) => matches(id, pattern)))
    for (const pattern of patterns) {
      if (!ids.some((id) => matches(id, pattern)))
        throw new Error(`Cannot read ${line}: no record has the id ${pattern}`)
    }
    const last = judgements.at(-1)
    if (last === undefined) throw new Error(`Cannot read ${line}: no term precedes it`)
    if (!['=', '+', '-', '?', '>'].includes(operator))
      throw new Error(`Cannot read ${line}: expected =, +, -, ? or > before the ids`)
    // `=` exactly these records, `+` at least these, `-` none of these, `?` these may be found or not, `>` these first.
    if (operator === '=' || operator === '+') last.relevant.push(...matching)
    if (operator === '=') last.irrelevant.push(...ids.filter((id) => !matching.includes(id)))
    if (operator === '-') last.irrelevant.push(...matching)
    if (operator === '?') last.irrelevant = last.irrelevant.filter((id) => !matching.includes(id))
    // The patterns are ids in the expected order, without stars. `matching` has the order of records.txt instead.
    if (operator === '>') last.first.push(...patterns)
  }
  return judgements
}

/** Evaluates all queries of a set. */
export async function score(snapshot: Snapshot, judgements: readonly Judgement[]): Promise<Score> {
  const evaluations = await Array.fromAsync(judgements, (judgement) => evaluate(snapshot, judgement))
  const sum = (count: (evaluation: Evaluation) => number): number =>
    evaluations.reduce((total, evaluation) => total + count(evaluation), 0)
  const truePositives = sum((evaluation) => evaluation.truePositives)
  return {
    exact: sum((evaluation) => (evaluation.errors.length === 0 ? 1 : 0)) / evaluations.length,
    precision: truePositives / (truePositives + sum((evaluation) => evaluation.falsePositives)),
    recall: truePositives / sum((evaluation) => evaluation.relevantCount),
    errors: evaluations.flatMap((evaluation) => evaluation.errors),
  }
}

/** Searches the term and compares the result with the judgement. */
async function evaluate(snapshot: Snapshot, judgement: Judgement): Promise<Evaluation> {
  const { term, relevant, irrelevant, first } = judgement
  const found = await search(snapshot, term)
  const missing = relevant.filter((id) => !found.includes(id))
  const unexpected = irrelevant.filter((id) => found.includes(id))
  const errors = [
    ...missing.map((id) => `${term}: does not find ${id}`),
    ...unexpected.map((id) => `${term}: finds ${id}`),
    ...(first.every((id, index) => found[index] === id)
      ? []
      : [`${term}: starts with ${found.slice(0, first.length).join(' ')} instead of ${first.join(' ')}`]),
  ]
  return {
    relevantCount: relevant.length,
    truePositives: relevant.length - missing.length,
    falsePositives: unexpected.length,
    errors,
  }
}

/** The ids found for a term, in result order. */
async function search(snapshot: Snapshot, term: string): Promise<string[]> {
  const found: string[] = []
  for await (const { bytes } of snapshot.search({ search: analyseTerm(term) })) {
    // The bytes are JSON objects with commas between them.
    const records: unknown = JSON.parse(`[${Buffer.from(bytes).toString()}]`)
    for (const { id } of records as { id: string }[]) found.push(id)
  }
  return found
}

/** A pattern is an id, or the start of ids and a star. */
function matches(id: string, pattern: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

/** The lines without blank lines and comments. */
function readLines(file: string): string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

/** Resolves the escapes `\t`, `\n`, and `\u` with four hexadecimal digits in lower case (`\u00ad`). */
function resolveEscapes(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll('\\t', '\t')
    .replaceAll('\\n', '\n')
}
