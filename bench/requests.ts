// Requests over HTTP: the cached response, and every kind of question that nobody has asked before, against bare
// node:http that sends the same bytes and headers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredResponse } from './contestants/bare.ts'
import { startNginx } from './contestants/nginx.ts'
import { type Contestant, startBare, startOurs } from './contestants/start.ts'
import { type Bar, measureLoads, type Rounds, type Row } from './measure.ts'
import { drawQuestions, type QuestionKind } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32
export const cachedWork = 'whole response from the cache'

/** The kinds of question that have a bar. */
export const barredKinds: readonly string[] = [
  'lookup by code',
  'rare word',
  'very common word',
  'two words',
  'phrase',
  'word + municipality + year',
  'prefix',
]

export async function benchRequests(
  registry: BenchRegistry,
  rounds: Rounds,
  only: readonly string[] = [cachedWork, ...barredKinds],
): Promise<Row[]> {
  const rows: Row[] = []
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    if (only.includes(cachedWork)) rows.push(...(await benchCached(registry.records, ours, rounds)))
    for (const kind of drawQuestions(registry, only)) {
      rows.push(...(await benchKind(registry.records, ours, kind, rounds)))
    }
  } finally {
    await ours.stop()
  }
  return rows
}

function barOf(work: string, records: number): Bar {
  const isLarge = records >= 1_000_000
  if (work === 'prefix') return { atMost: 8, of: 'p99Ms' }
  if (work === 'lookup by code') return { atLeast: isLarge ? 0.5 : 0.55 }
  return { atLeast: isLarge ? 0.22 : 0.3 }
}

/** So many responses of a kind are what bare node:http sends in turn, because those of some kinds differ in size. */
const responsesCompared = 251

async function benchKind(
  records: number,
  ours: Contestant,
  { work, questions }: QuestionKind,
  rounds: Rounds,
): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.origin)
  const paths = questions.map(({ path }) => `${pathname}/${path}`)
  const responses: StoredResponse[] = []
  // From the end of the list: the measurement begins at the front, with questions that were not asked before.
  for (const path of paths.slice(-responsesCompared)) responses.push(await fetchResponse(origin, path))
  return besideBare(responses, (bare) => {
    const entrants = [
      { name: ours.name, load: { origin, paths, connections }, cpuSeconds: ours.cpuSeconds },
      // A copy, because the load remembers for each list how far it was asked.
      { name: bare.name, load: { origin: bare.origin, paths: [...paths], connections }, cpuSeconds: bare.cpuSeconds },
    ]
    return measureLoads(records, work, entrants, rounds, barOf(work, records))
  })
}

/** The same question again, whole and as 304. */
async function benchCached(records: number, ours: Contestant, rounds: Rounds): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.origin)
  const path = `${pathname}/record?search=plan&limit=20`
  const whole = await fetchResponse(origin, path)
  const tag = whole.headers[whole.headers.indexOf('etag') + 1] ?? ''
  const rows: Row[] = []
  const kinds = [
    { work: cachedWork, headers: {} },
    { work: 'the same as 304', headers: { 'If-None-Match': tag } },
  ]
  for (const { work, headers } of kinds) {
    const response = await fetchResponse(origin, path, headers)
    const measured = await besideBare([response], (bare, nginx) => {
      const load = { paths: [path], connections, headers }
      const entrants = [
        { name: ours.name, load: { ...load, origin }, cpuSeconds: ours.cpuSeconds },
        { name: bare.name, load: { ...load, origin: bare.origin }, cpuSeconds: bare.cpuSeconds },
      ]
      if (nginx !== null && response.status === 200) {
        const file = { paths: ['/response'], connections, origin: nginx.origin }
        entrants.push({ name: nginx.name, load: { ...file, headers: {} }, cpuSeconds: nginx.cpuSeconds })
      }
      return measureLoads(records, work, entrants, rounds, { atLeast: 0.8 })
    })
    rows.push(...measured)
  }
  return rows
}

async function besideBare(
  responses: readonly StoredResponse[],
  measure: (bare: Contestant, nginx: Contestant | null) => Promise<Row[]>,
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const responseFile = join(folder, 'responses.json')
  writeFileSync(responseFile, JSON.stringify(responses))
  writeFileSync(join(folder, 'response'), Buffer.from(responses[0]?.body ?? '', 'base64'))
  const bare = await startBare(responseFile)
  const nginx = responses.length === 1 ? await startNginx(folder) : null
  try {
    return await measure(bare, nginx)
  } finally {
    await Promise.all([bare.stop(), nginx?.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Headers that every server sets by itself. */
const ownHeaders = ['connection', 'keep-alive', 'date', 'transfer-encoding']

async function fetchResponse(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<StoredResponse> {
  const response = await fetch(origin + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } })
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !ownHeaders.includes(name)).flat(),
    body: Buffer.from(await response.bytes()).toString('base64'),
  }
}
