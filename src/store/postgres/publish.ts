// The last steps of a publication, all inside its transaction: is what arrived what was sent, what does it change, and
// the switch itself.
import type { TransactionSql } from 'postgres'
import { formatVersion } from '../sqlite/schema.ts'
import { type Publication, type SnapshotFacts, StoreFault } from '../store.ts'
import type { Sent } from './copy.ts'
import { snapshotTables } from './schema.ts'

/** Statistics for the planner, though every statement reads by key. */
export function analyse(schema: string): string {
  return snapshotTables.map(({ name }) => `ANALYZE ${schema}.${name};`).join(' ')
}

/** Every table must hold as many rows and as many bytes as were sent. */
export async function verifyCopy(
  sent: ReadonlyMap<string, Sent>,
  transaction: TransactionSql,
  schema: string,
): Promise<void> {
  for (const { name, columns } of snapshotTables) {
    const lengths = Object.entries(columns).flatMap(([column, kind]) =>
      kind === 'text' || kind === 'bytea' ? [`coalesce(octet_length(${column}), 0)`] : [],
    )
    const measure = `SELECT count(*) AS "rows", coalesce(sum(${lengths.join(' + ') || '0'}), 0) AS bytes FROM`
    const [found] = await transaction.unsafe(`${measure} ${schema}.${name}`)
    const { rows, bytes } = sent.get(name) ?? { rows: 0, bytes: 0 }
    if (Number(found?.rows) === rows && Number(found?.bytes) === bytes) continue
    const arrived = `${found?.rows} of ${found?.bytes} arrived`
    throw new StoreFault(`Cannot publish ${name}: ${rows} rows of ${bytes} bytes were sent, ${arrived}`)
  }
}

/** Against the snapshot in service; null where there is none, or one that reads otherwise. */
export async function compare(transaction: TransactionSql, schema: string): Promise<Publication['changes']> {
  const [previous] = await transaction.unsafe(
    `SELECT name FROM registry.snapshot WHERE retired_at IS NULL AND format = ${formatVersion}`,
  )
  if (previous === undefined) return null
  const [row] = await transaction.unsafe(
    `SELECT count(*) AS both, count(*) FILTER (WHERE old.digest <> new.digest) AS changed,
       (SELECT count(*) FROM ${schema}.record) AS now, (SELECT count(*) FROM ${previous.name}.record) AS before
     FROM ${schema}.record AS new JOIN ${previous.name}.record AS old USING (folded_code)`,
  )
  if (row === undefined) return null
  const both = Number(row.both)
  return { added: Number(row.now) - both, changed: Number(row.changed), gone: Number(row.before) - both }
}

/** From the commit on every reader finds it. */
export async function putInService(
  transaction: TransactionSql,
  number: number,
  schema: string,
  { id, records, fictional }: SnapshotFacts,
): Promise<Date> {
  await transaction.unsafe('UPDATE registry.snapshot SET retired_at = clock_timestamp() WHERE retired_at IS NULL')
  const [row] = await transaction.unsafe(
    `INSERT INTO registry.snapshot (number, name, id, format, records, fictional, published_at)
     VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp()) RETURNING published_at`,
    [number, schema, id, formatVersion, records, fictional],
  )
  if (!(row?.published_at instanceof Date)) throw new Error('the snapshot was not put in service')
  return row.published_at
}
