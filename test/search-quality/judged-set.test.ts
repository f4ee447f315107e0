// Tests the quality of search on the judged set, which is records.txt and the queries in queries.txt with their
// expected results. A search must find all relevant records and no irrelevant ones, and those that are judged to
// come first must come first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRegistry } from '../create-registry.ts'
import { type Evaluation, evaluate, readJudgements, readRecords } from './judged-set.ts'

const records = readRecords()
const judgements = readJudgements()

test('the judged set has enough records and queries, and no id twice', () => {
  assert.ok(records.length >= 400)
  assert.ok(judgements.length >= 150)
  assert.equal(new Set(records.map((record) => record.id)).size, records.length)
})

test('the judged set has no errors: precision and recall are 1.0, and the order is right', async (t) => {
  await using registry = await createRegistry()
  await registry.publish(records)
  const snapshot = (await registry.open()).current()
  const evaluations = await Array.fromAsync(judgements, (judgement) => evaluate(snapshot, judgement))
  const sum = (count: (evaluation: Evaluation) => number): number =>
    evaluations.reduce((total, evaluation) => total + count(evaluation), 0)
  const truePositives = sum((evaluation) => evaluation.truePositives)
  const precision = truePositives / (truePositives + sum((evaluation) => evaluation.falsePositives))
  const recall = truePositives / sum((evaluation) => evaluation.relevantCount)
  t.diagnostic(
    `${judgements.length} queries over ${records.length} records, ` +
      `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
  )
  const errors = evaluations.flatMap((evaluation) => evaluation.errors)
  for (const error of errors) t.diagnostic(error)
  assert.deepEqual(errors, [])
})
