// Compares two services with the same registry, such as two versions of the code: sends both the same random requests,
// drawn from the CSV file that both have imported, and prints how many responses differ, by kind and with examples.
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import Papa from 'papaparse'
import { Pool } from 'undici'
import { seededRandom } from '../test/seeded-random.ts'

const options = {
  requests: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: 'page,lookup,summary,changes,feed' },
} as const
const { values, positionals } = parseArgs({ allowPositionals: true, options })
const [firstUrl = '', secondUrl = '', csv] = positionals
if (csv === undefined) throw new Error('Expected FIRST_URL SECOND_URL CSV and flags')

type Row = Readonly<Record<string, string | undefined>>
const random = seededRandom(Number(values.seed))
const numberBelow = (bound: number): number => Math.floor(random() * bound)
const pick = <T>(choices: readonly T[]): T | undefined => choices[numberBelow(choices.length)]
const rows = await readSample(csv, 20_000)
const drawRow = (): Row => pick(rows) ?? {}
const anyText = (row: Row): string => pick([row.title, row.content]) || row.title || ''
const wordsOf = (text = ''): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
/** From `min` to `max` neighbouring words, or as many as there are. */
const some = (words: readonly string[], min: number, max: number): string => {
  const count = min + numberBelow(max - min + 1)
  const start = numberBelow(Math.max(1, words.length - count + 1))
  return words.slice(start, start + count).join(' ')
}
const longWord = (row: Row): string => pick(wordsOf(anyText(row)).filter(({ length }) => length > 3)) ?? 'plan'

/** By name, how to draw a search term from a row. */
const terms: Readonly<Record<string, (row: Row) => string>> = {
  'no term': () => '',
  'word of a title': ({ title }) => some(wordsOf(title), 1, 1),
  'word of a text': ({ content }) => some(wordsOf(content), 1, 1),
  // Sorted, so that the words are not neighbours in the text.
  'words of a title': ({ title }) => some(wordsOf(title).toSorted(), 2, 4),
  'words of a text': ({ content }) => some(wordsOf(content).toSorted(), 2, 4),
  'words of two records': (row) => `${longWord(row)} ${longWord(drawRow())}`,
  'phrase of a title': ({ title }) => `"${some(wordsOf(title), 2, 4)}"`,
  'phrase of a text': ({ content }) => `"${some(wordsOf(content), 2, 4)}"`,
  'phrase and word': (row) => `"${some(wordsOf(anyText(row)), 2, 3)}" ${longWord(row)}`,
  prefix: (row) => `${longWord(row).slice(0, 3 + numberBelow(6))}*`,
  'code as written': ({ title = '' }) => some(title.match(/\S*\d\S*/g) ?? wordsOf(title), 1, 1),
  'text as written': (row) => some(anyText(row).split(/\s+/), 1, 6),
  'misspelt word': (row) => {
    const word = longWord(row)
    const at = numberBelow(word.length)
    return word.slice(0, at) + pick(['', 'x', 'a', word.charAt(at).repeat(2)]) + word.slice(at + 1)
  },
}
/** How to draw the parameters of each filter from a row. */
const filters: readonly ((row: Row) => Readonly<Record<string, string>>)[] = [
  ({ municipality = '' }) => ({ municipality }),
  ({ checkin_date = '' }) => ({ checkin_date: checkin_date.slice(0, 4) }),
  ({ checkin_date = '' }) => ({ checkin_from: checkin_date.slice(0, pick([4, 7, 10])) }),
  ({ checkin_date = '' }) => ({ checkin_to: checkin_date.slice(0, pick([4, 7, 10])) }),
  () => ({ province: String(1 + numberBelow(52)).padStart(2, '0') }),
  () => ({ community: String(1 + numberBelow(19)).padStart(2, '0') }),
]
const drawInclude = (): { include?: string } => {
  const names = ['passages', 'documents', 'place', 'cod_archivo'].filter(() => random() < 0.3)
  return names.length === 0 ? {} : { include: names.join() }
}
/** By name, the path of an operation, and its parameters besides filters and term. */
const operations: Readonly<Record<string, (row: Row) => readonly [path: string, parameters: object]>> = {
  page: () => ['record', { limit: pick([1, 20, 20, 100]), ...drawInclude() }],
  lookup: ({ code = '' }) => [`record/${encodeURIComponent(code)}`, drawInclude()],
  summary: () => ['summary', pick([{}, {}, { include: 'documents' }]) ?? {}],
  changes: () => ['changes', { limit: pick([10, 1000]) }],
  feed: () => ['feed', {}],
  // Whole results, compared by their hashes.
  whole: () => ['record', {}],
  csv: () => ['record.csv', {}],
}

