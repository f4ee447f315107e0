// Which pages of a long document are OCR candidates: pages without usable text, which have to be recognised from their
// image. To inspect a page is to find out what it draws. That is slow, so only some of the pages are inspected.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countLetters, type Finding, Findings } from '../../../src/import/documents/scanned-page.ts'

/** A text of about this many letters. A page with fewer than 300 letters is taken to have only a stamp. */
const textWith = (letters: number): string => 'palabra '.repeat(letters / 7)
/** Of this many pages, 100 are not inspected. */
const many = 2_100

describe('pages that were not inspected', () => {
  const cases: [name: string, letters: number, finding: Finding, inspected: number, candidates: number][] = [
    ['are no candidates if they have text and the inspected pages are no scans', 1_400, 'no scan', 2_000, 0],
    ['are candidates if most of the inspected pages with as much text are scans', 1_400, 'scan', 2_000, many],
    ['are candidates after eight pages with text that made the worker fail', 1_400, 'failed', 8, many],
    ['are candidates if they have no text; eight scans are inspected', 0, 'scan', 8, many],
    ['are candidates if they have a stamp at most; eight scans are inspected', 70, 'scan', 8, many],
    ['are no candidates if they have 3,000 letters', 3_500, 'scan', 0, 0],
  ]
  for (const [name, letters, finding, inspected, candidates] of cases) {
    it(name, () => {
      const found = find(repeated([textWith(letters), finding], many))
      assert.deepEqual([found.inspected, found.candidates.length], [inspected, candidates])
      assert.equal(found.scans, finding === 'no scan' ? 0 : inspected)
    })
  }
})

describe('a scan after many pages with little text', () => {
  // Pages that are no scans do not count towards the eight.
  const oneWord: TestPage = ['Anexo', 'no scan']
  const cases: [name: string, pages: TestPage[], candidates: number[]][] = [
    ['is found if it has no text', [...repeated(oneWord, 20), ['', 'scan'], ['', 'scan']], [21, 22]],
    ['is found if the pages before it are blank', [...repeated<TestPage>(['', 'no scan'], 20), ['', 'scan']], [21]],
    ['is found if it has a stamp', [...repeated(oneWord, 20), ['Sello', 'scan']], [21]],
    ['is found if it has long signature footers', [...repeated(oneWord, 120), [textWith(1_280), 'scan']], [121]],
  ]
  for (const [name, pages, candidates] of cases) {
    it(name, () => assert.deepEqual(find(pages).candidates, candidates))
  }
})

it('a lost page is no candidate', () => {
  assert.deepEqual(new Findings().findCandidates(['', ''], new Set([1])), { candidates: [2], scans: 0 })
})

/** The text of a page, and what its inspection finds if the page is inspected. */
type TestPage = [text: string, finding: Finding]

/** The candidates, how many of them are known to be scans, and how many pages were inspected. */
function find(pages: readonly TestPage[]) {
  const findings = new Findings()
  let inspected = 0
  for (const [index, [text, finding]] of pages.entries()) {
    const letters = countLetters(text)
    if (!findings.isWanted(letters)) continue
    inspected += 1
    findings.add(index + 1, letters, finding)
  }
  const texts = pages.map(([text]) => text)
  return { ...findings.findCandidates(texts, new Set()), inspected }
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}
