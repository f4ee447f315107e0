// Tests the quality of search on the judged sets: titles of Spanish registries (records.txt), and titles of licences,
// bulletins and public works in four languages (languages-records.txt, registers-records.txt). A search must find all relevant
// records and no irrelevant ones, and those that are judged to come first must come first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRegistry } from '../create-registry.ts'
import { readJudgements, readRecords, score } from './judged-set.ts'

describe('the judged set', () => {
  const records = readRecords()
  const judgements = readJudgements()

  test('has enough records and queries, and no id twice', () => {
    assert.ok(records.length >= 400)
    assert.ok(judgements.length >= 150)
    assert.equal(new Set(records.map((record) => record.id)).size, records.length)
  })

  test('has no errors: precision and recall are 1.0, and the order is right', async () => {
    await using registry = await createRegistry()
    const { errors } = await score(await registry.snapshotOf(records), judgements)
    assert.deepEqual(errors, [])
  })
})

for (const [name, recordsMin, queriesMin] of [
  ['languages', 250, 300],
  ['registers', 100, 200],
] as const) {
  describe(`the judged set ${name}-queries.txt`, () => {
    const records = readRecords(`${name}-records.txt`)
    const judgements = readJudgements(`${name}-queries.txt`, `${name}-records.txt`)

    test('has enough records and queries, and no id twice', () => {
      assert.ok(records.length >= recordsMin)
      assert.ok(judgements.length >= queriesMin)
      assert.equal(new Set(records.map((record) => record.id)).size, records.length)
    })

    test('has at most as many inexact queries as before', async (t) => {
      await using registry = await createRegistry()
      const { exact, precision, recall, errors } = await score(await registry.snapshotOf(records), judgements)
      for (const error of errors) t.diagnostic(error)
      assert.ok(exact >= exactShareMin, `exact ${exact}`)
      assert.ok(precision >= precisionMin, `precision ${precision}`)
      assert.ok(recall >= recallMin, `recall ${recall}`)
    })
  })
}

/** What the search reaches. Raise these figures when it reaches more. */
const exactShareMin = 0.985
const precisionMin = 0.99
const recallMin = 0.995
