// What the service counts of itself: plain numbers that cost a request next to nothing. operate/metrics.ts puts them
// into words for Prometheus when it is asked.
import type { ShedReason } from './overload.ts'

/** The routes that are told apart; everything else is `other`. */
export const routeNames: readonly string[] = [
  'other',
  'record',
  'record/{cod_archivo}',
  'municipality',
  'summary',
  'openapi.json',
  'catalog',
  'docs',
  'problems',
  'assets',
  'page',
  'mcp',
]

const statusesMax = 600

export class Traffic {
  readonly #prefix: string
  readonly #byFirstSegment: ReadonlyMap<string, number>
  readonly #counts = new Float64Array(routeNames.length * statusesMax)
  readonly shed: Record<ShedReason, number> = {
    requests: 0,
    exports: 0,
    'event-loop': 0,
    memory: 0,
    'send-queue': 0,
    time: 0,
  }
  /** Told of each request, where metrics are asked for. */
  onRequest: ((route: string, seconds: number) => void) | undefined
  rateLimited = 0
  requestsInWork = 0
  exportsOpen = 0

  constructor(basePath: string) {
    this.#prefix = `${basePath}/`
    this.#byFirstSegment = new Map(routeNames.map((name, route) => [name === 'page' ? '' : name, route]))
  }

  /** The number of the route that an address belongs to. */
  routeOf(url: string): number {
    if (!url.startsWith(this.#prefix)) return 0
    const from = this.#prefix.length
    let to = from
    while (to < url.length && url.charCodeAt(to) !== slash && url.charCodeAt(to) !== questionMark) to++
    const route = this.#byFirstSegment.get(url.slice(from, to)) ?? 0
    return route === recordRoute && url.charCodeAt(to) === slash ? codeRoute : route
  }

  count(route: number, status: number, seconds: number): void {
    const at = route * statusesMax + status
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.onRequest?.(routeNames[route] ?? '', seconds)
  }

  *requests(): Generator<{ route: string; status: number; requests: number }> {
    for (const [at, requests] of this.#counts.entries()) {
      if (requests === 0) continue
      yield { route: routeNames[Math.floor(at / statusesMax)] ?? '', status: at % statusesMax, requests }
    }
  }
}

const slash = 0x2f
const questionMark = 0x3f
const recordRoute = routeNames.indexOf('record')
const codeRoute = recordRoute + 1
