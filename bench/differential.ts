// Compares two services with the same registry, such as two versions of the code: sends both the same random requests,
// and prints how many responses differ, by kind of request and with examples. The words, phrases, codes and filters of
// the requests are drawn from the CSV file that both have imported.
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import Papa from 'papaparse'
import { Pool } from 'undici'
import { seededRandom } from '../test/seeded-random.ts'

const usage = 'node bench/differential.ts FIRST_URL SECOND_URL CSV [--requests 2000] [--seed 1] [--only KIND,…]'
const options = { requests: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } } as const
const { values, positionals } = parseArgs({ allowPositionals: true, options })
const [firstUrl, secondUrl, csv] = positionals
if (firstUrl === undefined || secondUrl === undefined || csv === undefined) throw new Error(usage)

type SourceRow = Readonly<Record<string, string | undefined>>
const random = seededRandom(Number(values.seed ?? 1))
const numberBelow = (bound: number): number => Math.floor(random() * bound)
const rows = await readSample(csv, 20_000)
const row = (): SourceRow => rows[numberBelow(rows.length)] ?? {}
const pick = <T>(...choices: readonly [T, ...T[]]): T => choices[numberBelow(choices.length)] ?? choices[0]
const wordsOf = (text = ''): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
/** `min` to `max` neighbouring elements, or as many as there are. */
const slice = (words: readonly string[], min: number, max: number): string => {
  const length = min + numberBelow(max - min + 1)
  const start = numberBelow(Math.max(1, words.length - length + 1))
  return words.slice(start, start + length).join(' ')
}
const anyText = ({ title, content }: SourceRow): string => pick(title, content) || title || ''

/** By name, how to draw a search term from a row. */
const terms: Readonly<Record<string, (row: SourceRow) => string>> = {
  'no term': () => '',
  'word of a title': ({ title }) => slice(wordsOf(title), 1, 1),
  'word of a text': ({ content }) => slice(wordsOf(content), 1, 1),
  'words of a title': ({ title }) => slice(wordsOf(title).toSorted(), 2, 4),
  'words of a text': ({ content }) => slice(wordsOf(content).toSorted(), 2, 4),
  'words of two records': (first) => `${slice(wordsOf(anyText(first)), 1, 1)} ${slice(wordsOf(anyText(row())), 1, 1)}`,
  'phrase of a title': ({ title }) => `"${slice(wordsOf(title), 2, 4)}"`,
  'phrase of a text': ({ content }) => `"${slice(wordsOf(content), 2, 4)}"`,
  prefix: (of) =>
    `${slice(
      wordsOf(anyText(of)).filter((word) => word.length > 3),
      1,
      1,
    ).slice(0, 3 + numberBelow(6))}*`,
  code: ({ title = '' }) => slice(title.match(/\S*\p{Lu}\S*\d\S*|\S*\d\S*/gu) ?? wordsOf(title), 1, 1),
  'text as it is written': (of) => slice(anyText(of).split(/\s+/), 1, 6),
  'phrase and word': (of) => `"${slice(wordsOf(anyText(of)), 2, 3)}" ${slice(wordsOf(anyText(of)), 1, 1)}`,
  'misspelt word': (of) => {
    const word = slice(
      wordsOf(anyText(of)).filter(({ length }) => length > 4),
      1,
      1,
    )
    const at = numberBelow(word.length)
    return word.slice(0, at) + pick('', 'x', 'a', word.charAt(at).repeat(2)) + word.slice(at + 1)
  },
}

/** By name, how to draw the parameters of a filter. Most requests have none or one. */
const filters: Readonly<Record<string, (row: SourceRow) => Readonly<Record<string, string>>>> = {
  municipality: ({ municipality = '' }) => ({ municipality }),
  year: ({ checkin_date = '' }) => ({ checkin_date: checkin_date.slice(0, 4) }),
  from: ({ checkin_date = '' }) => ({ checkin_from: checkin_date.slice(0, pick(4, 7, 10)) }),
  range: ({ checkin_date = '' }) => ({
    checkin_from: checkin_date.slice(0, pick(4, 7)),
    checkin_to: `${Number(checkin_date.slice(0, 4)) + numberBelow(5)}`,
  }),
  province: () => ({ province: String(1 + numberBelow(52)).padStart(2, '0') }),
  community: () => ({ community: String(1 + numberBelow(19)).padStart(2, '0') }),
}
function drawFilters(of: SourceRow): Readonly<Record<string, string>> {
  const drawn = Array.from({ length: pick(0, 0, 0, 1, 1, 2) }, () => pick('', ...Object.keys(filters)))
  return Object.assign({}, ...drawn.map((name) => filters[name]?.(pick(of, of, of, row()))))
}

