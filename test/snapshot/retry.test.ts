// Tests of reads that fail in an export (a streamed response): the error is thrown if the response has not begun, so
// that the response is a 503. If it has begun, the read is tried again.
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

/** Only `read` is tested, so the source of chunks has none. */
function toSource(hasBegun: () => boolean): RetryingSource {
  return new RetryingSource({ readChunks: () => undefined }, hasBegun)
}

test('the error of a failed read is thrown if the response has not begun', async () => {
  const source = toSource(() => false)
  await assert.rejects(async () => source.read(failingOnce()), StoreUnavailable)
})

test('a failed read is retried if the response has begun, also if it began during the read', async () => {
  assert.equal(await toSource(() => true).read(failingOnce()), 'records')
  let hasBegun = false
  const reading = toSource(() => hasBegun).read(failingOnce(() => (hasBegun = true)))
  assert.equal(await reading, 'records')
})
