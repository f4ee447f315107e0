// Request counters of the process. admission.ts updates them for every request, and src/server/metrics.ts exports them
// to Prometheus. A route is identified by its number, the index of its name; 0 stands for all unknown routes.
import type { ShedReason } from './overload-monitor.ts'

/** HTTP status codes are below this number. */
const statusLimit = 600

export class Traffic {
  readonly #prefix: string
  readonly #routeNames: readonly string[]
  /** Route numbers by the first segment of a path: `exact` for a path that ends there, `below` for a longer one. */
  readonly #routesBySegment = new Map<string, { exact: number; below: number }>()
  /** The requests of each route and status, at the index `route * statusLimit + status`. */
  readonly #counts: Float64Array
  /** Requests refused with 503, by reason. */
  readonly shed: Record<ShedReason, number> = {
    requests: 0,
    exports: 0,
    'client-exports': 0,
    'event-loop': 0,
    memory: 0,
    'send-queue': 0,
    time: 0,
  }
  /** Called for each request if metrics are enabled. */
  onRequest: ((route: string, seconds: number) => void) | undefined
  /** Requests refused with 429. */
  rateLimited = 0
  requestsInWork = 0
  /** Streamed responses being sent. */
  exportsOpen = 0

  /** `routeNames` are `segment` or `segment/{parameter}`; `page` is the base path itself. */
  constructor(basePath: string, routeNames: readonly string[]) {
    this.#prefix = `${basePath}/`
    this.#routeNames = ['other', ...routeNames]
    this.#counts = new Float64Array(this.#routeNames.length * statusLimit)
    for (const [route, name] of this.#routeNames.entries()) {
      if (route === 0) continue
      const [segment = '', parameter] = name === 'page' ? [''] : name.split('/')
      // `record` comes before `record/{code}`, if both exist.
      const routes = this.#routesBySegment.get(segment)
      if (routes === undefined) this.#routesBySegment.set(segment, { exact: route, below: route })
      else if (parameter !== undefined) routes.below = route
    }
  }

  /** The number of the route that serves a URL; 0 for an unknown one. */
  routeOf(url: string): number {
    if (!url.startsWith(this.#prefix)) return 0
    const start = this.#prefix.length
    let end = start
    while (end < url.length && url.charCodeAt(end) !== slash && url.charCodeAt(end) !== questionMark) end++
    const routes = this.#routesBySegment.get(url.slice(start, end))
    if (routes === undefined) return 0
    return url.charCodeAt(end) === slash ? routes.below : routes.exact
  }

  count(route: number, status: number, seconds: number): void {
    const index = route * statusLimit + status
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.onRequest?.(this.#routeNames[route] ?? '', seconds)
  }

  /** The counts that are not 0. */
  *requests(): Generator<{ route: string; status: number; requests: number }> {
    for (const [index, requests] of this.#counts.entries()) {
      if (requests === 0) continue
      yield { route: this.#routeNames[Math.floor(index / statusLimit)] ?? '', status: index % statusLimit, requests }
    }
  }
}

const slash = 0x2f
const questionMark = 0x3f
