// The hosts of a registry on PostgreSQL, and the choice of the host for each statement: usually the standby with the
// least load that has the snapshot, or the primary if no standby has it (`#choose` has all criteria). If a host fails,
// another is tried. Snapshots never change, so the statements of one search may go to different hosts.
import { t } from '../../language.ts'
import { StoreUnavailable } from '../contract.ts'
import type { PostgresAddress } from './address.ts'
import { NoAnswer, type Row, type Statement } from './connection.ts'
import { isInvalidStatement, reasonOf } from './errors.ts'
import { Host } from './host.ts'

/** If no host answers a statement in this time, the registry is unavailable, and a request gets 503 within a second. */
const queryTimeoutMs = 800

/**
 * A statement that fails is tried as often as there are hosts, and at least this often: if the connection to a single
 * host is lost, the second attempt opens a new one.
 */
const attemptsMin = 2

export class Hosts {
  readonly all: readonly Host[]
  readonly #address: PostgresAddress
  /** Round robin: the index of the host that `#choose` prefers among hosts that are equal by all other criteria. */
  #nextIndex = 0

  /** `onProbe` is called after every health check of any host. */
  constructor(address: PostgresAddress, onProbe: () => void) {
    this.#address = address
    this.all = address.hosts.map((host) => new Host(address, host, onProbe))
  }

  /**
   * Runs a statement on a host that has the snapshot. `snapshot` is the name of its schema. Throws the error of the
   * driver if the statement is invalid, `StoreUnavailable` if all attempts fail or no host has the snapshot.
   */
  async query(snapshot: string, statement: Statement, timeoutMs: number = queryTimeoutMs): Promise<Row[]> {
    const deadlineAt = performance.now() + timeoutMs
    const tried: Host[] = []
    let failure: unknown
    const attemptsMax = Math.max(this.all.length, attemptsMin)
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const host = this.#choose(snapshot, tried)
      const remainingMs = deadlineAt - performance.now()
      if (host === undefined || remainingMs <= 0) break
      tried.push(host)
      try {
        // If another host can be tried after this one, this one gets only half of the remaining time.
        const hasOther = this.all.some((other) => other !== host && other.canServe(snapshot) && !tried.includes(other))
        return await host.query(statement, hasOther ? remainingMs / 2 : remainingMs)
      } catch (error) {
        if (isInvalidStatement(error)) throw error
        failure = error
      }
    }
    throw new StoreUnavailable(t`Cannot read ${this.#address.display}: ${this.#describe(failure)}`, { cause: failure })
  }

  /** Whether a host is up and has the snapshot. */
  anyCanServe(snapshot: string): boolean {
    return this.all.some((host) => host.canServe(snapshot))
  }

  /** For each host that is down its name and the reason, as in `db1: no answer in time; db2: …`. Empty if none is. */
  get downReasons(): string {
    return this.all
      .flatMap(({ name, state }) => (state.kind === 'down' ? [`${name}: ${state.describe()}`] : []))
      .join('; ')
  }

  /** Checks the health of all hosts once. */
  async probe(): Promise<void> {
    await Promise.all(this.all.map((host) => host.probe()))
  }

  /** Repeats the health checks until `close`. */
  watch(): void {
    for (const host of this.all) host.watch()
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((host) => host.close()))
  }

  /**
   * Chooses among the hosts that are up and have the snapshot. Prefers hosts that this statement has tried less often,
   * then hosts that have lost no statement since their last successful health check (`Host.isSuspect`), then standbys,
   * then hosts with a low load. Undefined if no host is up and has the snapshot.
   */
  #choose(snapshot: string, tried: readonly Host[]): Host | undefined {
    this.#nextIndex = (this.#nextIndex + 1) % this.all.length
    const rotated = [...this.all.slice(this.#nextIndex), ...this.all.slice(0, this.#nextIndex)]
    // Each weight (4, 2, 1) is more than all lower ones together, so the criteria apply in this order.
    const penaltyOf = (host: Host): number =>
      tried.filter((other) => other === host).length * 4 + (host.isSuspect ? 2 : 0) + (host.isStandby ? 0 : 1)
    return rotated
      .filter((host) => host.canServe(snapshot))
      .sort((a, b) => penaltyOf(a) - penaltyOf(b) || a.load - b.load)[0]
  }

  /** Why no host has answered. `failure` is the last error; undefined if no host could be tried. */
  #describe(failure: unknown): string {
    const down = this.downReasons
    if (down !== '') return down
    if (failure === undefined || failure instanceof NoAnswer) return t`no host answers in time`
    // After an error that PgBouncer may have caused, the reason advises to add `pgbouncer=true` to the address, unless
    // the address has it.
    return reasonOf(failure, this.#address.pgbouncer)
  }
}
