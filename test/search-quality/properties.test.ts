// Property tests of search: on random registries, every engine returns what a full scan (reference-matcher.ts) returns.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' }
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { compareCanonically } from '../../src/domain/record.ts'
import { finds, findsSideBySide } from '../analysis/reference-matcher.ts'
import { titles, titleWords } from '../analysis/titles.ts'
import { type Engine, engines } from '../engines.ts'
import { seed } from '../seed.ts'
import { type TestRecord, toRecord } from '../service.ts'
import { search } from './judged-set.ts'

// The constants `any…` are arbitraries of fast-check: each draws random values of what its name says.

const moreWords = ['suelo', 'urbanizables', 'plan', 'general', 'UE-1', 'nº', '5', 'de', 'la']
const anyWord = fc.constantFrom(...titleWords, ...moreWords)
const anySentence = fc.array(anyWord, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })

/** Titles, contents and dates of a small registry. */
const anyRegistry = fc.array(
  fc.record({
    title: fc.oneof(fc.constantFrom(...titles), anySentence, anyText),
    content: fc.oneof({ weight: 3, arbitrary: anySentence }, fc.constant(''), anyText),
    checkinDate: fc.constantFrom('2001-01-01', '2001-01-02', '2010-07-31', '2020-12-31'),
  }),
  { minLength: 1, maxLength: 60 },
)

/** Forty search terms: words, phrases, prefixes and any text. */
const anyTerms = fc.array(
  fc.oneof(
    fc.array(anyWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    // The first 25 characters of a sentence as a phrase, and the first four of a word as a prefix.
    anySentence.map((sentence) => `"${sentence.slice(0, 25)}"`),
    anyWord.map((word) => `${word.slice(0, 4)}*`),
    anyText,
    fc.constantFrom(...naughtyStrings),
  ),
  { minLength: 40, maxLength: 40 },
)

/** The expected ids by a full scan: one tier after the other, each in canonical order. */
function findByScan(records: readonly TestRecord[], term: string): string[] {
  const matching = records
    .filter(({ title = '', content = '' }) => finds(term, title, content))
    .map((record) => ({ ...toRecord(record), tier: findTier(term, record.title ?? '') }))
    .sort((a, b) => a.tier - b.tier || compareCanonically(a, b))
  return matching.map(({ id }) => id)
}

/**
 * The tier of a record that matches the term: 1 if its title matches with the words side by side, 2 if its title
 * matches in another way, 3 if its title alone does not match.
 */
function findTier(term: string, title: string): number {
  if (!finds(term, title)) return 3
  return findsSideBySide(term, title) ? 1 : 2
}

/** Publishes the records and returns the ids found for each term. */
async function searchAll(
  engine: Engine,
  records: readonly TestRecord[],
  terms: readonly string[],
): Promise<string[][]> {
  await using registry = await engine.createRegistry()
  await registry.publish(records)
  const snapshot = (await registry.open()).current()
  const found: string[][] = []
  for (const term of terms) found.push(await search(snapshot, term))
  return found
}

describe('search', () => {
  for (const engine of engines) {
    test(`returns the same records in the same order as a full scan, for random terms and records, on ${engine.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyRegistry, anyTerms, async (rows, terms) => {
          const records = rows.map((row, index) => ({ ...row, code: `X-${index}` }))
          assert.deepEqual(
            await searchAll(engine, records, terms),
            terms.map((term) => findByScan(records, term)),
          )
        }),
        // Few runs, and no shrinking of a failing example (`endOnFailure`): each run publishes a registry.
        { seed, numRuns: 8, endOnFailure: true },
      )
    })

    test(`finds a record by every word of its title, on ${engine.name}`, async () => {
      const records = titles.map((title, index) => ({ code: `T-${index}`, title }))
      const searches = titles.flatMap((title, index) =>
        title
          .split(/\s+/)
          .flatMap((word) => [word, word.toUpperCase(), word.normalize('NFD')])
          .filter((word) => analyseTerm(word).clauses.length > 0)
          // The id of a test record is `E-` and its code.
          .map((word) => ({ word, id: `E-T-${index}` })),
      )
      const found = await searchAll(
        engine,
        records,
        searches.map(({ word }) => word),
      )
      for (const [index, { word, id }] of searches.entries()) assert.ok(found[index]?.includes(id), `${word}: ${id}`)
    })
  }
})
