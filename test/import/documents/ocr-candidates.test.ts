// Which pages of a long document are OCR candidates: pages without usable text, which have to be recognised from their
// image. To inspect a page is to find out what it draws. That is slow, so only some of the pages are inspected.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  findCandidates,
  findLowTextPages,
  groupByText,
  inspectLowTextPages,
} from '../../../src/import/documents/ocr-candidates.ts'
import type { InspectionResult } from '../../../src/import/documents/scanned-page.ts'
import type { PageInspection } from '../../../src/import/documents/worker-messages.ts'

/**
 * At most 2,000 pages of a kind (without text, with a stamp, with more text) are inspected. Of this many pages, 100 are
 * not inspected.
 */
const pageCount = 2_100
/**
 * A text of about this many letters, in words of seven letters. A page with fewer than 300 letters is taken to have
 * only a stamp. With more, but fewer than 1,500, it may be an ordinary page or a scan with a certification.
 */
const textWith = (letters: number): string => 'palabra '.repeat(letters / 7)
// `imageShare` is the share of the page that images cover. `hiddenLetters` are invisible or under an image;
// `bodyLetters` are outside the margins; `drawings` counts the lines, areas and letters that the page draws.
const typedPage: PageInspection = { imageShare: 0, hiddenLetters: 0, bodyLetters: 1_000, drawings: 1_000 }
const scannedPage: PageInspection = { imageShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 1_000 }
/** A blank page, or one with a word or two and no image. */
const emptyPage: PageInspection = { imageShare: 0, hiddenLetters: 0, bodyLetters: 5, drawings: 5 }

describe('a page that was not inspected', () => {
  it('is no candidate if it has more text than a stamp and the inspected pages are not scans', async () => {
    const texts = Array.from({ length: pageCount }, () => textWith(1_400))
    assert.deepEqual(await countCandidates(texts, typedPage), { candidates: 0, inspected: 2_000 })
  })

  it('is a candidate if most of the inspected pages with as much text are scans', async () => {
    const texts = Array.from({ length: pageCount }, () => textWith(1_400))
    assert.deepEqual(await countCandidates(texts, scannedPage), { candidates: pageCount, inspected: 2_000 })
  })

  it('is a candidate if eight pages have made the worker fail, which ends the inspection', async () => {
    const texts = Array.from({ length: pageCount }, () => textWith(1_400))
    assert.deepEqual(await countCandidates(texts, 'failed'), { candidates: pageCount, inspected: 8 })
  })

  it('is a candidate if it has no text, or a stamp at most', async () => {
    for (const text of ['', textWith(70)]) {
      const texts = Array.from({ length: pageCount }, () => text)
      // The inspection of pages with so little text stops after eight scans.
      assert.deepEqual(await countCandidates(texts, scannedPage), { candidates: pageCount, inspected: 8 })
    }
  })
})

describe('a scan after many pages with little text', () => {
  // After eight scans without text, no further page without text is inspected; the same holds for pages with a stamp.
  // Pages that are no scans do not count towards the eight, so the last pages here are still inspected.
  const oneWord: TestPage = ['Anexo', emptyPage]
  const cases: [name: string, pages: TestPage[], candidates: number[]][] = [
    ['is found if it has no text', [...repeated(oneWord, 20), ['', scannedPage], ['', scannedPage]], [21, 22]],
    [
      'is found if it has no text and the pages before it are blank',
      [...repeated<TestPage>(['', emptyPage], 20), ['', scannedPage], ['', scannedPage]],
      [21, 22],
    ],
    ['is found if it has a stamp', [...repeated(oneWord, 20), ['Sello', scannedPage]], [21]],
    // 1,280 letters are more than those of a stamp, so this page is of another kind than the pages before it.
    ['is found if it has long signature footers', [...repeated(oneWord, 120), [textWith(1_280), scannedPage]], [121]],
  ]
  for (const [name, pages, candidates] of cases) {
    it(name, async () => assert.deepEqual((await inspect(pages)).candidates, candidates))
  }
})

/** The text of a page, and what its inspection finds if the page is inspected. */
type TestPage = [text: string, inspection: InspectionResult]

/** Counts the candidates and the inspected pages of a document whose pages would all have this inspection. */
async function countCandidates(texts: readonly string[], inspection: InspectionResult) {
  const { candidates, inspected } = await inspect(texts.map((text) => [text, inspection]))
  return { candidates: candidates.length, inspected }
}

/** Returns the numbers of the candidates, and how many pages were inspected. */
async function inspect(pages: readonly TestPage[]) {
  const texts = pages.map(([text]) => text)
  const lowTextGroups = groupByText(findLowTextPages(texts), texts)
  const inspections = new Map<number, InspectionResult>()
  const inspectPages = async (numbers: readonly number[]) =>
    new Map(numbers.map((number) => [number, pages[number - 1]?.[1] ?? emptyPage]))
  await inspectLowTextPages(lowTextGroups, texts, inspections, inspectPages)
  return { candidates: findCandidates(lowTextGroups, texts, inspections), inspected: inspections.size }
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
