// One PostgreSQL host: a pool of links to it, and the watch over it, which has a link of its own, so that load never
// passes for death. What a host holds is asked several times a second: a standby that lags is known by lacking the
// newest snapshot, and nothing else about lag matters, since snapshots never change.
import type { HostAddress, PostgresAddress } from './address.ts'
import { Link, Overdue, type Question, type Row } from './connection.ts'
import { isConnectionKept, isMissing, reasonOf } from './errors.ts'
import { type SnapshotEntry, statusQuestion, toEntry } from './schema.ts'

/** Between two looks at a host; while it is down the pause doubles up to the maximum. */
const watchMs = 300
const watchDownMsMax = 1000

/** A host that leaves the watch without an answer for so long is down. With the pause: less than a second in all. */
const watchAnswerMs = 500

/** Questions that may wait for a connection; beyond that more waiting only makes everyone late. */
const waitingMax = 1000

export type HostState =
  | { readonly kind: 'up'; readonly isStandby: boolean; readonly snapshots: readonly SnapshotEntry[] }
  | { readonly kind: 'down'; readonly reason: string }

export class Host {
  readonly name: string
  state: HostState = { kind: 'down', reason: 'not asked yet' }
  /** Left a question without an answer, and has not been looked at since. */
  isSuspect = false
  readonly #address: PostgresAddress
  readonly #host: HostAddress
  readonly #onLook: () => void
  readonly #links = new Set<Link>()
  readonly #idle: Link[] = []
  readonly #waiting: PromiseWithResolvers<Link>[] = []
  #watcher: Link
  #timer: NodeJS.Timeout | undefined
  #pauseMs = watchMs
  #looking: Promise<void> | undefined
  #closed = false

  /** `onLook` is called after every look at the host. */
  constructor(address: PostgresAddress, host: HostAddress, onLook: () => void) {
    this.#address = address
    this.#host = host
    this.#onLook = onLook
    this.name = host.port === 5432 ? host.name : `${host.name}:${host.port}`
    this.#watcher = new Link(address, host, 'serve')
  }

  has(snapshot: string): boolean {
    return this.state.kind === 'up' && this.state.snapshots.some(({ name }) => name === snapshot)
  }

  get isStandby(): boolean {
    return this.state.kind === 'up' && this.state.isStandby
  }

  /** Questions under way or waiting. */
  get load(): number {
    return this.#links.size - this.#idle.length + this.#waiting.length
  }

  async ask(question: Question, withinMs: number): Promise<Row[]> {
    const startedAt = performance.now()
    const link = await this.#take(withinMs)
    try {
      const rows = await link.ask(question, withinMs - (performance.now() - startedAt))
      this.#giveBack(link)
      return rows
    } catch (error) {
      if (isConnectionKept(error)) this.#giveBack(link)
      else {
        this.#discard(link)
        // The idle ones may be lost as well: the next attempt takes a new one, which tells.
        for (const idle of this.#idle.splice(0)) this.#discard(idle)
        this.isSuspect = true
        // A broken connection is often the first sign of a broken host: look at once.
        void this.look()
      }
      throw error
    }
  }

  /** Asks the host how it is and what it holds. Looks that overlap are one. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Keeps looking until the host is closed. */
  watch(): void {
    if (this.#closed) return
    this.#timer = setTimeout(async () => {
      await this.look()
      this.watch()
    }, this.#pauseMs).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.state = { kind: 'down', reason: 'closed' }
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Overdue('closed'))
    await Promise.all([this.#watcher, ...this.#links].map((link) => link.close()))
  }

  async #look(): Promise<void> {
    if (this.#closed) return
    try {
      // A lost connection is not yet a lost host: only a new one that fails too says so. Silence says it at once.
      const [row] = await this.#askWatcher().catch((error: unknown) => {
        if (error instanceof Overdue || isMissing(error)) throw error
        this.#renewWatcher()
        return this.#askWatcher()
      })
      this.#comeUp(row?.[0] === true, JSON.parse(String(row?.[1] ?? '[]')).map(toEntry))
    } catch (error) {
      if (isMissing(error)) this.#comeUp(false, [])
      else this.#goDown(error)
    }
    if (!this.#closed) this.#onLook()
  }

  #askWatcher(): Promise<Row[]> {
    return this.#watcher.ask(statusQuestion, this.#watcher.answered ? watchAnswerMs : this.#address.connectMs)
  }

  #renewWatcher(): void {
    this.#watcher.destroy()
    if (!this.#closed) this.#watcher = new Link(this.#address, this.#host, 'serve')
  }

  #comeUp(isStandby: boolean, snapshots: readonly SnapshotEntry[]): void {
    if (this.#closed) return
    this.state = { kind: 'up', isStandby, snapshots }
    this.isSuspect = false
    this.#pauseMs = watchMs
  }

  #goDown(error: unknown): void {
    this.#pauseMs = this.state.kind === 'up' ? watchMs : Math.min(this.#pauseMs * 2, watchDownMsMax)
    this.state = { kind: 'down', reason: reasonOf(error) }
    this.#renewWatcher()
    // Whoever still waits for an answer from here learns of it now and can go elsewhere.
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
    for (const link of this.#links) this.#discard(link)
  }

  #take(withinMs: number): Promise<Link> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return Promise.resolve(idle)
    if (this.#closed) return Promise.reject(new Overdue('closed'))
    if (this.#links.size < this.#address.poolMax) return Promise.resolve(this.#open())
    if (this.#waiting.length >= waitingMax) return Promise.reject(new Overdue('too many questions are waiting'))
    const waiting = Promise.withResolvers<Link>()
    this.#waiting.push(waiting)
    const timer = setTimeout(() => {
      const index = this.#waiting.indexOf(waiting)
      if (index < 0) return
      this.#waiting.splice(index, 1)
      waiting.reject(new Overdue('no connection became free'))
    }, withinMs)
    return waiting.promise.finally(() => clearTimeout(timer))
  }

  #open(): Link {
    const link = new Link(this.#address, this.#host, 'serve')
    this.#links.add(link)
    return link
  }

  #giveBack(link: Link): void {
    if (!this.#links.has(link)) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#idle.push(link)
    else waiting.resolve(link)
  }

  #discard(link: Link): void {
    link.destroy()
    if (!this.#links.delete(link)) return
    const index = this.#idle.indexOf(link)
    if (index >= 0) this.#idle.splice(index, 1)
    const waiting = this.#waiting.shift()
    if (waiting !== undefined) waiting.resolve(this.#open())
  }
}
