// What the tests of the store read out of a snapshot.
import type { Query } from '../../src/domain/query.ts'
import type { WireRecord } from '../../src/domain/record.ts'
import type { Batch, Page, PageQuery, Snapshot } from '../../src/snapshot/contract.ts'

export async function readAll(snapshot: Snapshot, query: Query): Promise<Batch[]> {
  return Array.fromAsync(snapshot.search(query), ({ bytes, records }) => ({ bytes: Buffer.from(bytes), records }))
}

/** All pages of so many records, one after the other. */
export async function readPages(snapshot: Snapshot, query: Query, limit: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: PageQuery = { ...query, limit }; ; ) {
    const page = await snapshot.page(next)
    if (page === null) return pages
    if (page.records > limit) throw new Error(`a page of ${page.records} records, ${limit} were asked for`)
    pages.push(page)
    if (page.next === null) return pages
    next = { ...next, after: page.next }
  }
}

/** The codes of the records that match, in order: test records bear their code in their id. */
export async function codes(snapshot: Snapshot, query: Query): Promise<string[]> {
  return toCodes(await readAll(snapshot, query))
}

/** The same, a page at a time. */
export async function codesByPage(snapshot: Snapshot, filters: Query, limit: number): Promise<string[]> {
  return toPageCodes(await readPages(snapshot, filters, limit))
}

export function toRecords(batches: readonly Batch[]): WireRecord[] {
  return batches.flatMap(({ bytes }) => parseRecords(Buffer.from(bytes).toString()))
}

export function toCodes(batches: readonly Batch[]): string[] {
  return toRecords(batches).map(toCode)
}

export function toPageCodes(pages: readonly Page[]): string[] {
  return pages.flatMap(({ text }) => parseRecords(text)).map(toCode)
}

function parseRecords(text: string): WireRecord[] {
  return JSON.parse(`[${text}]`) as WireRecord[]
}

function toCode({ id }: WireRecord): string {
  return id.replace(/^E-/, '')
}
