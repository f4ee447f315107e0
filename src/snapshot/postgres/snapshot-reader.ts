// Reads the tables of one snapshot on one PostgreSQL host, for the command `check` (verify.ts).
import { describeDifference, TableDigester, type Value } from '../checksum.ts'
import type { RegistryDocuments } from '../document-totals.ts'
import type { Table } from '../schema.ts'
import type { SampledRecord } from '../spot-check.ts'
import type { PostgresAddress } from './address.ts'
import type { Connection, Row } from './connection.ts'
import { isDamage, reasonOf } from './errors.ts'

/** How long this process waits for a count or a single row. Counting a large registry takes minutes. */
const checkTimeoutMs = 30 * 60_000

/** How many rows are read from a cursor at once. */
const cursorRows = 1000

type RecordCounts = Readonly<
  Record<'records' | 'positions' | 'years' | 'municipalities' | 'recordsWithoutText', number>
>

export class SnapshotReader {
  readonly #connection: Connection
  readonly #pgbouncer: boolean
  readonly #schema: string

  constructor(connection: Connection, { pgbouncer }: PostgresAddress, schema: string) {
    this.#connection = connection
    this.#pgbouncer = pgbouncer
    this.#schema = schema
  }

  /** Counts the records in four ways: by rows, positions, years and municipalities. Also those without text. */
  async countRecords(): Promise<RecordCounts> {
    const [row] = await this.#withoutServerTimeout(() =>
      this.#query(`
        SELECT count(*), coalesce(max(position), -1) + 1,
          (SELECT coalesce(sum(records), 0) FROM ${this.#schema}.year),
          (SELECT coalesce(sum(records), 0) FROM ${this.#schema}.municipality),
          count(*) FILTER (WHERE has_text = 0)
        FROM ${this.#schema}.record`),
    )
    const [records = 0, positions = 0, years = 0, municipalities = 0, recordsWithoutText = 0] = (row ?? []).map(Number)
    return { records, positions, years, municipalities, recordsWithoutText }
  }

  /**
   * Reads every row of a table, which also finds damaged pages, and compares the digest of the table. Returns an array
   * with one sentence if the table is damaged, else an empty array. Throws if the table cannot be read for another
   * reason.
   */
  async checkDigest(table: Table): Promise<string[]> {
    return await this.#withoutServerTimeout(async () => {
      const digester = new TableDigester(table)
      try {
        await this.#readRows(table, (row) => digester.verifyAndAdd(row))
      } catch (error) {
        if (!isDamage(error)) throw error
        return [reasonOf(error)]
      }
      const [stored] = await this.#query(
        `SELECT rows, sha256 FROM ${this.#schema}.table_digest WHERE name = '${table.name}'`,
      )
      const expected = stored === undefined ? undefined : { rows: Number(stored[0]), sha256: String(stored[1]) }
      return describeDifference(table, digester.finish(), expected)
    })
  }

  async readRecord(position: number): Promise<SampledRecord | undefined> {
    const [row] = await this.#query(`SELECT folded_code, wire FROM ${this.#schema}.record WHERE position = ${position}`)
    return row === undefined ? undefined : { foldedCode: String(row[0]), wire: String(row[1]) }
  }

  async readDocuments(): Promise<RegistryDocuments> {
    const [property] = await this.#query(`SELECT value FROM ${this.#schema}.property WHERE name = 'documents'`)
    return JSON.parse(String(property?.[0] ?? '{}')) as RegistryDocuments
  }

  async #readRows({ name, columns, key }: Table, onRow: (row: Value[]) => void): Promise<void> {
    const query = `SELECT ${Object.keys(columns).join(', ')} FROM ${this.#schema}.${name} ORDER BY ${key}`
    for await (const batch of this.#connection.sql.unsafe(query).values().cursor(cursorRows)) {
      for (const row of batch) onRow(row as unknown as Value[])
    }
  }

  #query(text: string): Promise<Row[]> {
    return this.#connection.query({ text }, checkTimeoutMs)
  }

  /**
   * Runs `read`, which reads a whole table, without a timeout on the server. The session parameters of the connection
   * turn the timeout off (connection.ts), except behind PgBouncer. There a SET would also apply to other clients, so a
   * SET LOCAL in a transaction does it.
   */
  async #withoutServerTimeout<T>(read: () => Promise<T>): Promise<T> {
    if (!this.#pgbouncer) return read()
    await this.#query('BEGIN READ ONLY')
    try {
      await this.#query('SET LOCAL statement_timeout = 0')
      return await read()
    } finally {
      // If this fails, the connection is lost, and the transaction has ended with it.
      await this.#query('ROLLBACK').catch(() => undefined)
    }
  }
}
