// Describes what was read of a document: the texts of its pages, how many pages were read or recognised by OCR, and why
// others were not, for clients and, with advice, for the report of the import. Clients see no path and no host.
import type { PageText, RecordDocument } from '../../domain/document.ts'
import { type Reason, toText } from '../../domain/document-reason.ts'
import type { DocumentOutcome } from './reference.ts'
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

/** The reading of a document that could not be read. `pageCount` is 0 if it is not known. */
export function toUnread(reasons: readonly Reason[], sha256: string | null, pageCount: number): DocumentReading {
  const counts = { pages: pageCount, read: 0, recognised: 0, unread: pageCount }
  return { sha256, ...counts, reason: toText(reasons), texts: [], unreadWithText: new Set() }
}

/**
 * A page counts as unread if text of it is missing or may be, also if OCR has read another part of it. Any other page
 * counts as recognised if OCR has read it, and else as read, even if it is blank. Text without pages is one page.
 */
export function toReading(sha256: string, extracted: ExtractedText): DocumentReading {
  const { format, pageCount, pages, candidates, recognised, lost } = extracted
  const annotations = new Map(extracted.annotations)
  const unreadPages = new Set([...candidates, ...lost.flatMap(toPageNumbers)])
  const recognisedPages = new Set(recognised)
  const texts: PageText[] = []
  const unreadWithText = new Set<number>()
  for (const [index, pageText] of pages.entries()) {
    const page = index + 1
    const text = [pageText, annotations.get(page) ?? ''].filter((part) => part !== '').join(' ')
    if (text === '') continue
    texts.push({ page: format === 'pdf' ? page : null, text, recognised: recognisedPages.has(page) })
    if (unreadPages.has(page)) unreadWithText.add(page)
  }
  const reasons = describeUnread(extracted)
  if (texts.length === 0) {
    // The reasons are about the pages in `unreadPages`. If there are other pages, `noText` is the reason for them.
    const isExplained = unreadPages.size === pageCount && reasons.length > 0
    return toUnread(isExplained ? reasons : [noText, ...reasons], sha256, pageCount)
  }
  const recognisedCount = recognisedPages.difference(unreadPages).size
  return {
    sha256,
    pages: pageCount,
    read: pageCount - recognisedCount - unreadPages.size,
    recognised: recognisedCount,
    unread: unreadPages.size,
    reason: reasons.length === 0 ? null : toText(reasons),
    texts,
    unreadWithText,
  }
}

/** What clients receive. Only `scans` of the candidates were inspected, so the reason says if others may be none. */
function describeUnread({ format, pageCount, candidates, scans, lost, omitted }: ExtractedText): Reason[] {
  const [end] = lost
  if (format !== 'pdf') return end === undefined ? [] : [{ code: 'end', values: { fault: end.fault } }]
  const values = { count: candidates.length, total: pageCount }
  const scanned: Reason = { code: scans === candidates.length ? 'scans' : 'probableScans', values }
  return [...(candidates.length === 0 ? [] : [scanned]), ...describeLost(lost), ...omitted]
}

/**
 * Known scans are the candidates that were inspected (`scans` is their number).
 *
 * | document | outcome |
 * |---|---|
 * | without text and without known scans | `unreadable` |
 * | with known scans, and every page with text is a candidate for OCR | `scan` |
 * | any other | `text` |
 */
export function toOutcome({ pages, annotations, candidates, scans }: ExtractedText): DocumentOutcome {
  if (scans === 0) return pages.some((page) => page !== '') || annotations.length > 0 ? 'text' : 'unreadable'
  const candidateSet = new Set(candidates)
  return pages.some((page, index) => page !== '' && !candidateSet.has(index + 1)) ? 'text' : 'scan'
}

/** What the report says, with advice; none if nothing is missing. After OCR there are no candidates. */
export function toReportReasons(text: ExtractedText): readonly Reason[] {
  const { pageCount: total, candidates, scans, lost, omitted } = text
  const advice: readonly Reason[] = candidates.length === 0 ? [] : [{ code: 'useOcr' }]
  if (toOutcome(text) === 'unreadable')
    return lost.length > 0 ? describeLost(lost) : [{ code: 'blankOrImages' }, ...advice]
  const more = candidates.length - scans
  const [code, count] =
    scans === 0 ? (['possibleScans', more] as const) : ([more === 0 ? 'knownScans' : 'someScans', scans] as const)
  const scanned: readonly Reason[] = candidates.length === 0 ? [] : [{ code, values: { count, total, more } }]
  return [...scanned, ...advice, ...describeLost(lost), ...omitted]
}

/** Returns one reason for each fault, such as `pages 2 and 7 are damaged`. */
export function describeLost(lost: readonly LostPages[]): Reason[] {
  const byFault = Map.groupBy(lost, ({ fault }) => fault.code).values()
  return byFault.toArray().map((ranges): Reason => {
    const fault = ranges[0]?.fault ?? { code: 'fault.unreadable' }
    const pages = ranges.flatMap(toPageNumbers)
    if (pages.length === 1) return { code: 'page', values: { page: pages[0] ?? 0, fault } }
    const listed = ranges
      .slice(0, listedRangesMax)
      .map(({ firstPage, lastPage }) => (firstPage === lastPage ? `${firstPage}` : `${firstPage} to ${lastPage}`))
    const more = ranges.slice(listedRangesMax).flatMap(toPageNumbers).length
    // British English has no comma before the last item of a list.
    const list = new Intl.ListFormat('en-GB').format(more === 0 ? listed : [...listed, `${more} more`])
    return { code: 'pages', values: { pages: list, fault } }
  })
}

function toPageNumbers({ firstPage, lastPage }: LostPages): number[] {
  return Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
}