const services = [firstUrl, secondUrl].map((url) => ({ url, pool: new Pool(new URL(url).origin) }))
/** The status, the body and the header `Link`, without what differs between two imports or addresses; the next page. */
async function ask({ url, pool }: (typeof services)[number], path = ''): Promise<{ text: string; next?: string }> {
  const { pathname, search } = new URL(`${url}/${path}`)
  const { statusCode, headers, body } = await pool.request({ method: 'GET', path: pathname + search })
  const sent = Buffer.from(await body.bytes())
  const shown = sent.length > 2_000_000 ? `${sent.length} bytes, ${hash('sha256', sent)}` : sent.toString()
  const text = `${statusCode} ${headers.link} ${shown}`
    .replaceAll(url, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{16}\.(\d+)\.\d+/g, 'LOG.$1')
  const next = /<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1]
  return next === undefined ? { text } : { text, next: next.slice(url.length + 1) }
}

const tallies = new Map<string, { statuses: Record<string, number>; differences: string[] }>()
/** Sends the request to both services, and follows the links to two further pages. */
async function compare(kind: string, path: string): Promise<void> {
  const tally = tallies.getOrInsertComputed(kind, () => ({ statuses: {}, differences: [] }))
  let paths: (string | undefined)[] = [path, path]
  for (let page = 0; page < 3 && !paths.includes(undefined); page++) {
    const answers = await Promise.all(services.map((service, index) => ask(service, paths[index])))
    const [first = '', second = ''] = answers.map(({ text }) => text)
    const status = first.slice(0, 3)
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    if (first !== second || status >= '500') {
      let at = 0
      while (at < first.length && first[at] === second[at]) at++
      const show = (text: string): string => `\n    ${text.slice(0, 3)} …${text.slice(Math.max(0, at - 60), at + 140)}`
      tally.differences.push(`  ${paths[0]}${show(first)}${show(second)}`)
      return
    }
    paths = answers.map(({ next }) => next)
  }
}

let left = Number(values.requests)
/** Draws and compares requests until none is left. */
async function run(): Promise<void> {
  while (left-- > 0) {
    const row = drawRow()
    const operation = pick(values.only.split(',')) ?? ''
    const term = pick(['no term', ...Object.keys(terms)]) ?? ''
    const [path, parameters] = operations[operation]?.(row) ?? [operation, {}]
    const search = terms[term]?.(row)
    // Usually none or one. Most are drawn from the row of the term, so that something is found.
    const drawn = filters.filter(() => random() < 0.12).map((filter) => filter(pick([row, row, row, drawRow()]) ?? {}))
    const query = new URLSearchParams(Object.assign({}, ...drawn, search ? { search } : {}, parameters))
    await compare(`${operation}, ${term}`, `${path}?${query}`)
  }
}
await Promise.all(Array.from({ length: 4 }, run))
for (const [kind, { statuses, differences }] of [...tallies].toSorted()) {
  console.log(`${kind}: ${differences.length} differ, statuses ${JSON.stringify(statuses)}`)
  for (const example of differences.slice(0, 3)) console.log(example)
}
const { length } = [...tallies.values()].flatMap(({ differences }) => differences)
console.log(`${length} differences, seed ${values.seed}`)
for (const { pool } of services) await pool.close()

/** Draws `count` rows, each row of the file with the same chance (reservoir sampling). */
async function readSample(path: string, count: number): Promise<Row[]> {
  const sample: Row[] = []
  let seen = 0
  for await (const row of createReadStream(path).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true }))) {
    const at = seen++ < count ? sample.length : numberBelow(seen)
    if (at < count) sample[at] = row as Row
  }
  return sample
}
