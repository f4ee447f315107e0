// Whether the registry on PostgreSQL is sound: reads every row once, compares digests and counts, and searches for a
// few records.
import { ChecksumMismatch, Digest, describeDifference, type Value } from '../checksum.ts'
import { type Soundness, StoreFault } from '../contract.ts'
import { type Probe, probeTitles } from '../spot-check.ts'
import { type Table, tables } from '../schema.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import { Link, type Row } from './connection.ts'
import { isMissing, reasonOf } from './errors.ts'
import { newestOf, statusQuestion, toEntry } from './schema.ts'
import { openPostgresStore } from './store.ts'

/** Counting a large registry takes minutes; only a server that hangs takes longer. */
const countMs = 30 * 60_000

/** Throws `StoreFault` when there is no registry to check. */
export async function checkPostgresStore(url: string): Promise<Soundness> {
  const address = parseAddress(url)
  const store = await openPostgresStore(url)
  const link = await connectReader(address)
  try {
    const snapshot = store.current()
    const schema = newestOf(await readEntries(link, countMs))?.name ?? ''
    const ask = (text: string): Promise<Row[]> => link.ask({ text }, countMs)
    const faults: string[] = []
    const [row] = await ask(counts(schema))
    const [records, positions, years, municipalities, withoutText] = (row ?? []).map(Number)
    for (const [what, count] of Object.entries({ records, positions, years, municipalities })) {
      if (count === snapshot.facts.records) continue
      faults.push(`${snapshot.facts.records} records are announced, ${count} are found by counting ${what}`)
    }
    for (const table of tables) faults.push(...(await checkDigest(link, schema, table)))
    const readProbe = async (position: number): Promise<Probe | undefined> => {
      const [found] = await ask(`SELECT folded_code, wire FROM ${schema}.record WHERE position = ${position}`)
      return found && { code: String(found[0]), wire: String(found[1]) }
    }
    faults.push(...(await probeTitles(snapshot, readProbe)))
    return { facts: snapshot.facts, faults, recordsWithoutText: withoutText ?? 0 }
  } catch (error) {
    return { facts: null, faults: [reasonOf(error)], recordsWithoutText: 0 }
  } finally {
    await link.close()
    await store.close()
  }
}

/** Whether some host holds a registry; throws `StoreFault` when none can be reached. */
export async function postgresStoreExists(url: string): Promise<boolean> {
  const address = parseAddress(url)
  const link = await connectReader(address)
  try {
    return (await readEntries(link, address.connectMs)).length > 0
  } finally {
    await link.close()
  }
}

function counts(schema: string): string {
  return `
    SELECT count(*), coalesce(max(position), -1) + 1, (SELECT coalesce(sum(records), 0) FROM ${schema}.year),
      (SELECT coalesce(sum(records), 0) FROM ${schema}.municipality), count(*) FILTER (WHERE has_text = 0)
    FROM ${schema}.record`
}

/** Reads every row of a table, so that damaged pages show, and compares its digest. */
async function checkDigest(link: Link, schema: string, table: Table): Promise<string[]> {
  const { name, columns, key } = table
  const digest = new Digest(table)
  try {
    const rows = link.sql.unsafe(`SELECT ${Object.keys(columns).join(', ')} FROM ${schema}.${name} ORDER BY ${key}`)
    for await (const batch of rows.values().cursor(rowsAtOnce)) {
      for (const row of batch) digest.add(row as unknown as Value[])
    }
  } catch (error) {
    return [error instanceof ChecksumMismatch ? error.message : reasonOf(error)]
  }
  const [stored] = await link.ask(
    { text: `SELECT rows, sha256 FROM ${schema}.table_digest WHERE name = '${name}'` },
    countMs,
  )
  const expected = stored && { rows: Number(stored[0]), sha256: String(stored[1]) }
  return describeDifference(table, digest.finish(), expected)
}

const rowsAtOnce = 1000

async function connectReader(address: PostgresAddress): Promise<Link> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    const link = new Link(address, host, 'import')
    try {
      await link.ask({ text: 'SELECT 1' }, address.connectMs)
      return link
    } catch (error) {
      reasons.push(`${host.name}: ${reasonOf(error)}`)
      link.destroy()
    }
  }
  throw new StoreFault(
    `Cannot open ${address.display}: ${reasons.join('; ')}; start the database or correct --database`,
  )
}

async function readEntries(link: Link, withinMs: number): Promise<ReturnType<typeof toEntry>[]> {
  try {
    const [row] = await link.ask(statusQuestion, withinMs)
    return (JSON.parse(String(row?.[1] ?? '[]')) as unknown[][]).map(toEntry)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
