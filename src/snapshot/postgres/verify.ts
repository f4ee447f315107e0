// Verifies the registry on PostgreSQL for the command `check`: reads every row, compares digests and counts, and
// searches for a few records.
import { t } from '../../language.ts'
import { ChecksumMismatch, describeDifference, TableDigester, type Value } from '../checksum.ts'
import { type CheckResult, StoreFault } from '../contract.ts'
import { type DocumentTotals, noDocuments } from '../document-totals.ts'
import { type Table, tables } from '../schema.ts'
import { checkTitles, type SampledRecord } from '../spot-check.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import { Connection, type Row } from './connection.ts'
import { isMissing, reasonOf } from './errors.ts'
import { findNewest, type SnapshotEntry, statusStatement, toEntry } from './schema.ts'
import { openPostgresStore } from './store.ts'

/** Counting a large registry takes minutes. Only a server that hangs reaches this. */
const countTimeoutMs = 30 * 60_000

/** Throws `StoreFault` if there is no registry. */
export async function checkPostgresStore(url: string): Promise<CheckResult> {
  const address = parseAddress(url)
  await using resources = new AsyncDisposableStack()
  const store = resources.adopt(await openPostgresStore(url), (opened) => opened.close())
  const connection = resources.adopt(await connectReader(address), (opened) => opened.close())
  try {
    const snapshot = store.current()
    // The store serves the newest snapshot too.
    const schema = findNewest(await readEntries(connection, countTimeoutMs))?.name ?? ''
    const query = (text: string): Promise<Row[]> => connection.query({ text }, countTimeoutMs)
    const faults: string[] = []
    const [row] = await query(toCountQuery(schema))
    const [records, positions, years, municipalities, withoutText] = (row ?? []).map(Number)
    for (const [counted, count] of Object.entries({ records, positions, years, municipalities })) {
      if (count === snapshot.metadata.records) continue
      faults.push(t`expected ${snapshot.metadata.records} records, found ${count ?? 0} by counting ${counted}`)
    }
    for (const table of tables) faults.push(...(await checkDigest(connection, schema, table)))
    const readRecord = async (position: number): Promise<SampledRecord | undefined> => {
      const [found] = await query(`SELECT folded_code, wire FROM ${schema}.record WHERE position = ${position}`)
      return found === undefined ? undefined : { foldedCode: String(found[0]), wire: String(found[1]) }
    }
    faults.push(...(await checkTitles(snapshot, readRecord)))
    const [property] = await query(`SELECT value FROM ${schema}.property WHERE name = 'documents'`)
    const documents = JSON.parse(String(property?.[0] ?? '{}')) as DocumentTotals
    return { metadata: snapshot.metadata, faults, recordsWithoutText: withoutText ?? 0, documents }
  } catch (error) {
    return { metadata: null, faults: [reasonOf(error)], recordsWithoutText: 0, documents: noDocuments }
  }
}

/** Whether a host has a registry. Throws `StoreFault` if none can be reached. */
export async function postgresStoreExists(url: string): Promise<boolean> {
  const address = parseAddress(url)
  const connection = await connectReader(address)
  try {
    return (await readEntries(connection, address.connectTimeoutMs)).length > 0
  } finally {
    await connection.close()
  }
}

/** Counts the records in four ways, which must agree, then the records without text. */
function toCountQuery(schema: string): string {
  return `
    SELECT count(*), coalesce(max(position), -1) + 1, (SELECT coalesce(sum(records), 0) FROM ${schema}.year),
      (SELECT coalesce(sum(records), 0) FROM ${schema}.municipality), count(*) FILTER (WHERE has_text = 0)
    FROM ${schema}.record`
}

/** Reads every row of a table, which also finds damaged pages, and compares its digest. Returns the faults. */
async function checkDigest(connection: Connection, schema: string, table: Table): Promise<string[]> {
  const { name, columns, key } = table
  const digester = new TableDigester(table)
  try {
    const rows = connection.sql.unsafe(
      `SELECT ${Object.keys(columns).join(', ')} FROM ${schema}.${name} ORDER BY ${key}`,
    )
    for await (const batch of rows.values().cursor(cursorRows)) {
      for (const row of batch) digester.add(row as unknown as Value[])
    }
  } catch (error) {
    return [error instanceof ChecksumMismatch ? error.message : reasonOf(error)]
  }
  const [stored] = await connection.query(
    { text: `SELECT rows, sha256 FROM ${schema}.table_digest WHERE name = '${name}'` },
    countTimeoutMs,
  )
  const expected = stored === undefined ? undefined : { rows: Number(stored[0]), sha256: String(stored[1]) }
  return describeDifference(table, digester.finish(), expected)
}

/** Rows that are read at once. */
const cursorRows = 1000

/** Connects to the first host that answers. */
async function connectReader(address: PostgresAddress): Promise<Connection> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    // A connection for imports, because that has no statement timeout on the server.
    const connection = new Connection(address, host, 'import')
    try {
      await connection.query({ text: 'SELECT 1' }, address.connectTimeoutMs)
      return connection
    } catch (error) {
      reasons.push(`${host.name}: ${reasonOf(error)}`)
      connection.destroy()
    }
  }
  throw new StoreFault(
    t`Cannot open ${address.display}: ${reasons.join('; ')}; start the database or correct --database`,
  )
}

/** The snapshots of the host; empty if it has no registry. */
async function readEntries(connection: Connection, timeoutMs: number): Promise<SnapshotEntry[]> {
  try {
    const [row] = await connection.query(statusStatement, timeoutMs)
    return (JSON.parse(String(row?.[1] ?? '[]')) as unknown[][]).map(toEntry)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
