// Tests the quality of search on the judged set, which is records.txt and the queries in queries.txt with their
// expected results. Every engine (SQLite and PostgreSQL) must find all relevant records and no irrelevant ones, and
// those that are judged to come first must come first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../engines.ts'
import { type Evaluation, evaluate, readJudgements, readRecords } from './judged-set.ts'

describe('the judged set', () => {
  const records = readRecords()
  const judgements = readJudgements()
  /** Filled by the test of each engine. The last test compares them. */
  const evaluationsByEngine = new Map<string, Evaluation[]>()

  test('has enough records and queries, and no id twice', () => {
    assert.ok(records.length >= 400)
    assert.ok(judgements.length >= 150)
    assert.equal(new Set(records.map((record) => record.id)).size, records.length)
  })

  for (const engine of engines) {
    test(`has no errors on ${engine.name}: precision and recall are 1.0, and the order is right`, async (t) => {
      await using registry = await engine.createRegistry()
      await registry.publish(records)
      const snapshot = (await registry.open()).current()
      const evaluations: Evaluation[] = []
      for (const judgement of judgements) evaluations.push(await evaluate(snapshot, judgement))
      evaluationsByEngine.set(engine.name, evaluations)
      const sum = (count: (evaluation: Evaluation) => number): number =>
        evaluations.reduce((total, evaluation) => total + count(evaluation), 0)
      const truePositives = sum((evaluation) => evaluation.truePositives)
      const precision = truePositives / (truePositives + sum((evaluation) => evaluation.falsePositives))
      const recall = truePositives / sum((evaluation) => evaluation.relevantCount)
      t.diagnostic(
        `${engine.name}: ${judgements.length} queries over ${records.length} records, ` +
          `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
      )
      const errors = evaluations.flatMap((evaluation) => evaluation.errors)
      for (const error of errors) t.diagnostic(error)
      assert.deepEqual(errors, [])
    })
  }

  test('has the same results on all engines', () => {
    const [foundOnFirst, ...foundOnOthers] = engines.map((engine) =>
      evaluationsByEngine.get(engine.name)?.map((evaluation) => evaluation.found),
    )
    assert.notEqual(foundOnFirst, undefined)
    for (const found of foundOnOthers) assert.deepEqual(found, foundOnFirst)
  })
})
