// Stores which links to documents were dead at the last `check --links` of a registry on PostgreSQL. The outcome is in
// two tables of the schema `registry`, outside the snapshots, because a snapshot in service never changes. Each check
// replaces the rows in one transaction. The web page of a record shows the outcome.
import type { TransactionSql } from 'postgres'
import { t } from '../../language.ts'
import { type LinkCheck, StoreFault } from '../contract.ts'
import { parseAddress } from './address.ts'
import { toArrayLiteral } from './connection.ts'
import { writeReasonOf } from './errors.ts'
import type { Hosts } from './hosts.ts'
import { connectPrimary } from './primary.ts'
import { inTransaction } from './transaction.ts'

// If two checks run at the same time, LOCK TABLE makes one wait for the other; readers do not wait. LOCK TABLE comes
// before CREATE INDEX, which locks `dead_link` against writes, even if the index exists. Without LOCK TABLE two checks
// could hold the lock of CREATE INDEX at once, and the DELETE of each would wait for the other: a deadlock. The index
// is a hash index, because an address may be longer than the 2,704 bytes that an entry of a B-tree may have.
const createAndLockTables = `
  CREATE TABLE IF NOT EXISTS registry.link_check (checked_at timestamptz NOT NULL);
  LOCK TABLE registry.link_check IN SHARE ROW EXCLUSIVE MODE;
  CREATE TABLE IF NOT EXISTS registry.dead_link (address text COLLATE "C" NOT NULL);
  CREATE INDEX IF NOT EXISTS dead_link_address ON registry.dead_link USING hash (address);
`

/** How many addresses of documents are inserted with one statement. */
const batchAddresses = 1000

/** Throws `StoreFault` if the outcome cannot be written. */
export async function writePostgresLinkCheck(url: string, { checkedAt, dead }: LinkCheck): Promise<void> {
  const server = parseAddress(url)
  const connection = await connectPrimary(server)
  const replace = async (transaction: TransactionSql): Promise<void> => {
    await transaction.unsafe(createAndLockTables)
    await transaction.unsafe('DELETE FROM registry.dead_link; DELETE FROM registry.link_check')
    await transaction.unsafe('INSERT INTO registry.link_check VALUES ($1)', [checkedAt.toISOString()])
    for (let first = 0; first < dead.length; first += batchAddresses) {
      const batch = toArrayLiteral(dead.slice(first, first + batchAddresses))
      await transaction.unsafe('INSERT INTO registry.dead_link SELECT unnest($1::text[])', [batch])
    }
  }
  try {
    await inTransaction(connection, replace)
  } catch (error) {
    throw new StoreFault(t`Cannot write to ${server.display}: ${writeReasonOf(error, server.pgbouncer)}`, {
      cause: error,
    })
  } finally {
    await connection.close()
  }
}

/**
 * Which of these addresses of documents were dead at the last check. Null if there was none, or its tables cannot be
 * read. `snapshot` is the schema of the snapshot in service; the statements go to a host that has it.
 */
export async function readPostgresLinkCheck(
  hosts: Hosts,
  snapshot: string,
  addresses: readonly string[],
): Promise<LinkCheck | null> {
  try {
    // The tables do not exist before the first check. Reading them then would make the server log an error.
    const [exists] = await hosts.query(snapshot, {
      text: `SELECT to_regclass('registry.link_check') IS NOT NULL AND to_regclass('registry.dead_link') IS NOT NULL`,
    })
    if (exists?.[0] !== true) return null
    const [row] = await hosts.query(snapshot, {
      text: `
        SELECT extract(epoch FROM checked_at), array_to_json(ARRAY(
          SELECT DISTINCT address FROM registry.dead_link WHERE address = ANY ($1::text[])))::text
        FROM registry.link_check`,
      parameters: [toArrayLiteral(addresses)],
    })
    if (row === undefined) return null
    const [checkedAtSeconds, deadJson] = row
    const dead: string[] = JSON.parse(String(deadJson))
    return { checkedAt: new Date(Number(checkedAtSeconds) * 1000), dead }
  } catch {
    // The hosts are down, or the role has no permission to read the tables. The web page then shows no outcome.
    return null
  }
}
