// Joins the column `content` of each record with the text of the record's documents, which documents/ extracts.
// import.ts calls `prepareDocumentTexts` once all rows are in the staging database, and `readContent` for each record
// that it writes.

import type { Progress } from '../cli/progress.ts'
import type { PageText, RecordContent, RecordDocument } from '../domain/document.ts'
import { type Reason, toText } from '../domain/document-reason.ts'
import { toRegistryRecord } from '../domain/record.ts'
import type { DocumentOptions, DocumentReading, DocumentReference, DocumentTexts } from './documents/documents.ts'
import type { PublishedFiles } from './documents/published-files.ts'
import { recordCharactersMax } from './rows/row.ts'
import type { StagedRow, Staging } from './staging.ts'

/** Extracts the text of all documents that the staged rows refer to. Returns undefined if there are none. */
export async function prepareDocumentTexts(
  staging: Staging,
  options: Omit<DocumentOptions, 'onProgress'>,
  progress: Progress,
): Promise<DocumentTexts | undefined> {
  // With `--fetch-documents` (`withDownloads`), the addresses of a record are documents too.
  if (!staging.hasDocumentNames && !(options.withDownloads && staging.hasLinks)) return undefined
  // Loaded on demand, because most imports have no documents.
  const { prepareDocuments } = await import('./documents/documents.ts')
  let total = 0
  for (const row of staging.inCanonicalOrder()) total += toReferences(row, options).length
  return await prepareDocuments(eachReference(staging, options), {
    ...options,
    onProgress: ({ references }) => progress.report('reading documents', references, total),
  })
}

/** Returns the content of one record. Pages past the limit of characters for a record count as unread. */
export async function readContent(
  row: StagedRow,
  texts: DocumentTexts,
  options: Pick<DocumentOptions, 'withDownloads' | 'published'>,
): Promise<RecordContent> {
  const documents: RecordDocument[] = []
  let charactersLeft = recordCharactersMax - row.content.length
  const fileAddresses = findFileAddresses(row.documents, toAddresses(row))
  for (const reference of toReferences(row, options)) {
    const href = reference.kind === 'address' ? reference.url : (fileAddresses.get(reference.name) ?? null)
    const fullReading = await texts.read(reference)
    // The file that a record names is often the one behind its address: the same content is added once.
    const sameIndex = documents.findIndex(({ sha256 }) => sha256 !== null && sha256 === fullReading.sha256)
    const same = documents[sameIndex]
    if (same !== undefined) {
      documents[sameIndex] = { ...same, href: same.href ?? href }
      continue
    }
    const reading = limitReading(fullReading, charactersLeft)
    for (const { text } of reading.texts) charactersLeft -= text.length
    documents.push({ href, ...reading })
  }
  return { text: row.content, documents: documents.map((document) => withPublishedHref(document, options.published)) }
}

/** A document without a public address of its own has that of its published file. */
function withPublishedHref(document: RecordDocument, files: PublishedFiles | undefined): RecordDocument {
  const { href, sha256, published } = document
  if (href !== null || sha256 === null || published === undefined || files === undefined) return document
  return { ...document, href: files.toHref(sha256) }
}

/**
 * Leaves out the text past the limit, and counts its pages as unread. Each entry of `texts` is one page or, if its
 * `page` is null, a part of a document without pages. `unreadWithText` are the pages in `texts` that count as unread
 * already, such as a scan with a stamp.
 */
