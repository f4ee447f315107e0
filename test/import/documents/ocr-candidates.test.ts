// Which pages of a very long document are OCR candidates, although not all of them can be inspected.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assumedScan,
  findCandidates,
  findLowTextPages,
  groupByText,
  inspectLowTextPages,
} from '../../../src/import/documents/ocr-candidates.ts'
import type { PageInspection } from '../../../src/import/documents/worker-messages.ts'

/** Of each kind of page, at most 2,000 are inspected. */
const pageCount = 2_100
const letters = (count: number): string => 'palabra '.repeat(count / 7)
const typedPage: PageInspection = { imageShare: 0, hiddenLetters: 0, bodyLetters: 1_000, drawings: 1_000 }
const scannedPage: PageInspection = { imageShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 1_000 }

describe('a page that was not inspected', () => {
  it('counts as complete if it has more text than a stamp', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await findAll(texts, typedPage), { candidates: 0, inspected: 2_000 })
  })

  it('is a candidate if most of the inspected pages with as much text are scans', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await findAll(texts, scannedPage), { candidates: pageCount, inspected: 2_000 })
  })

  it('is a candidate if the pages before it made the worker fail, which are not many', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await findAll(texts, assumedScan), { candidates: pageCount, inspected: 8 })
  })

  it('is a candidate if it has no text, or a stamp at most', async () => {
    for (const text of ['', letters(70)]) {
      const texts = Array.from({ length: pageCount }, () => text)
      // Inspection stops after eight scans.
      assert.deepEqual(await findAll(texts, scannedPage), { candidates: pageCount, inspected: 8 })
    }
  })
})

/** The number of candidates and of inspected pages in a document all of whose pages draw the same. */
async function findAll(texts: readonly string[], inspection: PageInspection) {
  const lowText = groupByText(findLowTextPages(texts), texts)
  const inspections = new Map<number, PageInspection>()
  const inspect = async (pages: readonly number[]) => new Map(pages.map((page) => [page, inspection]))
  await inspectLowTextPages(lowText, texts, inspections, inspect)
  return { candidates: findCandidates(lowText, texts, inspections).length, inspected: inspections.size }
}
