// The streaming parser of the client: chunks may end anywhere, and memory does not grow with the result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { readRecords } from '../../src/client/stream.ts'
import { makeRecord } from './fake-service.ts'

/** The bytes as a stream, cut into chunks at the offsets `cuts`. An offset past the end counts from the start again. */
function toCutStream(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const offsets = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return toStream(offsets.slice(1).map((offset, index) => bytes.slice(offsets[index], offset)))
}

/** A stream that makes each chunk only when it is read. */
function toStream(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull: (controller) => {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

test('records are parsed wherever the chunks of the body end', async () => {
  const anyRecord = fc.record({
    title: fc.string({ unit: 'binary' }),
    links: fc.constantFrom('"', '\\', '\\"', '{', '}', ']', '[', '},{', 'ñ🏗'),
    nested: fc.constantFrom({ a: [{ b: '}' }] }, null),
  })
  const property = fc.asyncProperty(
    fc.array(anyRecord),
    fc.array(fc.nat(5000)),
    fc.constantFrom(0, 2),
    async (list, cuts, indent) => {
      const body = Buffer.from(JSON.stringify({ resultadoBusqueda: list }, null, indent))
      const read = (await Array.fromAsync(readRecords(toCutStream(body, cuts)))).flat()
      // A generated record may have no prototype, in contrast to a parsed one.
      assert.deepEqual(read, JSON.parse(JSON.stringify(list)))
    },
  )
  await fc.assert(property, { numRuns: 300, seed: 1 })
})

test('a body with anything but records in its array is malformed', async () => {
  for (const elements of ['1,2', 'null', '{"title":"A"},"B"', '[{}]', '{} x']) {
    const body = Buffer.from(`{"resultadoBusqueda":[${elements}]}`)
    await assert.rejects(Array.fromAsync(readRecords(toCutStream(body, []))), { kind: 'malformed' }, elements)
  }
})

/** Bytes on the heap after a garbage collection. */
function measureHeapBytes(): number {
  // Once this flag is set, `gc` exists in new contexts, but not in this one.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('a long result is parsed in constant memory', async () => {
  const [chunkCount, recordsPerChunk] = [300, 1000]
  const records = Array.from({ length: recordsPerChunk }, (_, index) => JSON.stringify(makeRecord(index)))
  const chunk = Buffer.from(records.join(','))
  function* body(): Generator<Uint8Array> {
    yield Buffer.from('{"resultadoBusqueda":[')
    for (let n = 0; n < chunkCount; n++) yield n === 0 ? chunk : Buffer.concat([Buffer.from(','), chunk])
    yield Buffer.from(']}')
  }
  let count = 0
  /** The heap after every 50,000 records. */
  const heapBytes: number[] = []
  for await (const batch of readRecords(toStream(body()))) {
    count += batch.length
    if (count >= (heapBytes.length + 1) * 50_000) heapBytes.push(measureHeapBytes())
  }
  assert.equal(count, chunkCount * recordsPerChunk)
  assert.ok(heapBytes.length > 3)
  // A parser that kept the records would need far more: the body has about 66 MB.
  const grownBytes = (heapBytes.at(-1) ?? 0) - (heapBytes[0] ?? 0)
  assert.ok(
    grownBytes < 2_000_000,
    `the heap grew by ${grownBytes} bytes for a body of ${chunk.length * chunkCount} bytes`,
  )
})
