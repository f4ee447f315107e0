// Continues the change log in a new snapshot on PostgreSQL: copies the log of the snapshot in service and appends the
// difference between the two snapshots. The log lists the records that each publication has added, changed or removed.
// This is a step of publication, inside the transaction of load.ts. ../change-log.ts has the rules that both engines,
// SQLite and PostgreSQL, share.
import type { TransactionSql } from 'postgres'
import type { ChangeKind } from '../../domain/change.ts'
import {
  logProperties,
  mayContinueLog,
  toChangeRow,
  toCopyStatement,
  toDifferenceQuery,
  toTrimStatement,
} from '../change-log.ts'
import { TableDigester, type Value } from '../checksum.ts'
import { formatVersion, type Table, tables } from '../schema.ts'
import { toArrayLiteral } from './connection.ts'

/** Number of changes that are inserted with one statement, and of rows that a cursor returns at once. */
const batchChanges = 5000

/**
 * Replaces the log of the new snapshot by the continued log of the snapshot in service. `newSchema` is the schema of
 * the new snapshot. The log that load.ts has copied there from a SQLite file stays if no snapshot of this format is in
 * service, or if its log may not be continued (`mayContinueLog`): in an import that is an empty log; if a registry on
 * SQLite is moved to PostgreSQL, the log of that registry.
 *
 * Rejects if the snapshot in service is damaged, for example if a table is missing. load.ts then undoes this step,
 * warns the operator, and publishes the new snapshot with the log of its file.
 */
export async function continueLog(transaction: TransactionSql, newSchema: string): Promise<void> {
  const [inService] = await transaction.unsafe(
    `SELECT name FROM registry.snapshot WHERE retired_at IS NULL AND format = ${formatVersion}`,
  )
  if (inService === undefined) return
  const servedSchema = String(inService.name)
  const servedProperties = await readLogProperties(transaction, servedSchema)
  if (!mayContinueLog(await readLogProperties(transaction, newSchema), servedProperties)) return
  await transaction.unsafe(`TRUNCATE ${newSchema}.change; ${toCopyStatement(`${newSchema}.`, `${servedSchema}.`)}`)
  const last = await appendDifference(transaction, newSchema, servedSchema)
  await transaction.unsafe(toTrimStatement(`${newSchema}.`, last))
  // The new snapshot takes over the lineage (the id of the log) and the time at which the log was started. The third
  // property, `fictional`, is equal in both snapshots.
  for (const [name, value] of servedProperties) {
    await transaction.unsafe(`UPDATE ${newSchema}.property SET value = $1 WHERE name = $2`, [value, name])
  }
  // The digests of the two tables that were changed here.
  for (const table of tables.filter(({ name }) => name === 'change' || name === 'property')) {
    await updateDigest(transaction, newSchema, table)
  }
}

/** Appends a change for each record that differs, numbered after the last one. Returns the new last number. */
async function appendDifference(transaction: TransactionSql, newSchema: string, servedSchema: string): Promise<number> {
  const [row] = await transaction.unsafe(`SELECT coalesce(max(number), 0) AS last FROM ${newSchema}.change`)
  const last = Number(row?.last)
  // This process computes the checksum of each row of the log, so it fetches the differences and inserts the rows. A
  // connection cannot insert while it reads a cursor, so a table keeps the differences, which are fetched in batches.
  // `created.count` is the number of its rows.
  const differenceQuery = toDifferenceQuery(`${newSchema}.`, `${servedSchema}.`)
  const created = await transaction.unsafe(`
    CREATE TABLE ${newSchema}.difference AS
      SELECT row_number() OVER () AS ordinal, kind, code FROM (${differenceQuery}) AS sorted`)
  const at = new Date().toISOString()
  const toRow = ({ ordinal, kind, code }: Record<string, unknown>): Value[] =>
    toChangeRow({ number: last + Number(ordinal), kind: kind as ChangeKind, code: String(code), at })
  for (let inserted = 0; inserted < created.count; inserted += batchChanges) {
    const batch = await transaction.unsafe(
      `SELECT ordinal::integer, kind, code FROM ${newSchema}.difference
       WHERE ordinal > ${inserted} AND ordinal <= ${inserted + batchChanges} ORDER BY ordinal`,
    )
    await insertChanges(transaction, newSchema, batch.map(toRow))
  }
  await transaction.unsafe(`DROP TABLE ${newSchema}.difference`)
  return last + created.count
}

/**
 * Inserts rows of the table `change`. Each of its five columns (number, kind, code, time, checksum) is one array
 * parameter; `unnest` makes rows of them.
 */
async function insertChanges(transaction: TransactionSql, schema: string, rows: readonly Value[][]): Promise<void> {
  const columns = [0, 1, 2, 3, 4].map((column) => toArrayLiteral(rows.map((row) => row[column] as string | number)))
  await transaction.unsafe(
    `INSERT INTO ${schema}.change
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::integer[])`,
    columns,
  )
}

/** The properties of a snapshot that concern its log (`logProperties`), by name. Absent ones are left out. */
async function readLogProperties(transaction: TransactionSql, schema: string): Promise<Map<string, string>> {
  const names = logProperties.map((name) => `'${name}'`).join(', ')
  const rows = await transaction.unsafe(`SELECT name, value FROM ${schema}.property WHERE name IN (${names})`)
  return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
}

/** Computes the digest of a table that has changed, and stores it. */
async function updateDigest(transaction: TransactionSql, schema: string, table: Table): Promise<void> {
  const { name, columns, key } = table
  const digester = new TableDigester(table)
  const query = `SELECT ${Object.keys(columns).join(', ')} FROM ${schema}.${name} ORDER BY ${key}`
  for await (const batch of transaction.unsafe(query).values().cursor(batchChanges)) {
    // A row of `change` has a checksum, which is verified; a row of `property` has none.
    for (const row of batch) digester.verifyAndAdd(row as unknown as Value[])
  }
  const { rows, sha256 } = digester.finish()
  await transaction.unsafe(`UPDATE ${schema}.table_digest SET rows = $1, sha256 = $2 WHERE name = $3`, [
    rows,
    sha256,
    name,
  ])
}
