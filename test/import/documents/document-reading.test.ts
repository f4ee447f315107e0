// `toReading` says how much of a document was read, and the reason for the pages that were not. A page is `recognised`
// if OCR has read it, and a scan is a page that only OCR can read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Reason, toText } from '../../../src/domain/document-reason.ts'
import { describeLost, toReading } from '../../../src/import/documents/document-reading.ts'
import type { ExtractedText, LostPages } from '../../../src/import/documents/text-extractor.ts'

const damaged: Reason = { code: 'fault.damaged' }

// `unreadWithText` are the numbers of the pages that have some text but count as unread, such as a scan with a stamp.
describe('the pages of a document', () => {
  it('count once each, as read, recognised or unread, and every text has its page number', () => {
    // Pages 1, 2 (which is blank) and 5 are read, page 3 is recognised, and pages 4 and 6 to 908 are unread.
    const lost = [
      lostPages(4, 4, damaged),
      lostPages(6, 908, { code: 'fault.characters', values: { limit: 10_000_000 } }),
    ]
    const text = textOf({ pageCount: 908, pages: ['uno', '', 'tres', '', 'cinco'], recognised: [3], lost })
    const { texts, unreadWithText, ...counts } = toReading('aa', text)
    assert.deepEqual(counts, {
      sha256: 'aa',
      pages: 908,
      read: 3,
      recognised: 1,
      unread: 904,
      reason: 'page 4 is damaged; pages 6 to 908 are past the limit of 10,000,000 characters',
    })
    assert.deepEqual(unreadWithText, new Set())
    assert.deepEqual(texts, [
      { page: 1, text: 'uno', recognised: false },
      { page: 3, text: 'tres', recognised: true },
      { page: 5, text: 'cinco', recognised: false },
    ])
  })

  it('that are scans are unread, also those with a stamp as text', () => {
    // `candidates` are the numbers of the pages that may be scans. `scans` is how many of these pages were inspected
    // and are certainly scans.
    const scan = { pageCount: 3, pages: ['uno', 'sello', ''], candidates: [2, 3] }
    const reading = toReading('aa', textOf({ ...scan, scans: 2 }))
    // Page 2, which is unread, still has the text of its stamp.
    assert.deepEqual([reading.read, reading.unread, reading.texts.length], [1, 2, 2])
    assert.deepEqual(reading.unreadWithText, new Set([2]))
    assert.equal(reading.reason, '2 of 3 pages are scans and were not recognised')
    const uncertain = toReading('aa', textOf({ ...scan, scans: 1 }))
    assert.equal(uncertain.reason, '2 of 3 pages are scans, or appear to be, and were not recognised')
  })

  it('are all unread if none has text, also if the reason names only some of them', () => {
    const blank = { pageCount: 3, pages: ['', '', ''] }
    const scan = toReading('aa', textOf({ ...blank, candidates: [2], scans: 1 }))
    assert.deepEqual([scan.read, scan.recognised, scan.unread], [0, 0, 3])
    assert.equal(scan.reason, 'no page has text; 1 of 3 pages are scans and were not recognised')
    const scans = toReading('aa', textOf({ ...blank, candidates: [1, 2, 3], scans: 3 }))
    assert.equal(scans.reason, '3 of 3 pages are scans and were not recognised')
  })

  it('count as one if the format has no pages', () => {
    const plain = { format: 'plain', pageCount: 1, pages: ['uno'] } as const
    const { texts, reason, read, unread } = toReading('aa', textOf(plain))
    assert.deepEqual([read, unread, reason, texts], [1, 0, null, [{ page: null, text: 'uno', recognised: false }]])
    const lost = [lostPages(1, 1, { code: 'fault.characters', values: { limit: 10 } })]
    const cut = toReading('aa', textOf({ ...plain, lost }))
    assert.equal(cut.reason, 'the end of the text is past the limit of 10 characters')
    // Its only page is not complete, so it counts as unread.
    assert.deepEqual([cut.pages, cut.read, cut.unread], [1, 0, 1])
  })
})

it('a reason lists a few pages and counts the others', () => {
  const describe = (lost: readonly LostPages[]): string => toText(describeLost(lost))
  const pages = Array.from({ length: 7 }, (_, index) => lostPages(2 * index + 1, 2 * index + 1, damaged))
  assert.equal(describe(pages), 'pages 1, 3, 5, 7 and 3 more are damaged')
  assert.equal(describe([...pages, lostPages(20, 29, damaged)]), 'pages 1, 3, 5, 7 and 13 more are damaged')
  assert.equal(describe(pages.slice(0, 2)), 'pages 1 and 3 are damaged')
})

/** Pages that were not read, for a reason that another attempt does not change. */
function lostPages(firstPage: number, lastPage: number, fault: Reason) {
  return { firstPage, lastPage, fault, isFinal: true }
}

/** The text of a document; by default, of a PDF of which everything was read. */
function textOf(text: Partial<ExtractedText> & Pick<ExtractedText, 'pageCount' | 'pages'>): ExtractedText {
  return {
    format: 'pdf',
    annotations: [],
    recognised: [],
    candidates: [],
    scans: 0,
    lost: [],
    omitted: [],
    ...text,
  }
}
