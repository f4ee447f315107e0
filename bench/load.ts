// Load generator of the benchmarks over HTTP: `wrk` if it is installed, else autocannon. All connections together
// request the paths of one list. Each run continues in the list about where the last one stopped, so that few paths
// repeat before the end of the list. A few do repeat: requests in progress at the end of a run are not counted, so
// their paths are sent again; and each connection of autocannon has a part of the list, in which some connections get
// further than others.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export interface Load {
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string
  /** Paths to request, with their query, in this order. After the last one the first follows. */
  readonly paths: readonly string[]
  /** Number of connections. Each has one request in progress at a time. */
  readonly connections: number
  /** Length of the run. */
  readonly seconds: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Requests that were answered. */
  readonly requests: number
  readonly requestsPerSecond: number
  /** Half of the responses took at most this long. */
  readonly p50Ms: number
  /** 99 % of the responses took at most this long. */
  readonly p99Ms: number
  /** How often a connection failed or broke off. Responses with an error status are not included. */
  readonly errors: number
}

/** The program that makes the load. */
export const generatorName: string = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon'

/** For the scripts and path lists that wrk reads. */
const wrkFolder = mkdtempSync(join(tmpdir(), 'bench-'))
process.once('exit', () => rmSync(wrkFolder, { recursive: true, force: true }))

/** For each list of paths, the index at which its next run begins: after as many paths as were answered. */
const nextIndexes = new WeakMap<readonly string[], number>()

/** Sends requests to one server for the given time. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const firstIndex = nextIndexes.get(load.paths) ?? 0
  const result = generatorName === 'wrk' ? await runWrk(load, firstIndex) : await runAutocannon(load, firstIndex)
  nextIndexes.set(load.paths, (firstIndex + result.requests) % load.paths.length)
  return result
}

/** Number of scripts written so far, for their names. */
let scriptCount = 0

/** Runs wrk with a Lua script, whose functions it calls: `init` and `done` once, `request` for each request. */
async function runWrk(load: Load, firstIndex: number): Promise<LoadResult> {
  const { origin, paths, connections, seconds, headers } = load
  const scriptPath = join(wrkFolder, `load-${scriptCount++}.lua`)
  const pathListPath = `${scriptPath}.paths`
  writeFileSync(pathListPath, paths.join('\n'))
  const headerLines = Object.entries(headers ?? {}).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  // Indexes in Lua begin at 1, so `firstIndex` is the index before that of the first path. wrk gives durations in
  // microseconds. `done` prints a line with the requests, requests per second, p50 and p99 in ms, and errors.
  writeFileSync(
    scriptPath,
    `${headerLines.join('\n')}
local requests = {}
init = function()
  for line in io.lines(${JSON.stringify(pathListPath)}) do requests[#requests + 1] = wrk.format(nil, line) end
end
local current = ${firstIndex}
request = function()
  current = current % #requests + 1
  return requests[current]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %f %f %f %d\\n", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors.connect + errors.read + errors.write))
end
`,
  )
  // One thread (-t1). A slow response is not an error, so the timeout is longer than the run.
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, `--timeout=${seconds + 1}s`]
  const { stdout } = await promisify(execFile)('wrk', [...flags, '-s', scriptPath, origin])
  rmSync(pathListPath)
  const [, requests, rate, p50, p99, errors] = /RESULT (\d+) (\S+) (\S+) (\S+) (\d+)/.exec(stdout) ?? []
  if (rate === undefined) throw new Error(`wrk printed no result: ${stdout.slice(0, 500)}`)
  return {
    requests: Number(requests),
    requestsPerSecond: Number(rate),
    p50Ms: Number(p50),
    p99Ms: Number(p99),
    errors: Number(errors),
  }
}

async function runAutocannon(load: Load, firstIndex: number): Promise<LoadResult> {
  const { origin, paths, connections, seconds, headers } = load
  // The list from `firstIndex` on, and then its beginning.
  const rotated = [...paths.slice(firstIndex), ...paths.slice(0, firstIndex)]
  let connectionsMade = 0
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: seconds + 1,
    headers: { ...headers },
    setupClient: (client) => {
      const connection = connectionsMade++
      // In autocannon each connection sends a list of its own, so the paths are divided between the connections.
      const ownPaths = rotated.filter((_, index) => index % connections === connection)
      // With fewer paths than connections, some connections have none of their own and send the whole list.
      const pathsToSend = ownPaths.length === 0 ? paths : ownPaths
      client.setRequests(pathsToSend.map((path) => ({ method: 'GET' as const, path })))
    },
  })
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    // autocannon counts timeouts as errors too, but a slow response is not an error here.
    errors: result.errors - result.timeouts,
  }
}