const include = (): Readonly<Record<string, string>> => {
  const names = ['passages', 'documents', 'place', 'cod_archivo'].filter(() => random() < 0.4)
  return names.length === 0 || random() < 0.5 ? {} : { include: names.join() }
}
/** By name, the path of an operation and its parameters besides the filters and the term. */
const operations: Readonly<Record<string, (row: SourceRow) => readonly [string, Readonly<Record<string, string>>]>> = {
  page: () => ['record', { limit: pick('1', '20', '20', '100'), ...include() }],
  // The whole result, compared by its hash.
  whole: () => ['record', {}],
  csv: () => ['record.csv', {}],
  lookup: ({ code = '' }) => [`record/${encodeURIComponent(code)}`, include()],
  summary: () => ['summary', random() < 0.2 ? { include: 'documents' } : {}],
  changes: () => ['changes', { limit: pick('10', '1000') }],
  feed: () => ['feed', {}],
}

interface Answer {
  readonly status: number
  /** The body and the header `Link`, without what differs between two imports and two addresses. */
  readonly text: string
  readonly next: string | undefined
}
const services = [firstUrl, secondUrl].map((url) => ({ url, pool: new Pool(new URL(url).origin, { connections: 4 }) }))
async function ask({ url, pool }: (typeof services)[number], path: string, isHashed: boolean): Promise<Answer> {
  const address = new URL(`${url}/${path}`)
  const {
    statusCode: status,
    headers,
    body,
  } = await pool.request({ method: 'GET', path: address.pathname + address.search })
  const bytes = Buffer.from(await body.arrayBuffer())
  const text = isHashed && status === 200 ? `${bytes.length} bytes ${hash('sha256', bytes)}` : bytes.toString()
  const link = String(headers.link ?? '')
  const comparable = `${text}\n${link}`
    .replaceAll(url, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{16}\.(\d+)\.\d+/g, 'LOG.$1')
  return { status, text: comparable, next: /<([^>]*)>; rel="next"/.exec(link)?.[1]?.slice(url.length + 1) }
}

interface Tally {
  requests: number
  readonly statuses: Map<number, number>
  readonly differences: string[]
}
const tallies = new Map<string, Tally>()
/** Sends the request to both services, and follows the links to two further pages. */
async function compare(kind: string, path: string): Promise<void> {
  const tally: Tally = tallies.get(kind) ?? { requests: 0, statuses: new Map(), differences: [] }
  tallies.set(kind, tally)
  const isHashed = /^(?:whole|csv)/.test(kind)
  let paths: readonly (string | undefined)[] = [path, path]
  for (let page = 0; page < 3; page++) {
    const [first, second] = await Promise.all(
      services.map((service, index) => ask(service, paths[index] ?? '', isHashed)),
    )
    if (first === undefined || second === undefined) return
    tally.requests++
    tally.statuses.set(first.status, (tally.statuses.get(first.status) ?? 0) + 1)
    if (first.status !== second.status || first.text !== second.text || first.status >= 500) {
      const at = Array.from(first.text).findIndex((character, index) => character !== second.text[index])
      const show = ({ status, text }: Answer): string => `    ${status} …${text.slice(Math.max(0, at - 60), at + 140)}`
      tally.differences.push([`  ${paths[0]} (character ${at})`, show(first), show(second)].join('\n'))
      return
    }
    paths = [first.next, second.next]
    if (first.next === undefined || second.next === undefined) return
  }
}

const only = values.only?.split(',')
const kinds = Object.keys(operations).filter((name) => only?.includes(name) ?? !['whole', 'csv'].includes(name))
let left = Number(values.requests ?? 2000)
/** Draws requests and compares their responses until none is left. Half of them are pages. */
async function run(): Promise<void> {
  while (left-- > 0) {
    const of = row()
    const operation = kinds.includes('page') && random() < 0.5 ? 'page' : pick(kinds[0] ?? 'page', ...kinds)
    const term = pick('no term', ...Object.keys(terms))
    const [path, parameters] = operations[operation]?.(of) ?? ['record', {}]
    const search = terms[term]?.(of) ?? ''
    const query = new URLSearchParams({ ...drawFilters(of), ...(search === '' ? {} : { search }), ...parameters })
    await compare(`${operation}, ${term}`, `${path}?${query}`)
  }
}
await Promise.all(Array.from({ length: 4 }, run))

let differences = 0
for (const [kind, tally] of [...tallies].toSorted(([a], [b]) => a.localeCompare(b))) {
  const statuses = [...tally.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
  console.log(`${kind}: ${tally.differences.length} of ${tally.requests} differ (${statuses})`)
  for (const example of tally.differences.slice(0, 3)) console.log(example)
  differences += tally.differences.length
}
console.log(`${differences} differences, seed ${values.seed ?? 1}`)
await Promise.all(services.map(({ pool }) => pool.close()))
process.exitCode = differences === 0 ? 0 : 1

/** Draws up to `count` rows, each with the same chance (reservoir sampling), so that the file may have any size. */
async function readSample(path: string, count: number): Promise<SourceRow[]> {
  const sample: SourceRow[] = []
  let seen = 0
  const parser = createReadStream(path).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true }))
  for await (const parsed of parser) {
    const at = seen < count ? seen : numberBelow(seen + 1)
    if (at < count) sample[at] = parsed as SourceRow
    seen++
  }
  return sample
}
