import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' }
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { compareCanonically } from '../../src/domain/record.ts'
import { finds } from '../analysis/reference-matcher.ts'
import { titles } from '../analysis/titles.ts'
import { type Engine, engines } from '../engines.ts'
import { type TestRecord, toRecord } from '../service.ts'
import { search } from './judged-set.ts'

const titleWords = [...new Set(titles.flatMap((title) => title.split(/\s+/)))].filter((word) => word !== '')
const vocabulary = fc.constantFrom(
  ...titleWords,
  'suelo',
  'urbanizables',
  'plan',
  'general',
  'UE-1',
  'nº',
  '5',
  'de',
  'la',
)
const sentence = fc.array(vocabulary, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })

const registries = fc.array(
  fc.record({
    title: fc.oneof(fc.constantFrom(...titles), sentence, anyText),
    content: fc.oneof({ weight: 3, arbitrary: sentence }, fc.constant(''), anyText),
    checkinDate: fc.constantFrom('2001-01-01', '2001-01-02', '2010-07-31', '2020-12-31'),
  }),
  { minLength: 1, maxLength: 60 },
)

const terms = fc.array(
  fc.oneof(
    fc.array(vocabulary, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    sentence.map((words) => `"${words.slice(0, 25)}"`),
    vocabulary.map((word) => `${word.slice(0, 4)}*`),
    anyText,
    fc.constantFrom(...naughtyStrings),
  ),
  { minLength: 40, maxLength: 40 },
)

/** What the decisions say the answer is, worked out record by record. */
function expected(records: readonly TestRecord[], term: string): string[] {
  const matching = records
    .map((record) => ({ record, whole: toRecord(record), texts: [record.title ?? '', record.content ?? ''] }))
    .filter(({ texts }) => finds(term, ...texts))
    .sort((a, b) => compareCanonically(a.whole, b.whole))
  const inTitle = matching.filter(({ record }) => finds(term, record.title ?? ''))
  return [...inTitle, ...matching.filter((each) => !inTitle.includes(each))].map(({ whole }) => whole.id)
}

async function answers(engine: Engine, records: readonly TestRecord[], asked: readonly string[]): Promise<string[][]> {
  await using registry = await engine.createRegistry()
  await registry.publish(records)
  const snapshot = (await registry.open()).current()
  const found: string[][] = []
  for (const term of asked) found.push(await search(snapshot, term))
  return found
}

describe('any search of any registry', () => {
  for (const engine of engines) {
    test(`is answered by ${engine.name} as the rules say, in their order`, async () => {
      await fc.assert(
        fc.asyncProperty(registries, terms, async (rows, asked) => {
          const records = rows.map((row, index) => ({ ...row, code: `X-${index}` }))
          assert.deepEqual(
            await answers(engine, records, asked),
            asked.map((term) => expected(records, term)),
          )
        }),
        { numRuns: 8, endOnFailure: true },
      )
    })

    test(`finds a record by every word of its title, on ${engine.name}`, async () => {
      const records = titles.map((title, index) => ({ code: `T-${index}`, title }))
      const asked = titles.flatMap((title, index) =>
        title
          .split(/\s+/)
          .flatMap((word) => [word, word.toUpperCase(), word.normalize('NFD')])
          .filter((word) => analyseTerm(word).clauses.length > 0)
          .map((word) => ({ word, id: `E-T-${index}` })),
      )
      const found = await answers(
        engine,
        records,
        asked.map(({ word }) => word),
      )
      for (const [index, { word, id }] of asked.entries()) assert.ok(found[index]?.includes(id), `${word}: ${id}`)
    })
  }
})
