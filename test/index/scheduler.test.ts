// No search holds up another request, and none goes on for nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import { Walk } from '../../src/index/collector.ts'
import { Everything, Turn } from '../../src/index/iterators.ts'
import { waitForTurn } from '../../src/index/scheduler.ts'

const noLists = {
  readHeads: () => [],
  readHeadsBeginning: () => [],
  readChunks: () => {},
}

test('one waiting search goes on for each round of the event loop, first come first', async () => {
  const order: number[] = []
  const searches = Array.from({ length: 10 }, (_, n) => waitForTurn().then(() => order.push(n)))
  const seen: number[] = []
  for (let round = 0; round < 12; round++) {
    await nextRound()
    seen.push(order.length)
  }
  await Promise.all(searches)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (let round = 1; round < seen.length; round++) {
    assert.ok((seen[round] ?? 0) - (seen[round - 1] ?? 0) <= 1, `several in one round: ${seen}`)
  }
})

test('a search has a turn a millisecond at most where rounds are full of other work, and is not forgotten', async () => {
  let turns = 0
  let isExpired = false
  const searching = async (): Promise<void> => {
    for (; !isExpired; turns++) await waitForTurn()
  }
  const search = searching()
  const startedMs = performance.now()
  for (let round = 0; round < 200; round++) {
    const roundMs = performance.now()
    while (performance.now() - roundMs < 0.1);
    await nextRound()
  }
  const elapsedMs = performance.now() - startedMs
  isExpired = true
  await search
  assert.ok(turns > 2 && turns < elapsedMs + 2, `${turns} turns in ${elapsedMs} ms`)
})

test('a search ends at its next turn once deadline is over', async () => {
  const deadline = { isExpired: false }
  const walk = new Walk(new Everything(), new Turn(deadline), noLists, 0, 10_000_000)
  const matches: number[] = []
  const walking = Promise.resolve(walk.collect(matches, 10_000_000))
  await nextRound()
  deadline.isExpired = true
  await assert.rejects(walking, SearchCancelled)
  assert.ok(matches.length < 10_000_000)
})

test('searches that nobody waits for any more keep nobody from a turn', async () => {
  const abandoned = Array.from({ length: 1000 }, () => waitForTurn({ isExpired: true }))
  let hadTurn = false
  const search = waitForTurn({ isExpired: false }).then(() => {
    hadTurn = true
  })
  for (let round = 0; round < 100 && !hadTurn; round++) await nextRound()
  assert.ok(hadTurn)
  await Promise.all([...abandoned, search])
})
