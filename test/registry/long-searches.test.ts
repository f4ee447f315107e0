// Tests of searches that read much and find nothing, such as two frequent words that never meet: other requests run
// meanwhile, and the deadline ends them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import type { Query } from '../../src/domain/query.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import { readAll } from './reading.ts'

let registry: TestRegistry
let snapshot: Snapshot
before(async () => {
  registry = await createRegistry()
  snapshot = await registry.snapshotOf(
    Array.from({ length: 40_000 }, (_, index) => ({
      code: `A-${index}`,
      content: index % 2 === 0 ? 'suelo rústico y vuelo urbano' : 'suelo urbano y otro vuelo',
    })),
  )
})
after(() => registry[Symbol.asyncDispose]())

const queries: Readonly<Record<string, Query>> = {
  'words that never meet': { search: analyseTerm('rústico otro') },
  'words that are never side by side': { search: analyseTerm('"vuelo suelo" "urbano suelo"') },
  'a prefix and a word': { search: analyseTerm('rústic* otro') },
}

for (const [name, query] of Object.entries(queries)) {
  test(`${name}: other requests run while nothing is found`, async () => {
    let isDone = false
    const search = readAll(snapshot, query).finally(() => {
      isDone = true
    })
    let lookups = 0
    while (!isDone) {
      assert.ok(await snapshot.page({ cod_archivo: 'A-7', limit: 1 }))
      lookups++
      await nextIteration()
    }
    assert.deepEqual(await search, [])
    assert.ok(lookups > 1, `${lookups} lookups`)
  })

  test(`${name}: the deadline ends the search`, async () => {
    const reads = [
      (deadline: { isExpired: boolean }) => snapshot.page({ ...query, limit: 1 }, deadline),
      (deadline: { isExpired: boolean }) => Array.fromAsync(snapshot.search(query, deadline)),
      (deadline: { isExpired: boolean }) => snapshot.summarise(query, deadline),
    ]
    for (const read of reads) {
      const deadline = { isExpired: false }
      const reading = read(deadline)
      deadline.isExpired = true
      await assert.rejects(reading, SearchCancelled)
    }
  })
}
