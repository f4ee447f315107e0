// Property test of the marks of passages. A passage is a piece of a page around the words of the search term; its marks
// are the parts of it that match. The marks are taken from the word positions of the index, and must be the matches
// that the analyser (which turns a text into words) finds in the whole page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTerm, analyseTextWithOffsets } from '../../src/analysis/analyser.ts'
import type { Clause, PhraseClause } from '../../src/analysis/term.ts'
import { foldCode } from '../../src/domain/inscription-code.ts'
import type { WireIncluded } from '../../src/domain/wire.ts'
import { titleWords } from '../analysis/titles.ts'
import { createRegistry } from '../create-registry.ts'
import { documentOf } from './paged-document.ts'

// What these words mean to the analyser depends on the words around them: enumerations, ordinals, codes with spaces.
// The pages have single spaces and no broken words, so that a passage is a part of its page.
const wordsInContext = `A S N R y a e de la 1 2 3 12 2002 II V 3ª tercera última UE UE-1 SUNC-R SUNCR UBZ fase fases
  sector sectores parc. nº No. Cap. s/n P.G.O.U. unidad ejecución plan general ordenación urbana ley diciembre C/
  1,2,3,4,5,6,7,8,9,10,11,12 UE-1,UE-2,UE-3,UE-4,UE-5,UE-6`
/** The words that have letters and digits only. The list above has enough words with punctuation. */
const plainTitleWords = titleWords.filter((word) => /^[\p{L}\p{N}]+$/u.test(word))
// `any…` are arbitraries of fast-check: `anyWord` draws random words.
const anyWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...wordsInContext.split(/\s+/)) },
  fc.constantFrom(...plainTitleWords),
)
/**
 * A phrase that is longer than most passages, so that a passage may begin or end inside it. The terms with `frase36`
 * and `frase1` match its end and its beginning. The rest of a page has none of its words.
 */
const longPhrase = Array.from({ length: 38 }, (_, number) => `frase${number}`).join(' ')
const anyPage = fc
  .tuple(fc.array(anyWord, { minLength: 30, maxLength: 200, size: 'max' }), fc.nat(60))
  .map(([words, phraseIndex]) => words.toSpliced(phraseIndex, 0, longPhrase).join(' '))
const pages = fc.sample(anyPage, { numRuns: 60, seed: 13 })
const terms = [
  ...['UE-1', 'UE2', 'SUNC-R-3', 'PGOU', '"plan general"', 'fase 3', 'tercera fase', 'sector 2', 'nº 3', 'parcela 3'],
  ...['ordenación', 'urbana', 's/n', 'A', 'plan ley', 'ubz*', 'ue*', 'sun*', 'LOUA', 'unidad de ejecución 12', 'C/'],
  ...['"frase36 frase37"', '"frase1 frase2 frase3"', '12 1', 'plan*', 'UE-1*', '"unidad de ejecución" UE'],
]

type Range = readonly [start: number, end: number]

/** The ranges of characters in which the clauses match the text, found by analysing the text. */
function findMatches(text: string, clauses: readonly Clause[]): Range[] {
  const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans, offsets } = analyseTextWithOffsets(text)
  /** The characters from the first word to the last, which are given by their word positions. */
  const toRange = (first = 0, last = 0): Range => [offsets.starts[first] ?? 0, offsets.ends[last] ?? 0]
  /** What the analyser adds to the words: joined forms, such as `ue1` for `UE 1`, and synonyms. */
  const added = [
    ...joinedForms.map((word, i) => ({ word, range: toRange(joinedFormSpans.firsts[i], joinedFormSpans.lasts[i]) })),
    ...synonyms.map((word, i) => ({ word, range: toRange(synonymSpans.firsts[i], synonymSpans.lasts[i]) })),
  ]
  const ofStem = (stem: string): Range[] => [
    ...words.flatMap((word, index) => (word.stem === stem ? [toRange(index, index)] : [])),
    ...added.flatMap(({ word, range }) => (word.stem === stem ? [range] : [])),
  ]
  /**
   * The words of the phrase in a row, the code as one word (`ue1` for `UE-1`), or the phrase in its other form:
   * `ED.16.202` for `"ED 16.202"`.
   */
  const ofPhrase = ({ stems, joinedCode, orPhrase }: PhraseClause): Range[] => [
    ...words.flatMap((_, first) =>
      stems.every((stem, index) => words[first + index]?.stem === stem)
        ? [toRange(first, first + stems.length - 1)]
        : [],
    ),
    ...(joinedCode === undefined ? [] : ofStem(joinedCode)),
    ...(orPhrase === undefined ? [] : ofPhrase(orPhrase)),
  ]
  /** A prefix matches words and joined forms, but no synonyms. */
  const ofPrefix = (prefix: string): Range[] => [
    ...words.flatMap(({ form }, index) => (form.startsWith(prefix) ? [toRange(index, index)] : [])),
    ...added.slice(0, joinedForms.length).flatMap(({ word, range }) => (word.form.startsWith(prefix) ? [range] : [])),
  ]
  return clauses.flatMap((clause) => {
    if (clause.kind === 'word') return [clause.stem, ...(clause.orStems ?? [])].flatMap(ofStem)
    if (clause.kind === 'phrase') return ofPhrase(clause)
    return [...ofPrefix(clause.prefix), ...(clause.orPhrase === undefined ? [] : ofPhrase(clause.orPhrase))]
  })
}

/**
 * The offsets of all characters in the ranges except dots: the final dot of initials belongs to their mark but not to
 * their word.
 */
function toOffsets(text: string, ranges: readonly Range[]): number[] {
  const offsets = new Set<number>()
  for (const [start, end] of ranges) {
    for (let offset = start; offset < end; offset++) if (text.charAt(offset) !== '.') offsets.add(offset)
  }
  return [...offsets].sort((a, b) => a - b)
}

test('a passage marks exactly the matches that the analyser finds in its page', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf([{ code: 'A-1', title: 'Expediente', documents: [documentOf(pages)] }])
  let passagesCompared = 0
  for (const search of terms) {
    const term = analyseTerm(search)
    const result = await snapshot.page({ search: term, limit: 1, cod_archivo: foldCode('A-1'), include: ['passages'] })
    // `text` is the records of the page as JSON objects with commas between them, here one.
    const [record] = JSON.parse(`[${result?.text ?? ''}]`) as WireIncluded[]
    for (const { page, text, marks } of record?.passages ?? []) {
      const pageText = pages[(page ?? 0) - 1] ?? ''
      const shown = text.replace(/^… | …$/g, '')
      const shownStart = pageText.indexOf(shown)
      assert.ok(shownStart >= 0, `${search}: ${text}`)
      // If the page has the text twice, the place of the passage is not known.
      if (pageText.indexOf(shown, shownStart + 1) >= 0) continue
      const inside = findMatches(pageText, term.clauses).filter(
        ([start, end]) => start >= shownStart && end <= shownStart + shown.length,
      )
      const ellipsisLength = text.startsWith('… ') ? '… '.length : 0
      /** Added to an offset in the passage, gives the offset in the page. */
      const shift = shownStart - ellipsisLength
      const marked = marks.map(([start, end]): Range => [start + shift, end + shift])
      assert.deepEqual(toOffsets(pageText, marked), toOffsets(pageText, inside), `${search}: ${text}`)
      passagesCompared++
    }
  }
  assert.ok(passagesCompared > 500, `only ${passagesCompared} passages were compared`)
})
