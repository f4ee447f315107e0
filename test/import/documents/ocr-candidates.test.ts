// Which pages of a very long document are OCR candidates. Only some of the pages are inspected.
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

/** At most 2,000 pages of a kind (without text, with a stamp, with more text) are inspected: 100 of these are not. */
const pageCount = 2_100
const letters = (count: number): string => 'palabra '.repeat(count / 7)
const typedPage: PageInspection = { imageShare: 0, hiddenLetters: 0, bodyLetters: 1_000, drawings: 1_000 }
const scannedPage: PageInspection = { imageShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 1_000 }

describe('a page that was not inspected', () => {
  it('is no candidate if it has more text than a stamp and the inspected pages are not scans', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await countCandidates(texts, typedPage), { candidates: 0, inspected: 2_000 })
  })

  it('is a candidate if most of the inspected pages with as much text are scans', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await countCandidates(texts, scannedPage), { candidates: pageCount, inspected: 2_000 })
  })

  it('is a candidate if the inspected pages made the worker fail; inspection stops after eight of them', async () => {
    const texts = Array.from({ length: pageCount }, () => letters(1_400))
    assert.deepEqual(await countCandidates(texts, assumedScan), { candidates: pageCount, inspected: 8 })
  })

  it('is a candidate if it has no text, or a stamp at most', async () => {
    for (const text of ['', letters(70)]) {
      const texts = Array.from({ length: pageCount }, () => text)
      // The inspection of pages with so little text stops after eight scans.
      assert.deepEqual(await countCandidates(texts, scannedPage), { candidates: pageCount, inspected: 8 })
    }
  })
})

/** Counts the candidates and the inspected pages of a document whose pages would all have this inspection. */
async function countCandidates(texts: readonly string[], inspection: PageInspection) {
  const lowText = groupByText(findLowTextPages(texts), texts)
  const inspections = new Map<number, PageInspection>()
  const inspect = async (pages: readonly number[]) => new Map(pages.map((page) => [page, inspection]))
  await inspectLowTextPages(lowText, texts, inspections, inspect)
  return { candidates: findCandidates(lowText, texts, inspections).length, inspected: inspections.size }
}
