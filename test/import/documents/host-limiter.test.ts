// Limits of requests per host: the order in which requests that wait are started.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostLimiter } from '../../../src/import/documents/host-limiter.ts'

test('requests to a host start in order of arrival, also if one arrives at the moment when another ends', async () => {
  const limiter = new HostLimiter(1)
  const started: string[] = []
  const { promise: firstEnds, resolve: endFirst } = Promise.withResolvers<void>()
  const run = (name: string, ends: Promise<void>): Promise<void> => {
    const request = (): Promise<void> => {
      started.push(name)
      return ends
    }
    return limiter.run('host.example', request, new AbortController().signal)
  }
  const first = run('first', firstEnds)
  const second = run('second', Promise.resolve())
  // The limiter waits for the same promise and is told first, so the slot is being passed on when this request arrives.
  const third = firstEnds.then(() => run('third', Promise.resolve()))
  endFirst()
  await Promise.all([first, second, third])
  assert.deepEqual(started, ['first', 'second', 'third'])
})
