// Reads of an export that fail: before the response has begun they are reported, afterwards they are retried.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deadline } from '../../src/domain/deadline.ts'
import { StoreUnavailable } from '../../src/snapshot/contract.ts'
import { RetryingSource } from '../../src/snapshot/retry.ts'

/** A read whose first attempt fails. `beforeFailure` is called during that attempt. */
function failingOnce(beforeFailure: () => void = () => {}): () => Promise<string> {
  let attempts = 0
  return async () => {
    attempts += 1
    if (attempts > 1) return 'records'
    beforeFailure()
    throw new StoreUnavailable('the database is away')
  }
}

function toSource(deadline: Deadline | undefined): RetryingSource {
  return new RetryingSource({ readChunks: () => undefined }, deadline)
}

test('a failed read is reported before the response has begun', async () => {
  const source = toSource({ isExpired: false, isStarted: false })
  await assert.rejects(async () => source.read(failingOnce()), StoreUnavailable)
})

test('a failed read is retried if the response has begun, also if it began after the read', async () => {
  assert.equal(await toSource({ isExpired: false, isStarted: true }).read(failingOnce()), 'records')
  const deadline = { isExpired: false, isStarted: false }
  const reading = toSource(deadline).read(failingOnce(() => (deadline.isStarted = true)))
  assert.equal(await reading, 'records')
})

test('a failed read is retried outside a request', async () => {
  assert.equal(await toSource(undefined).read(failingOnce()), 'records')
})
