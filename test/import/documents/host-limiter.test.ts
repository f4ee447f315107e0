// Limits of requests per host: the order in which requests that wait are started.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostLimiter } from '../../../src/import/documents/host-limiter.ts'

test('requests to a host start in order of arrival, also if one arrives at the moment when another ends', async () => {
  const requestsMax = 1
  const limiter = new HostLimiter(requestsMax)
  const started: string[] = []
  const { promise: firstEnds, resolve: endFirst } = Promise.withResolvers<void>()
  /** Makes a request that ends when the promise `ends` is fulfilled. */
  const run = (name: string, ends: Promise<void>): Promise<void> => {
    const request = (): Promise<void> => {
      started.push(name)
      return ends
    }
    return limiter.run('host.example', request, new AbortController().signal)
  }
  const first = run('first', firstEnds)
  const second = run('second', Promise.resolve())
  // Both the limiter and this line wait for `firstEnds`. The limiter began earlier, so it continues first. When the
  // third request arrives, the second one has been given the slot of the first but has not started yet.
  const third = firstEnds.then(() => run('third', Promise.resolve()))
  endFirst()
  await Promise.all([first, second, third])
  assert.deepEqual(started, ['first', 'second', 'third'])
})
