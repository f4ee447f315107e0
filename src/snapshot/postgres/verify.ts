// Verifies the registry on PostgreSQL for the command `check`: reads every row, compares the rows with their checksums,
// the tables with their digests (SHA-256) and the counts of records with each other, and searches for a few records.
import { t } from '../../language.ts'
import { type CheckResult, type RegistryStore, StoreFault } from '../contract.ts'
import { noDocuments } from '../document-totals.ts'
import { tables } from '../schema.ts'
import { checkTitles, describeWrongCounts } from '../spot-check.ts'
import { type PostgresAddress, parseAddress, toHostName } from './address.ts'
import { Connection } from './connection.ts'
import { isDamage, isMissing, reasonOf } from './errors.ts'
import { findNewest, type SnapshotEntry, statusStatement, toSnapshotEntry } from './schema.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { openPostgresStore } from './store.ts'

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
    const store = resources.adopt(await openNewest(url), (opened) => opened.close())
    const snapshot = store.current()
    const { id, records } = snapshot.metadata
    const { connection, found } = await connectReader(address, (candidate) => findSchema(candidate, address, id))
    resources.adopt(connection, (opened) => opened.close())
    const reader = new SnapshotReader(connection, address, found)
    const { recordsWithoutText, ...counts } = await reader.countRecords()
    faults.push(...describeWrongCounts(counts, records))
    for (const table of tables) faults.push(...(await reader.checkDigest(table)))
    faults.push(...(await checkTitles(snapshot, (position) => reader.readRecord(position))))
    const documents = await reader.readDocuments()
    return { metadata: snapshot.metadata, faults, recordsWithoutText, documents }
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

/** Whether the first host that answers has a registry. Throws `StoreFault` if no host answers. */
export async function postgresStoreExists(url: string): Promise<boolean> {
  const address = parseAddress(url)
  const { connection, found } = await connectReader(address, (host) => readEntries(host, address.connectTimeoutMs))
  await connection.close()
  return found.length > 0
}

/** Opens the newest snapshot of all hosts. If it cannot be read, throws why: the store would serve an older one. */
async function openNewest(url: string): Promise<RegistryStore> {
  const refusals: StoreFault[] = []
  const store = await openPostgresStore(url, { onRefused: (fault) => refusals.push(fault) })
  const [refusal] = refusals
  if (refusal === undefined) return store
  await store.close()
  throw refusal
}

/**
 * Connects to the first host that answers and for which `find` does not return null. Returns the connection and what
 * `find` has found there. Throws `StoreFault` if there is no such host.
 */
async function connectReader<T>(
  address: PostgresAddress,
  find: (candidate: Connection) => Promise<T | null>,
): Promise<{ connection: Connection; found: T }> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    // A connection for `import` turns off the statement timeout of the server, except behind PgBouncer.
    const connection = new Connection(address, host, 'import')
    try {
      await connection.query({ text: 'SELECT 1' }, address.connectTimeoutMs)
      const found = await find(connection)
      if (found !== null) return { connection, found }
      reasons.push(t`${toHostName(host)}: it does not have the newest snapshot`)
      await connection.close()
    } catch (error) {
      reasons.push(`${toHostName(host)}: ${reasonOf(error, address.pgbouncer)}`)
      connection.destroy()
    }
  }
  throw new StoreFault(
    t`Cannot open ${address.display}: ${reasons.join('; ')}; start the database or correct --database`,
  )
}

/** The schema of the host's newest snapshot; null if its id is another one, as on a standby that lags behind. */
async function findSchema(candidate: Connection, address: PostgresAddress, id: string): Promise<string | null> {
  const newest = findNewest(await readEntries(candidate, address.connectTimeoutMs))
  return newest?.id === id ? newest.name : null
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
