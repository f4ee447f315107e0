// Load generator of the benchmarks over HTTP. All connections together request the paths of one list. Each run continues
// in the list about where the last one stopped, so that few paths repeat before the end of the list.
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
  /** Half of the responses took at most this long. */
  readonly p50Ms: number
  /** 99 % of the responses took at most this long. */
  readonly p99Ms: number
  /** How often a connection failed or broke off. Responses with an error status are not included. */
  readonly errors: number
}

/** For each list of paths, the index at which its next run begins: after as many paths as were answered. */
const nextIndexes = new WeakMap<readonly string[], number>()

/** Sends requests to one server for the given time. */
export async function runLoad({ origin, paths, connections, seconds, headers }: Load): Promise<LoadResult> {
  const firstIndex = nextIndexes.get(paths) ?? 0
  // The list from `firstIndex` on, and then its beginning.
  const rotated = [...paths.slice(firstIndex), ...paths.slice(0, firstIndex)]
  let connectionsMade = 0
  const { requests, latency, errors, timeouts } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    // A slow response is not an error.
    timeout: seconds + 1,
    headers: { ...headers },
    setupClient: (client) => {
      const connection = connectionsMade++
      // Each connection sends a list of its own, so the paths are divided between the connections.
      const ownPaths = rotated.filter((_, index) => index % connections === connection)
      // With fewer paths than connections, some connections have none of their own and send the whole list.
      const pathsToSend = ownPaths.length === 0 ? paths : ownPaths
      client.setRequests(pathsToSend.map((path) => ({ method: 'GET' as const, path })))
    },
  })
  nextIndexes.set(paths, (firstIndex + requests.total) % paths.length)
  return { requests: requests.total, p50Ms: latency.p50, p99Ms: latency.p99, errors: errors - timeouts }
}
