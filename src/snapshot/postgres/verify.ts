// Verifies the registry on PostgreSQL for the command `check`: reads every row, compares the rows with their checksums,
// the tables with their digests (SHA-256) and the counts of records with each other, and searches for a few records.
import { t } from '../../language.ts'
import { describeDifference, TableDigester, type Value } from '../checksum.ts'
import { type CheckResult, StoreFault } from '../contract.ts'
import { noDocuments, type RegistryDocuments } from '../document-totals.ts'
import { type Table, tables } from '../schema.ts'
import { checkTitles, describeWrongCounts, type SampledRecord } from '../spot-check.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import { Connection, type Row } from './connection.ts'
import { isDamage, isMissing, reasonOf } from './errors.ts'
import { findNewest, type SnapshotEntry, statusStatement, toSnapshotEntry } from './schema.ts'
import { openPostgresStore } from './store.ts'

/** Timeout for counting and for single rows. Counting a large registry takes minutes, so the timeout is long. */
const checkTimeoutMs = 30 * 60_000

/**
 * The `faults` of the result have a sentence for each damage. Throws `StoreFault` if there is no registry, and after an
 * error that is no damage, such as a lost connection. If damage was found before such an error, that damage is returned
 * instead.
 */
export async function checkPostgresStore(url: string): Promise<CheckResult> {
  const address = parseAddress(url)
  await using resources = new AsyncDisposableStack()
  const faults: string[] = []
  try {
    const refused: StoreFault[] = []
    const opening = openPostgresStore(url, { onRefused: (fault) => refused.push(fault) })
    const store = resources.adopt(await opening, (opened) => opened.close())
    // If the newest snapshot cannot be read, the store has opened an older one. That one is not checked.
    if (refused[0] !== undefined) throw refused[0]
    const snapshot = store.current()
    // The store has opened the newest snapshot of all hosts. A standby that lags behind does not have this snapshot yet
    // and is not accepted. `schema` becomes the schema of the snapshot on the host that is accepted.
    let schema = ''
    const acceptsHost = async (candidate: Connection): Promise<boolean> => {
      const newest = findNewest(await readEntries(candidate, address.connectTimeoutMs))
      schema = newest?.name ?? ''
      return newest?.id === snapshot.metadata.id
    }
    const connection = resources.adopt(await connectReader(address, acceptsHost), (opened) => opened.close())
    const query = (text: string): Promise<Row[]> => connection.query({ text }, checkTimeoutMs)
    const [counts] = await withoutServerTimeout(connection, address, () => query(toCountQuery(schema)))
    const [records, positions, years, municipalities, recordsWithoutText] = (counts ?? []).map(Number)
    faults.push(...describeWrongCounts({ records, positions, years, municipalities }, snapshot.metadata.records))
    for (const table of tables) {
      faults.push(...(await withoutServerTimeout(connection, address, () => checkDigest(connection, schema, table))))
    }
    const readRecord = async (position: number): Promise<SampledRecord | undefined> => {
      const [found] = await query(`SELECT folded_code, wire FROM ${schema}.record WHERE position = ${position}`)
      return found === undefined ? undefined : { foldedCode: String(found[0]), wire: String(found[1]) }
    }
    faults.push(...(await checkTitles(snapshot, readRecord)))
    const [property] = await query(`SELECT value FROM ${schema}.property WHERE name = 'documents'`)
    const documents = JSON.parse(String(property?.[0] ?? '{}')) as RegistryDocuments
    return { metadata: snapshot.metadata, faults, recordsWithoutText: recordsWithoutText ?? 0, documents }
  } catch (error) {
    if (isDamage(error)) faults.push(reasonOf(error))
    // After damage was found, another error may be its consequence: a damaged posting list cannot be decoded.
    if (faults.length === 0) {
      if (error instanceof StoreFault) throw error
      throw new StoreFault(t`Cannot check ${address.display}: ${reasonOf(error, address.pgbouncer)}`, { cause: error })
    }
    return { metadata: null, faults, recordsWithoutText: 0, documents: noDocuments }
  }
}

/**
 * Runs `read`, which reads a whole table, without a timeout on the server. A session parameter of the connection turns
 * the timeout off (connection.ts), except behind PgBouncer. There a SET would also apply to other clients, so a SET
 * LOCAL in a transaction does it.
 */
async function withoutServerTimeout<T>(
  connection: Connection,
  { pgbouncer }: PostgresAddress,
  read: () => Promise<T>,
): Promise<T> {
  if (!pgbouncer) return read()
  const run = (text: string): Promise<Row[]> => connection.query({ text }, checkTimeoutMs)
  await run('BEGIN READ ONLY')
  try {
    await run('SET LOCAL statement_timeout = 0')
    return await read()
  } finally {
    // If this fails, the connection is lost, and the transaction has ended with it.
    await run('ROLLBACK').catch(() => undefined)
  }
}

/** Whether the first host that answers has a registry. Throws `StoreFault` if no host answers. */
export async function postgresStoreExists(url: string): Promise<boolean> {
  const address = parseAddress(url)
  const connection = await connectReader(address)
  try {
    return (await readEntries(connection, address.connectTimeoutMs)).length > 0
  } finally {
    await connection.close()
  }
}

/** Counts the records in four ways: by rows, positions, years and municipalities. Also counts records without text. */
function toCountQuery(schema: string): string {
  return `
    SELECT count(*), coalesce(max(position), -1) + 1, (SELECT coalesce(sum(records), 0) FROM ${schema}.year),
      (SELECT coalesce(sum(records), 0) FROM ${schema}.municipality), count(*) FILTER (WHERE has_text = 0)
    FROM ${schema}.record`
}

/**
 * Reads every row of a table, which also finds damaged pages, and compares the digest of the table. Returns an array
 * with one sentence if the table is damaged, else an empty array. Throws if the table cannot be read for another
 * reason.
 */
async function checkDigest(connection: Connection, schema: string, table: Table): Promise<string[]> {
  const { name, columns, key } = table
  const digester = new TableDigester(table)
  try {
    const rows = connection.sql.unsafe(
      `SELECT ${Object.keys(columns).join(', ')} FROM ${schema}.${name} ORDER BY ${key}`,
    )
    for await (const batch of rows.values().cursor(cursorRows)) {
      for (const row of batch) digester.verifyAndAdd(row as unknown as Value[])
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    return [reasonOf(error)]
  }
  const [stored] = await connection.query(
    { text: `SELECT rows, sha256 FROM ${schema}.table_digest WHERE name = '${name}'` },
    checkTimeoutMs,
  )
  const expected = stored === undefined ? undefined : { rows: Number(stored[0]), sha256: String(stored[1]) }
  return describeDifference(table, digester.finish(), expected)
}

/** How many rows are read from the cursor at once. */
const cursorRows = 1000

/** Connects to the first host that answers and is accepted. Throws `StoreFault` if there is none. */
async function connectReader(
  address: PostgresAddress,
  accepts: (candidate: Connection) => Promise<boolean> = async () => true,
): Promise<Connection> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    // The purpose is `import`, because such a connection has no statement timeout on the server.
    const connection = new Connection(address, host, 'import')
    try {
      await connection.query({ text: 'SELECT 1' }, address.connectTimeoutMs)
      if (await accepts(connection)) return connection
      reasons.push(t`${host.name}: it does not have the newest snapshot`)
      await connection.close()
    } catch (error) {
      reasons.push(`${host.name}: ${reasonOf(error, address.pgbouncer)}`)
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
    const [, snapshotsJson] = row ?? []
    return (JSON.parse(String(snapshotsJson ?? '[]')) as unknown[][]).map(toSnapshotEntry)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
