// Describes what was read of a document: the texts of its pages, how many pages were read or recognised by OCR, and the
// reason why others were not. Clients receive that reason, so it names no path and no host.
import type { PageText, RecordDocument } from '../../domain/document.ts'
import { type Reason, toText } from '../../domain/document-reason.ts'
import type { ExtractedText, LostPages } from './text-extractor.ts'

/** A document without its address, which depends on the record. */
export interface DocumentReading extends Omit<RecordDocument, 'href'> {
  /** Numbers of the pages that count as unread although `texts` has some text of them, such as a scan with a stamp. */
  readonly unreadWithText: ReadonlySet<number>
}

/**
 * The reason for a document without any text. Its pages are probably drawings whose letters are lines, so they count as
 * unread: nothing of them can be found. A blank page among pages with text counts as read.
 */
const noText: Reason = { code: 'noText' }

/** A reason of `describeLost` lists at most this many ranges, and then the number of further pages. */
const listedRangesMax = 4

export function toReading(sha256: string, text: ExtractedText): DocumentReading {
  return text.format === 'pdf' ? toPagedReading(sha256, text) : toUnpagedReading(sha256, text)
}

/** The reading of a document that could not be read. `pageCount` is 0 if it is not known. */
export function toUnread(reasons: readonly Reason[], sha256: string | null, pageCount: number): DocumentReading {
  const counts = { pages: pageCount, read: 0, recognised: 0, unread: pageCount }
  return { sha256, ...counts, reason: toText(reasons), texts: [], unreadWithText: new Set() }
}

/**
 * A page counts as unread if text of it is missing or may be, also if OCR has read another part of it. Any other page
 * counts as recognised if OCR has read it, and else as read, even if it is blank. `candidates` are the pages that may
 * be scans and were not recognised. `omitted` is about what belongs to no page, such as attached files.
 */
function toPagedReading(sha256: string, extracted: ExtractedText): DocumentReading {
  const { pageCount, pages, candidates, recognised, lost, omitted } = extracted
  const annotations = new Map(extracted.annotations)
  const unreadPages = new Set([...candidates, ...toPageNumbers(lost)])
  const recognisedPages = new Set(recognised)
  const unreadCount = unreadPages.size
  const recognisedCount = recognised.filter((page) => !unreadPages.has(page)).length
  const reasons = [...describeScans(extracted), ...describeLost(lost), ...omitted]
  const texts: PageText[] = []
  const unreadWithText = new Set<number>()
  for (const [index, pageText] of pages.entries()) {
    const page = index + 1
    const text = [pageText, annotations.get(page) ?? ''].filter((part) => part !== '').join(' ')
    if (text === '') continue
    texts.push({ page, text, recognised: recognisedPages.has(page) })
    if (unreadPages.has(page)) unreadWithText.add(page)
  }
  if (texts.length === 0) {
    // The reasons are about the pages in `unreadPages`. If there are other pages, `noText` is the reason for them.
    const isExplained = unreadCount === pageCount && reasons.length > 0
    return toUnread(isExplained ? reasons : [noText, ...reasons], sha256, pageCount)
  }
  return {
    sha256,
    pages: pageCount,
    read: pageCount - recognisedCount - unreadCount,
    recognised: recognisedCount,
    unread: unreadCount,
    reason: reasons.length === 0 ? null : toText(reasons),
    texts,
    unreadWithText,
  }
}

/** A document without pages counts as one page, which is unread if its end is past a limit. */
function toUnpagedReading(sha256: string, { pages: [text = ''], lost: [lost] }: ExtractedText): DocumentReading {
  if (text === '') return toUnread([noText], sha256, 1)
  const reason = lost === undefined ? null : toText([{ code: 'end', values: { fault: lost.fault } }])
  const [read, unread] = lost === undefined ? [1, 0] : [0, 1]
  const texts = [{ page: null, text, recognised: false }]
  return { sha256, pages: 1, read, recognised: 0, unread, reason, texts, unreadWithText: new Set() }
}

/**
 * Returns one reason, such as `3 of 12 pages are scans and were not recognised`, or none. Only `scanCount` of the
 * candidates were inspected and found to be scans, so the reason says if the others only appear to be.
 */
function describeScans({ candidates, scans: scanCount, pageCount }: ExtractedText): Reason[] {
  if (candidates.length === 0) return []
  const code = scanCount === candidates.length ? 'scans' : 'probableScans'
  return [{ code, values: { count: candidates.length, total: pageCount } }]
}

/** Returns one reason for each fault, such as `pages 2 and 7 are damaged`. */
export function describeLost(lost: readonly LostPages[]): Reason[] {
  const byFault = Map.groupBy(lost, ({ fault }) => fault.code).values()
  return byFault.toArray().map((ranges): Reason => {
    const fault = ranges[0]?.fault ?? { code: 'fault.unreadable' }
    if (countPages(ranges) === 1) return { code: 'page', values: { page: ranges[0]?.firstPage ?? 0, fault } }
    const listed = ranges
      .slice(0, listedRangesMax)
      .map(({ firstPage, lastPage }) => (firstPage === lastPage ? `${firstPage}` : `${firstPage} to ${lastPage}`))
    const more = countPages(ranges.slice(listedRangesMax))
    // British English has no comma before the last item of a list.
    const pages = new Intl.ListFormat('en-GB').format(more === 0 ? listed : [...listed, `${more} more`])
    return { code: 'pages', values: { pages, fault } }
  })
}

function countPages(ranges: readonly LostPages[]): number {
  return ranges.reduce((sum, { firstPage, lastPage }) => sum + lastPage - firstPage + 1, 0)
}

function* toPageNumbers(lost: readonly LostPages[]): Generator<number, void, undefined> {
  for (const { firstPage, lastPage } of lost) for (let page = firstPage; page <= lastPage; page += 1) yield page
}