function limitReading(
  { unreadWithText, ...reading }: DocumentReading,
  charactersMax: number,
): Omit<RecordDocument, 'href'> {
  /** Length of the texts so far. After the search, it includes the first text that goes past the limit. */
  let characters = 0
  const cutIndex = reading.texts.findIndex(({ text }) => {
    characters += text.length
    return characters > charactersMax
  })
  const firstCut = reading.texts[cutIndex]
  if (firstCut === undefined) return reading
  const textsBefore = reading.texts.slice(0, cutIndex)
  const fault: Reason = { code: 'fault.recordCharacters', values: { limit: recordCharactersMax } }
  const { page } = firstCut
  if (page === null) {
    // Text without pages counts as one page, which is now unread. The text is cut at the limit itself, even inside a
    // surrogate pair: `toWellFormed` replaces the half.
    const charactersBefore = characters - firstCut.text.length
    const text = firstCut.text.slice(0, Math.max(0, charactersMax - charactersBefore)).toWellFormed()
    const texts = text === '' ? textsBefore : [...textsBefore, { ...firstCut, text }]
    const reason = joinReasons(reading.reason, { code: 'end', values: { fault } })
    return { ...reading, read: 0, unread: reading.pages, texts, reason }
  }
  // A page that is left out is subtracted from the count that includes it: `recognised` for a page read by OCR, `read`
  // for any other. A page that is unread already is in neither count, so it is not subtracted.
  const isUnreadAlready = (text: PageText): boolean => text.page !== null && unreadWithText.has(text.page)
  const cutPages = reading.texts.slice(cutIndex).filter((each) => !isUnreadAlready(each))
  const recognisedCut = cutPages.filter((each) => each.recognised).length
  const recognised = reading.recognised - recognisedCut
  const read = reading.read - (cutPages.length - recognisedCut)
  return {
    ...reading,
    read,
    recognised,
    unread: reading.pages - read - recognised,
    reason: joinReasons(reading.reason, { code: 'rest', values: { page, fault } }),
    texts: textsBefore,
  }
}

function joinReasons(first: string | null, second: Reason): string {
  return first === null ? toText([second]) : `${first}; ${toText([second])}`
}

/**
 * Returns the addresses of the files that have one, by file name. A file and an address belong together if each is the
 * most similar to the other, so no address belongs to two files.
 */
function findFileAddresses(fileNames: readonly string[], addresses: readonly string[]): Map<string, string> {
  const fileParts = new Map(fileNames.map((name) => [name, toPathParts(name)]))
  const addressParts = new Map(addresses.map((address) => [address, toPathParts(decodeAddress(address))]))
  const found = new Map<string, string>()
  for (const [address, parts] of addressParts) {
    const name = findMostSimilar(parts, fileParts)
    if (name === undefined) continue
    if (findMostSimilar(fileParts.get(name) ?? [], addressParts) === address) found.set(name, address)
  }
  return found
}

/**
 * Returns the key of the path that has the most last parts in common with `parts`: `plan/memoria.pdf` has two in common
 * with `https://example.org/plan/memoria.pdf`. Undefined if no path has any, or if several have as many.
 */
function findMostSimilar(parts: readonly string[], paths: ReadonlyMap<string, readonly string[]>): string | undefined {
  let mostSimilar: string | undefined
  let commonMax = 0
  for (const [key, other] of paths) {
    const common = countCommonParts(parts, other)
    if (common === commonMax) mostSimilar = undefined
    else if (common > commonMax) {
      mostSimilar = key
      commonMax = common
    }
  }
  return mostSimilar
}

/** Counts how many parts at the end of two paths are the same. */
function countCommonParts(first: readonly string[], second: readonly string[]): number {
  let count = 0
  while (count < first.length && first.at(-1 - count) === second.at(-1 - count)) count += 1
  return count
}

/** Returns the parts of a path, in lower case and with composed accents, for comparing. */
function toPathParts(path: string): string[] {
  return path.normalize('NFC').toLowerCase().split(/[/\\]/)
}

/** Decodes percent-encoded UTF-8 or, as on older hosts, Latin-1 (`%F3` for ó). Leaves out query and fragment. */
function decodeAddress(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
}

function* eachReference(
  staging: Staging,
  options: Pick<DocumentOptions, 'withDownloads'>,
): Generator<DocumentReference, void, undefined> {
  for (const row of staging.inCanonicalOrder()) yield* toReferences(row, options)
}

/**
 * Returns the documents of a record: the files that it names and, with `--fetch-documents` (`withDownloads`), its
 * addresses. Without that flag, the addresses are left out, because all of them would count as missing documents.
 */
function toReferences(row: StagedRow, { withDownloads }: Pick<DocumentOptions, 'withDownloads'>): DocumentReference[] {
  // The documents of a kept record are not read again.
  if (row.kept !== undefined) return []
  const references: DocumentReference[] = row.documents.map((name) => ({ kind: 'file', name }))
  if (withDownloads) for (const url of toAddresses(row)) references.push({ kind: 'address', url })
  return references
}

/** Returns the addresses of a record, each once. `links` is a single address in spite of its name. */
function toAddresses(row: StagedRow): string[] {
  const { links, agreementLink } = toRegistryRecord(row.record)
  return [...new Set([links, agreementLink ?? ''])].filter((address) => address !== '')
}
