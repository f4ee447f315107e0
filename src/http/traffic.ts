// Request counters of the process. src/server/metrics.ts exports them to Prometheus.
import type { ShedReason } from './overload-monitor.ts'

const statusesMax = 600

export class Traffic {
  readonly #prefix: string
  readonly #routeNames: readonly string[]
  /** Route numbers of the path that is only this segment, and of every path below it. */
  readonly #routesBySegment = new Map<string, { exact: number; below: number }>()
  readonly #counts: Float64Array
  readonly shed: Record<ShedReason, number> = {
    requests: 0,
    exports: 0,
    'event-loop': 0,
    memory: 0,
    'send-queue': 0,
    time: 0,
  }
  /** Called for each request if metrics are enabled. */
  onRequest: ((route: string, seconds: number) => void) | undefined
  rateLimited = 0
  requestsInWork = 0
  exportsOpen = 0

  /** `routeNames` are `segment` or `segment/{parameter}`; `page` is the base path itself. */
  constructor(basePath: string, routeNames: readonly string[]) {
    this.#prefix = `${basePath}/`
    this.#routeNames = ['other', ...routeNames]
    this.#counts = new Float64Array(this.#routeNames.length * statusesMax)
    for (const [route, name] of this.#routeNames.entries()) {
      if (route === 0) continue
      const [segment = '', parameter] = name === 'page' ? [''] : name.split('/')
      const routes = this.#routesBySegment.get(segment)
      if (routes === undefined) this.#routesBySegment.set(segment, { exact: route, below: route })
      else if (parameter !== undefined) routes.below = route
    }
  }

  /** The number of the route that serves a URL; 0 for an unknown one. */
  routeOf(url: string): number {
    if (!url.startsWith(this.#prefix)) return 0
    const from = this.#prefix.length
    let to = from
    while (to < url.length && url.charCodeAt(to) !== slash && url.charCodeAt(to) !== questionMark) to++
    const routes = this.#routesBySegment.get(url.slice(from, to))
    if (routes === undefined) return 0
    return url.charCodeAt(to) === slash ? routes.below : routes.exact
  }

  count(route: number, status: number, seconds: number): void {
    const index = route * statusesMax + status
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.onRequest?.(this.#routeNames[route] ?? '', seconds)
  }

  *requests(): Generator<{ route: string; status: number; requests: number }> {
    for (const [index, requests] of this.#counts.entries()) {
      if (requests === 0) continue
      yield { route: this.#routeNames[Math.floor(index / statusesMax)] ?? '', status: index % statusesMax, requests }
    }
  }
}

const slash = 0x2f
const questionMark = 0x3f
