// Last steps of a publication on PostgreSQL, inside the transaction of load.ts: count the copied rows, compare with
// the snapshot in service, and replace it by the new one. `schema` is always the schema of the new snapshot.
import type { TransactionSql } from 'postgres'
import { t } from '../../language.ts'
import { comparedColumns, compareSnapshots } from '../comparison.ts'
import { type SnapshotDifference, type SnapshotMetadata, StoreFault } from '../contract.ts'
import { formatVersion, tables } from '../schema.ts'
import { isColumnMismatch } from './errors.ts'
import { inSavepoint } from './transaction.ts'

/** Statements that collect the statistics from which PostgreSQL plans queries. */
export function toAnalyseStatements(schema: string): string {
  return tables.map(({ name }) => `ANALYZE ${schema}.${name};`).join(' ')
}

/**
 * Throws `StoreFault` if a table does not have as many rows as in the snapshot file. `table_digest`, which was copied
 * from the file too, has the number of rows of each table.
 */
export async function verifyCopy(transaction: TransactionSql, schema: string): Promise<void> {
  for (const { name } of tables) {
    const [counts] = await transaction.unsafe(
      `SELECT (SELECT count(*) FROM ${schema}.${name}) AS arrived, rows AS sent
       FROM ${schema}.table_digest WHERE name = '${name}'`,
    )
    if (counts !== undefined && Number(counts.arrived) === Number(counts.sent)) continue
    throw new StoreFault(
      t`Cannot publish ${name}: ${String(counts?.sent)} rows were sent, ${String(counts?.arrived)} arrived`,
    )
  }
}

/**
 * Compares the new snapshot with the one in service. Null if none is in service, or if the format of the one in service
 * lacks a column of the comparison.
 */
export async function compareWithPrevious(
  transaction: TransactionSql,
  schema: string,
): Promise<SnapshotDifference | null> {
  const columns = comparedColumns.map((column) => `'${column}'`).join(', ')
  // A query on a column that does not exist would abort the transaction, so the columns are looked up first.
  const [previous] = await transaction.unsafe(
    `SELECT name, format FROM registry.snapshot AS snapshot WHERE retired_at IS NULL AND (
       SELECT count(*) FROM information_schema.columns
       WHERE table_schema = snapshot.name AND table_name = 'record' AND column_name IN (${columns})
     ) = ${comparedColumns.length}`,
  )
  if (previous === undefined) return null
  return await compareSnapshots({
    select: (sql) => transaction.unsafe(sql).values(),
    // The schemas of the two snapshots, with their dots.
    next: `${schema}.`,
    previous: `${previous.name}.`,
    isSameFormat: previous.format === formatVersion,
  })
}

/**
 * SQL expression for the time of a publication: the time of the clock, or the start of the second after the last
 * publication if that is later. So each publication has a second of its own: a client that keeps a copy tells by
 * `Last-Modified`, which has whole seconds, which of two responses is from the newer snapshot (docs/api.md). A
 * publication more than a minute ahead of the clock does not count, because a wrong clock has set its time.
 */
const publicationTime = `greatest(
  clock_timestamp(),
  (SELECT date_trunc('second', max(published_at)) + interval '1 second' FROM registry.snapshot
   WHERE published_at < clock_timestamp() + interval '1 minute')
)`

/**
 * Replaces the snapshot in service; readers see the new one after the commit. `number` is the number of the
 * publication, from 1. Returns the time of publication.
 */
export async function putInService(
  transaction: TransactionSql,
  number: number,
  schema: string,
  { id, records, fictional }: SnapshotMetadata,
): Promise<Date> {
  await transaction.unsafe('UPDATE registry.snapshot SET retired_at = clock_timestamp() WHERE retired_at IS NULL')
  const [row] = await transaction.unsafe(
    `INSERT INTO registry.snapshot (number, name, id, format, records, fictional, published_at)
     VALUES ($1, $2, $3, $4, $5, $6, ${publicationTime})
     RETURNING published_at`,
    [number, schema, id, formatVersion, records, fictional],
  )
  await replaceView(transaction, schema)
  if (!(row?.published_at instanceof Date)) throw new Error('the snapshot was not put in service')
  return row.published_at
}

/**
 * For a dry run: finds the views because of which `replaceView` would fail, and returns a sentence for each, as in the
 * error of the server. These are the views that depend on `registry.expediente`, if `replaceView` has to drop it. The
 * query reads only the system catalogue, so it does not wait for sessions that have the view locked.
 */
export async function findViewDependents(transaction: TransactionSql, schema: string): Promise<string[]> {
  // The query of a view is a rule in pg_rewrite; `ev_class` is the view. In pg_depend the rule (`objid`) depends on the
  // relations that it reads (`refobjid`), and on its own view, which is left out.
  const rows = await transaction.unsafe(
    `SELECT DISTINCT
       pg_describe_object('pg_class'::regclass, rule.ev_class, 0) || ' depends on view registry.expediente' AS sentence
     FROM pg_depend AS dependency
       JOIN pg_rewrite AS rule ON dependency.classid = 'pg_rewrite'::regclass AND dependency.objid = rule.oid
     WHERE dependency.refclassid = 'pg_class'::regclass
       AND dependency.refobjid = to_regclass('registry.expediente')
       AND rule.ev_class <> dependency.refobjid
       AND ${toIsColumnLost(schema)}
     ORDER BY sentence`,
  )
  return rows.map(({ sentence }) => String(sentence))
}

/**
 * SQL condition: `registry.expediente` has a column that is missing in the new view, or has another place or type
 * there. Then the view must be dropped. A column that only the new view has can be added to it.
 */
function toIsColumnLost(schema: string): string {
  const selectColumns = 'SELECT attnum, attname, atttypid FROM pg_attribute'
  return `EXISTS (
    ${selectColumns} WHERE attrelid = to_regclass('registry.expediente')
    EXCEPT ${selectColumns} WHERE attrelid = '${schema}.expediente'::regclass
  )`
}

/** Makes the view `registry.expediente`, which is for SQL tools, show the records of the new snapshot. */
async function replaceView(transaction: TransactionSql, schema: string): Promise<void> {
  const definition = `VIEW registry.expediente AS SELECT * FROM ${schema}.expediente`
  // Without the limit, a tool that leaves its transaction open would block the import for ever.
  await transaction.unsafe(`SET LOCAL lock_timeout = '5min'`)
  try {
    // CREATE OR REPLACE keeps the privileges on the view, and the views that others have based on it.
    await inSavepoint(transaction, (savepoint) => savepoint.unsafe(`CREATE OR REPLACE ${definition}`))
  } catch (error) {
    if (!isColumnMismatch(error)) throw error
    // The new view has other columns, so it cannot replace the old one, which is dropped with its privileges. If others
    // have based views on it, DROP VIEW fails, and so does the import, because their views must not be lost.
    await transaction.unsafe(`DROP VIEW registry.expediente; CREATE ${definition}`)
  }
}
