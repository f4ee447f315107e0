// Property tests of passages, the pieces of text around the matches of a search: the marked words match the term, and
// the page that a passage names contains its text. And what a term finds by a rule for numbers, streets or codes, its
// passages show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { rules } from '../../src/analysis/rules.ts'
import { foldCode } from '../../src/domain/inscription-code.ts'
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

/** Terms and the texts that they find because of what their words are together. */
const examples: readonly (readonly [term: string, ...texts: string[]])[] = [
  ...rules.flatMap(({ same = [] }) => same.flatMap((texts) => texts.map((term) => [term, ...texts] as const))),
  ...rules.flatMap(({ found = [] }) => found),
  ['calle mayor', 'C/ Mayor nº 5', 'calle Mayor', 'Calle de la Mayor y Sol'],
  ['plaza del mercado', 'Pza. Mercado, 3'],
  ['serrano c/v goya', 'Calle Serrano esquina Goya'],
  ['s/n', 'Daroca, sin número'],
  ['UE-4', 'Unidad de Ejecución 4', 'UE 4', 'U.E. nº 4'],
  ['SUNC-R-3', 'SUNC-R 3', 'SUNC R3'],
  ['ED 16.202', 'ED.16.202'],
  ['pgou', 'Plan General de Ordenación Urbana'],
  ['modificación', 'modi cación', 'Mod. del plan'],
  ['12-14-16', 'Fuencarral 12, 14 y 16'],
  ['17 de marzo', '17 marzo'],
]

test('what a text says by several words together is marked', async () => {
  const texts = [...new Set(examples.flatMap(([, ...found]) => found))]
  const codeOf = (text: string): string => `A-${texts.indexOf(text)}`
  await using registry = await createRegistry()
  // The other pages make the index of pages tell which page has the text.
  const snapshot = await registry.snapshotOf(
    texts.map((text) => ({
      code: codeOf(text),
      title: 'Expediente',
      documents: [documentOf(['Índice.', `Memoria. ${text}`, 'Planos.'])],
    })),
  )
  for (const [search, ...found] of examples) {
    for (const text of found) {
      // A list marks what it shows by the same steps, but chooses the windows differently.
      for (const isSingle of [true, false]) {
        const filter = isSingle ? { cod_archivo: foldCode(codeOf(text)) } : {}
        const term = analyseTerm(search)
        const query = { ...filter, search: term, limit: texts.length, include: ['cod_archivo', 'passages'] } as const
        const result = await snapshot.page(query)
        const all = JSON.parse(`[${result?.text ?? ''}]`) as WireIncluded[]
        const record = all.find(({ cod_archivo: code }) => code === codeOf(text))
        assert.ok(record, `${search} finds ${text}`)
        const [passage, ...others] = record.passages ?? []
        assert.ok(passage && passage.page === 2 && passage.marks.length > 0, `${search} is marked in ${text}`)
        assert.deepEqual(others, [])
      }
    }
  }
})
