// Benchmark of requests over HTTP: one request whose response is cached, and many different queries of every kind that
// has a threshold, so that few of their responses come from the cache. The baseline is plain node:http that sends the
// same bytes and headers (contestants/bare.ts). The cached response is also compared with nginx (contestants/nginx.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredResponse } from './contestants/bare.ts'
import { startNginx } from './contestants/nginx.ts'
import { type Contestant, startBare, startOurs } from './contestants/start.ts'
import { measureLoads, type Rounds, type Row, type Threshold } from './measure.ts'
import { drawQueries, type QueryKind } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32
/** The name of this workload in the report. */
export const cachedWorkload = 'cached response'
/** Threshold of the ratio: the CPU time per request of the baseline, divided by ours. */
const cachedThreshold: Threshold = { atLeast: 0.8 }

/** The kinds of query (query-kinds.ts) that have a threshold. */
export const kindsWithThreshold: readonly string[] = [
  'lookup by code',
  'rare word',
  'very common word',
  'two words',
  'phrase',
  'word + municipality + year',
  'prefix',
]

/** Measures the cached response and each kind of query, or only the workloads in `only`. */
export async function benchRequests(
  registry: BenchRegistry,
  rounds: Rounds,
  only: readonly string[] = [cachedWorkload, ...kindsWithThreshold],
): Promise<Row[]> {
  const rows: Row[] = []
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    if (only.includes(cachedWorkload)) rows.push(...(await benchCached(registry.records, ours, rounds)))
    for (const kind of drawQueries(registry, { only })) {
      rows.push(...(await benchKind(registry.records, ours, kind, rounds)))
    }
  } finally {
    await ours.stop()
  }
  return rows
}

/**
 * The threshold of a kind of query. It limits the ratio, which is the CPU time per request of the baseline divided by
 * ours. For a prefix it limits the p99 latency: the cost of a prefix depends on how many words share it, and the ratio,
 * which is an average, would not show the slow ones. Queries take longer in a large registry, so a lower ratio is
 * allowed there.
 */
function toThreshold(workload: string, records: number): Threshold {
  const isLarge = records >= 1_000_000
  if (workload === 'prefix') return { atMost: 8, of: 'p99Ms' }
  if (workload === 'lookup by code') return { atLeast: isLarge ? 0.5 : 0.55 }
  return { atLeast: isLarge ? 0.22 : 0.3 }
}

/**
 * The baseline cycles through this many responses, so that their mean size is about the mean of all responses. Fewer
 * would not be enough, because sizes differ much: for rare words the mean is more than twice the median.
 */
const baselineResponses = 250

/** Many different queries of one kind, so that few responses come from the cache. */
async function benchKind(
  records: number,
  ours: Contestant,
  { workload, queries }: QueryKind,
  rounds: Rounds,
): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.baseUrl)
  const paths = queries.map(({ path }) => `${pathname}/${path}`)
  const responses: StoredResponse[] = []
  // The last paths of the list: the service may cache what is fetched here, and the measurement starts at the front.
  for (const path of paths.slice(-baselineResponses)) responses.push(await fetchResponse(origin, path))
  return withBaseline(responses, (bare) => {
    const systems = [
      { name: ours.name, load: { origin, paths, connections }, cpuSeconds: ours.cpuSeconds },
      // A copy of the list, because runLoad continues in each list where its last run stopped.
      { name: bare.name, load: { origin: bare.baseUrl, paths: [...paths], connections }, cpuSeconds: bare.cpuSeconds },
    ]
    return measureLoads({ records, workload, systems, rounds, threshold: toThreshold(workload, records) })
  })
}

/** The same request repeated, with status 200 and with status 304. */
async function benchCached(records: number, ours: Contestant, rounds: Rounds): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.baseUrl)
  const path = `${pathname}/record?search=plan&limit=20`
  const fullResponse = await fetchResponse(origin, path)
  // In `headers` names and values alternate.
  const entityTag = fullResponse.headers[fullResponse.headers.indexOf('etag') + 1] ?? ''
  const conditional = await fetchResponse(origin, path, { 'If-None-Match': entityTag })
  if (conditional.status !== 304) throw new Error(`expected status 304 for ${path}, got ${conditional.status}`)
  const rows: Row[] = []
  const variants = [
    { workload: cachedWorkload, headers: {} },
    { workload: 'cached response, 304', headers: { 'If-None-Match': entityTag } },
  ]
  for (const { workload, headers } of variants) {
    const response = await fetchResponse(origin, path, headers)
    const measured = await withBaseline([response], (bare, nginx) => {
      const load = { paths: [path], connections, headers }
      const systems = [
        { name: ours.name, load: { ...load, origin }, cpuSeconds: ours.cpuSeconds },
        { name: bare.name, load: { ...load, origin: bare.baseUrl }, cpuSeconds: bare.cpuSeconds },
      ]
      // nginx has only the body of the response, as a file, so it cannot send the same 304.
      if (nginx !== null && response.status === 200) {
        const file = { paths: ['/response'], connections, origin: nginx.baseUrl }
        systems.push({ name: nginx.name, load: { ...file, headers: {} }, cpuSeconds: nginx.cpuSeconds })
      }
      return measureLoads({ records, workload, systems, rounds, threshold: cachedThreshold })
    })
    rows.push(...measured)
  }
  return rows
}

/**
 * Starts the baselines with the responses, measures, and stops them. nginx is null if it is not installed, or if there
 * are several responses, because it has one file.
 */
async function withBaseline(
  responses: readonly StoredResponse[],
  measure: (bare: Contestant, nginx: Contestant | null) => Promise<Row[]>,
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const responsesPath = join(folder, 'responses.json')
  writeFileSync(responsesPath, JSON.stringify(responses))
  writeFileSync(join(folder, 'response'), Buffer.from(responses[0]?.body ?? '', 'base64'))
  let bare: Contestant | undefined
  let nginx: Contestant | null = null
  try {
    bare = await startBare({ responsesPath })
    if (responses.length === 1) nginx = await startNginx(folder)
    return await measure(bare, nginx)
  } finally {
    await Promise.all([bare?.stop(), nginx?.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Headers that the baseline must not repeat, because node:http sets them itself. */
const automaticHeaders = ['connection', 'keep-alive', 'date', 'transfer-encoding']

/** Fetches a response of ours, uncompressed, for the baseline to repeat. */
async function fetchResponse(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<StoredResponse> {
  const response = await fetch(origin + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } })
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !automaticHeaders.includes(name)).flat(),
    body: Buffer.from(await response.bytes()).toString('base64'),
  }
}
