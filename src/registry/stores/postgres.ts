// A registry in a PostgreSQL database, for reading: hands out the file that `import` has stored in pieces
// (postgres-target.ts), and the outcome of the last `check --links`.
import { t } from '../../language.ts'
import { type LinkCheck, StoreFault } from '../contract.ts'
import { parseLastImport } from './pointer.ts'
import { type PostgresAddress, parseAddress, toHostName } from './postgres-address.ts'
import { openSession, type Row, reasonOf, type Session, toPostgresFault } from './postgres-session.ts'
import type { Manifest, RemoteStore } from './remote.ts'

/** Size of every piece of a file but the last. */
export const pieceBytes: number = 1024 * 1024

/** A new version must be noticed within a second. */
const pollMs = 300
const pieceTimeoutMs = 15_000
/** A session on a standby is replaced after this time, because the primary may be back. */
const standbyKeptMs = 700

export class PostgresStore implements RemoteStore {
  readonly pollMs: number = pollMs
  readonly #address: PostgresAddress
  /** Null after `close`. */
  #session: { readonly current: Session; readonly openedAt: number } | undefined | null
  /** Number of the newest publication that was seen. */
  #newest = 0
  /** Time of the link check that was read last. */
  #linksCheckedAt = ''

  /** Throws `StoreFault` if the address is invalid. */
  constructor(address: string) {
    this.#address = parseAddress(address)
  }

  async readManifest(): Promise<Manifest | null | 'unchanged'> {
    const [state] = await this.#query(selectState)
    if (state?.isEarlier === true && state.exists !== true) {
      throw new StoreFault(t`Cannot open ${this.#address.display}: an earlier version wrote it; import it again`)
    }
    if (state?.exists !== true) return null
    const [row] = await this.#query(selectNewest)
    if (row === undefined) return null
    const number = Number(row.number)
    // A standby that lags, or that lost its primary, may not have what was seen on another host.
    if (state.isStandby === true && number < this.#newest) return 'unchanged'
    this.#newest = number
    return toManifest(row)
  }

  async *read({ sha256, bytes }: Manifest, offset: number): AsyncGenerator<Uint8Array, void, undefined> {
    let skipped = offset % pieceBytes
    for (let number = Math.floor(offset / pieceBytes); number * pieceBytes < bytes; number++) {
      const text = 'SELECT bytes FROM registry.piece WHERE sha256 = $1 AND number = $2'
      const [row] = await this.#query(text, [sha256, number], pieceTimeoutMs)
      if (!(row?.bytes instanceof Uint8Array)) {
        throw new StoreFault(t`Cannot read ${this.#address.display}: piece ${number} of the registry file is missing`, {
          isTransient: true,
        })
      }
      yield row.bytes.subarray(skipped)
      skipped = 0
    }
  }

  async readLinkCheck(): Promise<LinkCheck | null | 'unchanged'> {
    const [state] = await this.#query(`SELECT to_regclass('registry.link_check') IS NOT NULL AS exists`)
    if (state?.exists !== true) return null
    const [check] = await this.#query('SELECT checked_at::text AS at FROM registry.link_check')
    if (check === undefined) return null
    if (String(check.at) === this.#linksCheckedAt) return 'unchanged'
    const [row] = await this.#query(selectLinkCheck)
    if (row === undefined) return null
    this.#linksCheckedAt = String(check.at)
    return { checkedAt: new Date(Number(row.seconds) * 1000), dead: row.dead as string[] }
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = null
    // A query that is running rejects.
    session?.current.destroy()
  }

  /** Throws `StoreUnreachable` or `StoreFault`. The next call then connects anew, perhaps to another host. */
  async #query(
    text: string,
    parameters: readonly (string | number)[] = [],
    timeoutMs = this.#address.connectTimeoutMs,
  ): Promise<Row[]> {
    const session = await this.#connect()
    try {
      return await session.query(text, parameters, timeoutMs)
    } catch (error) {
      this.#drop()
      const reason = `${toHostName(session.host)}: ${reasonOf(error, this.#address)}`
      throw toPostgresFault(error, t`Cannot read ${this.#address.display}: ${reason}`)
    }
  }

  async #connect(): Promise<Session> {
    const session = this.#session
    if (session === null) throw new StoreFault(t`Cannot read ${this.#address.display}: the registry has been closed`)
    const mayStay = session?.current.isStandby !== true || performance.now() - session.openedAt < standbyKeptMs
    if (session?.current.isOpen === true && mayStay) return session.current
    this.#drop()
    const opened = await openSession(this.#address, 'read')
    if (this.#session === null) opened.destroy()
    else this.#session = { current: opened, openedAt: performance.now() }
    return opened
  }

  #drop(): void {
    this.#session?.current.destroy()
    if (this.#session !== null) this.#session = undefined
  }
}

const selectState = `
  SELECT to_regclass('registry.manifest') IS NOT NULL AS exists, pg_is_in_recovery() AS "isStandby",
    to_regclass('registry.snapshot') IS NOT NULL AS "isEarlier"`

/** The newest publication is the one in service. */
export const selectNewest = `
  SELECT sha256, version, format, bytes, last_import::text AS "lastImport", number FROM registry.manifest
  ORDER BY number DESC LIMIT 1`

const selectLinkCheck = `
  SELECT extract(epoch FROM checked_at) AS seconds,
    (SELECT coalesce(json_agg(address), '[]') FROM registry.dead_link) AS dead
  FROM registry.link_check`

export function toManifest(row: Row): Manifest {
  return {
    version: String(row.version),
    format: Number(row.format),
    bytes: Number(row.bytes),
    sha256: String(row.sha256),
    lastImport: parseLastImport(String(row.lastImport)),
  }
}
