// The load: `wrk` where it is installed, else autocannon. Every path of the list is asked in turn over the given
// number of kept-open connections.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export interface Load {
  /** Origin, as in `http://127.0.0.1:8080`. */
  readonly origin: string
  readonly paths: readonly string[]
  readonly connections: number
  readonly seconds: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Measured {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were neither 2xx, 3xx nor 404, and connections that broke. */
  readonly errors: number
}

export const generator: string = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon'

export async function runLoad(load: Load): Promise<Measured> {
  return generator === 'wrk' ? runWrk(load) : runAutocannon(load)
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
let scripts = 0

/** How far each list of paths has been asked: the next run goes on from there. */
const asked = new WeakMap<readonly string[], number>()

async function runWrk({ origin, paths, connections, seconds, headers }: Load): Promise<Measured> {
  const script = join(folder, `load-${scripts++}.lua`)
  const pathFile = `${script}.paths`
  writeFileSync(pathFile, paths.join('\n'))
  const lines = Object.entries(headers ?? {}).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  writeFileSync(
    script,
    `${lines.join('\n')}
local requests = {}
init = function()
  for line in io.lines(${JSON.stringify(pathFile)}) do requests[#requests + 1] = wrk.format(nil, line) end
end
local next = ${asked.get(paths) ?? 0}
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %f %f %f %d\\n", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, e.connect + e.read + e.write + e.timeout))
end
`,
  )
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    origin,
  ])
  const [, requests, rate, p50, p99, errors] = /RESULT (\d+) (\S+) (\S+) (\S+) (\d+)/.exec(stdout) ?? []
  if (rate === undefined) throw new Error(`wrk said nothing of a result: ${stdout.slice(0, 500)}`)
  asked.set(paths, (asked.get(paths) ?? 0) + Number(requests))
  return {
    requests: Number(requests),
    requestsPerSecond: Number(rate),
    p50Ms: Number(p50),
    p99Ms: Number(p99),
    errors: Number(errors),
  }
}

async function runAutocannon({ origin, paths, connections, seconds, headers }: Load): Promise<Measured> {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    headers: { ...headers },
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
  })
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result['5xx'],
  }
}
