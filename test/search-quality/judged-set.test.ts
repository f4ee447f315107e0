import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../engines.ts'
import { judge, readJudgements, readRecords, type Verdict } from './judged-set.ts'

describe('the judged set', () => {
  const records = readRecords()
  const judgements = readJudgements()
  const answers = new Map<string, Verdict[]>()

  test('is large enough to tell', () => {
    assert.ok(records.length >= 400)
    assert.ok(judgements.length >= 150)
    assert.equal(new Set(records.map((record) => record.id)).size, records.length)
  })

  for (const engine of engines) {
    test(`is answered by ${engine.name} without a miss`, async (t) => {
      await using registry = await engine.createRegistry()
      await registry.publish(records)
      const snapshot = (await registry.open()).current()
      const verdicts: Verdict[] = []
      for (const judgement of judgements) verdicts.push(await judge(snapshot, judgement))
      answers.set(engine.name, verdicts)
      const sum = (count: (verdict: Verdict) => number): number => verdicts.reduce((all, each) => all + count(each), 0)
      const right = sum((verdict) => verdict.right)
      const precision = right / (right + sum((verdict) => verdict.wrong))
      const recall = right / sum((verdict) => verdict.wanted)
      t.diagnostic(
        `${engine.name}: ${judgements.length} queries over ${records.length} records, ` +
          `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
      )
      const misses = verdicts.flatMap((verdict) => verdict.misses)
      for (const miss of misses) t.diagnostic(miss)
      assert.deepEqual(misses, [])
    })
  }

  test('is answered alike by all engines', () => {
    const [first, ...others] = engines.map((engine) => answers.get(engine.name)?.map((verdict) => verdict.found))
    assert.notEqual(first, undefined)
    for (const other of others) assert.deepEqual(other, first)
  })
})
