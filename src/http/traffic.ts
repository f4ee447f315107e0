// Request counters of the process. admission.ts updates them for every request, and src/server/metrics.ts exports them
// to Prometheus. Routes are counted by name. A route number is the index of a name in `#routeNames`; 0 stands for all
// unknown routes.
import type { ShedReason } from './overload-monitor.ts'

/** HTTP status codes are below this number. */
const statusLimit = 600

/** A route as `Traffic` counts it. */
export interface CountedRoute {
  /** Relative to the base path: `/record`, or `/record/{parameter}`. */
  readonly path: string
  /** The name in metrics. Several routes may share one. */
  readonly name: string
}

export class Traffic {
  /** The base path with a slash at its end. */
  readonly #pathPrefix: string
  readonly #routeNames: readonly string[]
  /** Route numbers by the first segment of a path: `exact` for a path that ends there, `below` for a longer one. */
  readonly #routesBySegment = new Map<string, { exact: number; below: number }>()
  /** The number of requests by route number and status, at the index `routeNumber * statusLimit + status`. */
  readonly #counts: Float64Array
  /** Requests refused with 503 because of overload, by reason. */
  readonly shed: Record<ShedReason, number> = {
    requests: 0,
    'client-requests': 0,
    exports: 0,
    'client-exports': 0,
    'client-bodies': 0,
    'event-loop': 0,
    memory: 0,
    'send-queue': 0,
    time: 0,
  }
  /** Set if metrics are enabled. Called for each answered request, with the name of its route and how long it took. */
  onRequest: ((route: string, seconds: number) => void) | undefined
  /** Requests refused with 429. */
  rateLimited = 0
  /**
   * Requests in progress in the router or in MCP, except those to MCP whose body is still being read. Each tool call of
   * a batch counts. Responses from the cache do not.
   */
  requestsInWork = 0

  constructor(basePath: string, routes: readonly CountedRoute[]) {
    this.#pathPrefix = `${basePath}/`
    this.#routeNames = ['other', ...new Set(routes.map(({ name }) => name))]
    this.#counts = new Float64Array(this.#routeNames.length * statusLimit)
    for (const { path, name } of routes) {
      const routeNumber = this.#routeNames.indexOf(name)
      // `/record/{parameter}` has the segment `record` and the rest `{parameter}`.
      const [, segment = '', rest] = path.split('/')
      const numbers = this.#routesBySegment.get(segment)
      // The only route of a segment counts all URLs that begin with it. If there are two, such as `/record` and
      // `/record/{parameter}`, each counts its own.
      if (numbers === undefined) this.#routesBySegment.set(segment, { exact: routeNumber, below: routeNumber })
      else if (rest === undefined) numbers.exact = routeNumber
      else numbers.below = routeNumber
    }
  }

  /** The number of the route that serves a URL; 0 for an unknown one. */
  routeNumberOf(url: string): number {
    if (!url.startsWith(this.#pathPrefix)) return 0
    const start = this.#pathPrefix.length
    let end = start
    while (end < url.length && url.charCodeAt(end) !== slash && url.charCodeAt(end) !== questionMark) end++
    const numbers = this.#routesBySegment.get(url.slice(start, end))
    if (numbers === undefined) return 0
    return url.charCodeAt(end) === slash ? numbers.below : numbers.exact
  }

  /** Counts a request, which took `seconds`. */
  count(routeNumber: number, status: number, seconds: number): void {
    const index = routeNumber * statusLimit + status
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.onRequest?.(this.#routeNames[routeNumber] ?? '', seconds)
  }

  /** The number of requests by name of the route and status, where it is not 0. */
  *requestCounts(): Generator<{ route: string; status: number; requests: number }> {
    for (const [index, requests] of this.#counts.entries()) {
      if (requests === 0) continue
      const routeNumber = Math.floor(index / statusLimit)
      yield { route: this.#routeNames[routeNumber] ?? '', status: index % statusLimit, requests }
    }
  }
}

/** Character codes. */
const slash = 0x2f
const questionMark = 0x3f
