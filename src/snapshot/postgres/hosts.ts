// The hosts of one registry, and which of them answers a question: a standby that holds the snapshot, the least busy
// first, the primary where no standby does. Where one fails another is asked; snapshots never change, so a search may
// even change hosts in its middle.
import { StoreUnavailable } from '../contract.ts'
import type { PostgresAddress } from './address.ts'
import { Overdue, type Question, type Row } from './connection.ts'
import { isOurMistake, reasonOf } from './errors.ts'
import { Host } from './host.ts'

/** A question is answered within this, by whichever host, or the registry is unavailable: 503 within a second. */
const answerMs = 800

/** Attempts at one question: as many hosts, or once more where a single connection of the only host was lost. */
const attemptsMin = 2

export class Hosts {
  readonly all: readonly Host[]
  readonly #display: string
  #turn = 0

  constructor(address: PostgresAddress, onLook: () => void) {
    this.#display = address.display
    this.all = address.hosts.map((host) => new Host(address, host, onLook))
  }

  /** Throws `StoreUnavailable` when no host answers in time. */
  async ask(snapshot: string, question: Question, withinMs: number = answerMs): Promise<Row[]> {
    const deadline = performance.now() + withinMs
    const tried: Host[] = []
    let failure: unknown
    for (let attempts = Math.max(this.all.length, attemptsMin); attempts > 0; attempts--) {
      const host = this.#choose(snapshot, tried)
      const restMs = deadline - performance.now()
      if (host === undefined || restMs <= 0) break
      tried.push(host)
      try {
        // While there is another host to turn to, a silent one gets half of the time.
        const others = this.all.some((other) => other !== host && other.has(snapshot) && !tried.includes(other))
        return await host.ask(question, others ? restMs / 2 : restMs)
      } catch (error) {
        if (isOurMistake(error)) throw error
        failure = error
      }
    }
    throw new StoreUnavailable(`Cannot read ${this.#display}: ${this.#reason(failure)}`, { cause: failure })
  }

  /** Whether some host holds the snapshot and is up. */
  hold(snapshot: string): boolean {
    return this.all.some((host) => host.has(snapshot))
  }

  /** One phrase on every host that is down. */
  get downReasons(): string {
    return this.all.flatMap(({ name, state }) => (state.kind === 'down' ? [`${name}: ${state.reason}`] : [])).join('; ')
  }

  async look(): Promise<void> {
    await Promise.all(this.all.map((host) => host.look()))
  }

  watch(): void {
    for (const host of this.all) host.watch()
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((host) => host.close()))
  }

  /** Hosts that have failed this question come last, before them those that have just failed another. */
  #choose(snapshot: string, tried: readonly Host[]): Host | undefined {
    this.#turn = (this.#turn + 1) % this.all.length
    const inTurn = [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)]
    const rank = (host: Host): number =>
      tried.filter((other) => other === host).length * 4 + (host.isSuspect ? 2 : 0) + (host.isStandby ? 0 : 1)
    return inTurn.filter((host) => host.has(snapshot)).sort((a, b) => rank(a) - rank(b) || a.load - b.load)[0]
  }

  #reason(failure: unknown): string {
    const down = this.downReasons
    if (down !== '') return down
    return failure === undefined || failure instanceof Overdue ? 'no host answers in time' : reasonOf(failure)
  }
}
