// Benchmark of requests over HTTP: one request whose response is cached, and many different queries of each kind, so
// that few of their responses come from the cache. The baseline is plain node:http that sends the same bytes and
// headers (contestants/bare.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredResponse } from './contestants/bare.ts'
import { type Contestant, startBare, startOurs } from './contestants/start.ts'
import { measureLoads, type Rounds, type Row } from './measure.ts'
import { drawQueries } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32

/**
 * The baseline cycles through this many responses, so that their mean size is about the mean of all responses. For rare
 * words the mean is more than twice the median.
 */
const baselineResponses = 250

/** Measures the cached response (`cached`, `304`) and each kind of query (query-kinds.ts), or only those in `only`. */
export async function benchRequests(registry: BenchRegistry, rounds: Rounds, only?: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  const ours = await startOurs(`sqlite:${registry.path}`)
  const { origin, pathname } = new URL(ours.baseUrl)
  try {
    const cachedPath = `${pathname}/record?search=plan&limit=20`
    const { headers } = await fetchResponse(origin, cachedPath)
    // In `headers` names and values alternate.
    const conditional = { 'If-None-Match': headers[headers.indexOf('etag') + 1] ?? '' }
    for (const [workload, sent] of [
      ['cached', {}],
      ['304', conditional],
    ] as const) {
      if (only?.includes(workload) === false) continue
      const response = await fetchResponse(origin, cachedPath, sent)
      rows.push(...(await compare(workload, ours, [cachedPath], [response], rounds, sent)))
    }
    for (const { workload, queries } of drawQueries(registry, { only })) {
      const paths = queries.map(({ path }) => `${pathname}/${path}`)
      const responses: StoredResponse[] = []
      // The last paths of the list: the service may cache what is fetched here, and the measurement starts at the front.
      for (const path of paths.slice(-baselineResponses)) responses.push(await fetchResponse(origin, path))
      rows.push(...(await compare(workload, ours, paths, responses, rounds)))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** Measures the service and a baseline that sends these responses. */
async function compare(
  workload: string,
  ours: Contestant,
  paths: readonly string[],
  responses: readonly StoredResponse[],
  rounds: Rounds,
  headers: Readonly<Record<string, string>> = {},
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const responsesPath = join(folder, 'responses.json')
  writeFileSync(responsesPath, JSON.stringify(responses))
  const bare = await startBare({ responsesPath })
  try {
    // A copy of the list for each, because runLoad continues in each list where its last run stopped.
    const systems = [ours, bare].map(({ name, baseUrl, cpuSeconds }) => ({
      name,
      load: { origin: new URL(baseUrl).origin, paths: [...paths], connections, headers },
      cpuSeconds,
    }))
    return await measureLoads(workload, systems, rounds)
  } finally {
    await bare.stop()
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
