// What the tests of the store read out of a snapshot.
import type { Query } from '../../src/record/query.ts'
import type { WireRecord } from '../../src/record/record.ts'
import type { Batch, Snapshot } from '../../src/store/store.ts'

export async function readAll(snapshot: Snapshot, query: Query): Promise<Batch[]> {
  return Array.fromAsync(snapshot.search(query))
}

/** The codes of the records that match, in order: test records bear their code in their id. */
export async function codes(snapshot: Snapshot, query: Query): Promise<string[]> {
  return toCodes(await readAll(snapshot, query))
}

/** The same, a page at a time. */
export async function codesByPage(snapshot: Snapshot, filters: Query, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let query: Query = { ...filters, limit }; ; ) {
    const batches = await readAll(snapshot, query)
    const page = toCodes(batches)
    if (page.length > limit) throw new Error(`a page of ${page.length} records, ${limit} were asked for`)
    found.push(...page)
    const next = batches.at(-1)?.next
    if (!next) return found
    query = { ...query, after: next }
  }
}

export function toRecords(batches: readonly Batch[]): WireRecord[] {
  return batches.flatMap(({ bytes }) => JSON.parse(`[${Buffer.from(bytes).toString()}]`) as WireRecord[])
}

export function toCodes(batches: readonly Batch[]): string[] {
  return toRecords(batches).map(({ id }) => id.replace(/^E-/, ''))
}
