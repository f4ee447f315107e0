// Tests of the cooperative scheduler: long searches take turns, yield to other work and end at their deadline.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { waitForTimeSlice } from '../../src/registry/scheduler.ts'

/** The time that the scheduler sees. Only `work` advances it, so the results do not depend on the machine. */
let nowMs = 0
mock.method(performance, 'now', () => nowMs)

function work(ms: number): void {
  nowMs += ms
}

test('waiting searches continue in the order of arrival, several of them in one iteration', async () => {
  const order: number[] = []
  const searches = Array.from({ length: 10 }, (_, number) => waitForTimeSlice().then(() => order.push(number)))
  // In each iteration of the event loop, time slices may take a quarter of the time of the other work. Here the other
  // work takes 2 ms, and a slice takes almost no time, so many slices run in one iteration.
  let iterations = 0
  for (; order.length < searches.length; iterations++) {
    work(2)
    await nextIteration()
  }
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.ok(iterations < searches.length, `${iterations} iterations`)
})

test('without other work, about one time slice runs in each iteration of the event loop', async () => {
  const slicesWanted = 256
  const searchCount = 32
  let slices = 0
  const run = async (): Promise<void> => {
    for (let slice = 0; slice < slicesWanted / searchCount; slice++) {
      await waitForTimeSlice()
      work(0.1)
      slices++
    }
  }
  const searches = Array.from({ length: searchCount }, () => run())
  let iterations = 0
  for (; slices < slicesWanted; iterations++) await nextIteration()
  await Promise.all(searches)
  const isOneInEach = iterations > slicesWanted / 2 && iterations < slicesWanted * 2
  assert.ok(isOneInEach, `${iterations} iterations for ${slicesWanted} slices`)
})

test('the searches of a client run one after the other, and a very long one lets the next one run', async () => {
  /** Which search had each time slice. */
  const slices: string[] = []
  const run = async (name: string, sliceCount: number): Promise<void> => {
    const deadline = { isExpired: false, client: 'one' }
    for (let slice = 0; slice < sliceCount; slice++) {
      await waitForTimeSlice(deadline)
      slices.push(name)
    }
  }
  await Promise.all([run('first', 3), run('long', 100), run('last', 3)])
  assert.deepEqual(slices.slice(0, 6), [...Array(3).fill('first'), ...Array(3).fill('long')])
  // The next search of the client has its turn after 16 slices of the long one (`slicesPerTurn`), at about slice 19.
  // The bounds allow other values of this constant.
  const startOfLast = slices.indexOf('last')
  assert.ok(startOfLast >= 6 && startOfLast < 50, `the last search started at slice ${startOfLast}`)
  assert.deepEqual(slices.slice(startOfLast, startOfLast + 3), Array(3).fill('last'))
})

test('clients take turns: a client with many searches does not delay the search of another one', async () => {
  const order: string[] = []
  const searchAs = (client: string) => waitForTimeSlice({ isExpired: false, client }).then(() => order.push(client))
  await Promise.all([...Array.from({ length: 100 }, () => searchAs('greedy')), searchAs('other'), searchAs('other')])
  assert.deepEqual(order.slice(0, 4), ['greedy', 'other', 'greedy', 'other'])
})

test('under load a search gets a fifth of the time', async () => {
  let slices = 0
  let isStopped = false
  const searching = async (): Promise<void> => {
    while (!isStopped) {
      await waitForTimeSlice()
      work(0.5)
      slices++
    }
  }
  const search = searching()
  const iterations = 2000
  for (let iteration = 0; iteration < iterations; iteration++) {
    work(0.1)
    await nextIteration()
  }
  isStopped = true
  await search
  // The other work took 200 ms, so the search may take a quarter of that, 50 ms, which is 100 slices.
  assert.ok(slices >= 98 && slices <= 102, `${slices} slices`)
})

test('a search alone has several time slices in an iteration with much other work', async () => {
  let slices = 0
  let isStopped = false
  const searching = async (): Promise<void> => {
    while (!isStopped) {
      await waitForTimeSlice()
      work(0.25)
      slices++
    }
  }
  const search = searching()
  const iterations = 40
  for (let iteration = 0; iteration < iterations; iteration++) {
    work(4)
    await nextIteration()
  }
  isStopped = true
  await search
  // A quarter of the 4 ms of other work is enough for up to four slices of 0.25 ms in each iteration.
  assert.ok(slices > iterations * 3 && slices <= iterations * 4, `${slices} slices in ${iterations} iterations`)
})

test('searches whose deadline has expired do not delay the others', async () => {
  const expired = Array.from({ length: 1000 }, () => waitForTimeSlice({ isExpired: true }))
  let hasContinued = false
  const search = waitForTimeSlice({ isExpired: false }).then(() => {
    hasContinued = true
  })
  // If each of the 1,000 expired searches took a time slice, the search would not continue within 100 iterations.
  for (let iteration = 0; iteration < 100 && !hasContinued; iteration++) await nextIteration()
  assert.ok(hasContinued)
  await Promise.all([...expired, search])
})
