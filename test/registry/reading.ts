// Reads snapshots for tests: whole results, pages, and the codes of both.
import { foldCode } from '../../src/domain/inscription-code.ts'
import type { Query } from '../../src/domain/query.ts'
import type { WireRecord } from '../../src/domain/record.ts'
import type { Batch, Page, PageQuery, Snapshot } from '../../src/registry/contract.ts'
import type { Page as StoredPage } from '../../src/registry/pages.ts'
import { RegistryFile } from '../../src/registry/registry-file.ts'
import type { TestRegistry } from '../create-registry.ts'

/** The stored text of a record, in reading order. */
export function readText({ path }: Pick<TestRegistry, 'path'>, code: string): StoredPage[] {
  const file = new RegistryFile(path)
  try {
    const [row] = file.readRows([file.findRecord(foldCode(code))?.position ?? -1])
    return row === undefined ? [] : file.readPages(row.firstPage, row.pageEnd)
  } finally {
    file.closeWhenUnused()
  }
}

/** Reads all batches. Their bytes are copied, because a batch is valid only until the next one. */
export async function readAll(snapshot: Snapshot, query: Query): Promise<Batch[]> {
  return Array.fromAsync(snapshot.search(query), ({ bytes, records }) => ({ bytes: Buffer.from(bytes), records }))
}

/** Follows the cursors through all pages of the result. */
export async function readPages(snapshot: Snapshot, query: PageQuery): Promise<Page[]> {
  const { limit } = query
  const pages: Page[] = []
  let pageQuery = query
  for (;;) {
    const page = await snapshot.page(pageQuery)
    // Only the first page can be null: then nothing matches.
    if (page === null) return pages
    if (page.records > limit) throw new Error(`expected at most ${limit} records on a page, got ${page.records}`)
    pages.push(page)
    if (page.next === null) return pages
    pageQuery = { ...pageQuery, after: page.next }
  }
}

/** The codes of the matches, in order. */
export async function readCodes(snapshot: Snapshot, query: Query): Promise<string[]> {
  return toCodes(await readAll(snapshot, query))
}

/** The same as `readCodes`, but read page by page. */
export async function readCodesByPage(snapshot: Snapshot, query: PageQuery): Promise<string[]> {
  return toPageCodes(await readPages(snapshot, query))
}

/** The records of all batches, in order. */
export function toRecords(batches: readonly Batch[]): WireRecord[] {
  return batches.flatMap(({ bytes }) => parseRecords(new TextDecoder().decode(bytes)))
}

export function toCodes(batches: readonly Batch[]): string[] {
  return toRecords(batches).map(toCode)
}

export function toPageCodes(pages: readonly Page[]): string[] {
  return pages.flatMap(({ text }) => parseRecords(text)).map(toCode)
}

/** The text is JSON objects with commas between them. */
function parseRecords(text: string): WireRecord[] {
  return JSON.parse(`[${text}]`) as WireRecord[]
}

/**
 * The code of a record. Without the parameter `include`, records are read without their codes, but the id of a test
 * record is `E-` and its code (`defaultIdOf` in test/service.ts).
 */
function toCode({ id }: WireRecord): string {
  return id.replace(/^E-/, '')
}
