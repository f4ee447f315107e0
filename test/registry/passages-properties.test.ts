// Property tests of passages, the pieces of text around the matches of a search: the marked words match the term, and
// the page that a passage names contains its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import type { WireIncluded } from '../../src/domain/wire.ts'
import { findsClause } from '../analysis/reference-matcher.ts'
import { titles, titleWords } from '../analysis/titles.ts'
import { createRegistry } from '../create-registry.ts'
import { documentOf } from './paged-document.ts'

// `any…` are arbitraries of fast-check: `anyWord` draws random words.

/** Some words are as PDFs have them: broken by the end of a line or by a space after a ligature, or letter-spaced. */
const anyWord = fc.constantFrom(...titleWords, 'urbani-\nzable', 'modiﬁ cación', 'M E M O R I A', 'molinos', 'P.G.O.U.')
const anySentence = fc.oneof(
  fc.array(anyWord, { minLength: 1, maxLength: 80 }).map((words) => words.join(' ')),
  fc.constantFrom(...titles),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)
const anyPage = fc.array(anySentence, { maxLength: 14 }).map((sentences) => sentences.join('\n'))
// 120 records with one document each.
const records = fc.sample(fc.array(anyPage, { maxLength: 5 }), { numRuns: 120, seed: 23 }).map((pages, index) => ({
  code: `A-${index}`,
  title: 'Expediente',
  documents: [documentOf(pages)],
}))

const anyTermWord = fc.oneof(
  fc.constantFrom(...titleWords, 'urbanizable', 'modificación', 'memoria', 'PGOU', 'molino', 'plan general'),
  fc.constantFrom('moli*', 'urban*', 'modif*', '"plan parcial"', '"suelo urbano"', 'UE-1'),
)
const terms = fc.sample(
  fc.array(anyTermWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  { numRuns: 150, seed: 7 },
)

/**
 * Keeps letters and digits only. A passage has ellipses at its ends, and does not show white space and broken words as
 * the page has them.
 */
const keepLettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

test('passages are what the documents say', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf(records)
  let marksChecked = 0
  for (const search of terms) {
    const query = { search: analyseTerm(search), limit: 40, include: ['cod_archivo', 'passages'] } as const
    const result = await snapshot.page(query)
    // `text` is the records of the page as JSON objects with commas between them.
    for (const { cod_archivo: code, passages = [] } of JSON.parse(`[${result?.text ?? ''}]`) as WireIncluded[]) {
      const document = records.find((record) => record.code === code)?.documents[0]
      // No term matches the title `Expediente`, so every record found has its matches in the document. A page of
      // results shows up to three passages of a record.
      assert.ok(passages.length > 0 && passages.length <= 3, `${search} in ${code}`)
      for (const passage of passages) {
        // `page` is null only for a text without pages; these documents have pages, numbered from 1.
        const pageText = document?.texts[(passage.page ?? 0) - 1]?.text ?? ''
        assert.ok(
          keepLettersAndDigits(pageText).includes(keepLettersAndDigits(passage.text)),
          `${search}: ${passage.text}`,
        )
        assert.ok(passage.marks.length > 0, `${search}: ${passage.text}`)
        for (const [start, end] of passage.marks) {
          const mark = passage.text.slice(start, end)
          // A mark may end before the dot of an abbreviation, and some abbreviations match only with their dot.
          const isMatch = matchesAnyClause(search, mark) || matchesAnyClause(search, `${mark}.`)
          assert.ok(isMatch, `${search} marks ${JSON.stringify(mark)}`)
          marksChecked++
        }
      }
    }
  }
  assert.ok(marksChecked > 1000, `only ${marksChecked} marks were checked`)
})

/** Whether the text matches one clause of the term. */
function matchesAnyClause(search: string, text: string): boolean {
  return analyseTerm(search).clauses.some((clause) => findsClause(clause, text))
}
