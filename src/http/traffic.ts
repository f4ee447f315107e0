// Counters of the process, and the route under which each request is counted. admission.ts updates them for every
// request, and src/server/metrics.ts exports them to Prometheus.
import type { ShedReason } from './overload-monitor.ts'

/** The name in metrics of requests to no known route. */
const unknownRouteName = 'other'

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
  /** Route names by the first segment of a path: `exact` for a path that ends there, `below` for a longer one. */
  readonly #routesBySegment = new Map<string, { exact: string; below: string }>()
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
  /** Called for each answered request; undefined if metrics are off. `route` is the name of the route. */
  onRequest: ((route: string, status: number, seconds: number) => void) | undefined
  /** Requests refused with 429. */
  rateLimited = 0
  /**
   * Requests in progress in the router or in MCP, except those to MCP whose body is still being read. Each tool call of
   * a batch counts. Responses from the cache do not.
   */
  requestsInWork = 0

  constructor(basePath: string, routes: readonly CountedRoute[]) {
    this.#pathPrefix = `${basePath}/`
    for (const { path, name } of routes) {
      // `/record/{parameter}` has the segment `record` and the rest `{parameter}`.
      const [, segment = '', rest] = path.split('/')
      const names = this.#routesBySegment.get(segment)
      // The only route of a segment counts all URLs that begin with it. If there are two, such as `/record` and
      // `/record/{parameter}`, each counts its own.
      if (names === undefined) this.#routesBySegment.set(segment, { exact: name, below: name })
      else if (rest === undefined) names.exact = name
      else names.below = name
    }
  }

  /** Counts a request, which took `seconds`. */
  count(url: string, status: number, seconds: number): void {
    this.onRequest?.(this.#routeNameOf(url), status, seconds)
  }

  /** The name of the route that serves a URL. */
  #routeNameOf(url: string): string {
    if (!url.startsWith(this.#pathPrefix)) return unknownRouteName
    const start = this.#pathPrefix.length
    let end = start
    while (end < url.length && url.charCodeAt(end) !== slash && url.charCodeAt(end) !== questionMark) end++
    const names = this.#routesBySegment.get(url.slice(start, end))
    if (names === undefined) return unknownRouteName
    return url.charCodeAt(end) === slash ? names.below : names.exact
  }
}

/** Character codes. */
const slash = 0x2f
const questionMark = 0x3f
