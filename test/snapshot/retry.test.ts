// Reads of an export that fail: before the response has begun they are reported, afterwards they are retried.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

function toSource(hasBegun: () => boolean): RetryingSource {
  return new RetryingSource({ readChunks: () => undefined }, hasBegun)
}

test('a failed read is reported before the response has begun', async () => {
  const source = toSource(() => false)
  await assert.rejects(async () => source.read(failingOnce()), StoreUnavailable)
})

test('a failed read is retried if the response has begun, also if it began during the read', async () => {
  assert.equal(await toSource(() => true).read(failingOnce()), 'records')
  let hasBegun = false
  const reading = toSource(() => hasBegun).read(failingOnce(() => (hasBegun = true)))
  assert.equal(await reading, 'records')
})
