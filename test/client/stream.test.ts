import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRecords } from '../../src/client/stream.ts'
import { makeRecord } from './service.ts'

function toStream(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return streamOf(places.slice(1).map((place, index) => bytes.slice(places[index], place)))
}

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull: (controller) => {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

test('records come out whole wherever the body is cut', async () => {
  const record = fc.record({
    title: fc.string({ unit: 'binary' }),
    links: fc.constantFrom('"', '\\', '\\"', '{', '}', ']', '[', '},{', 'ñ🏗'),
    nested: fc.constantFrom({ a: [{ b: '}' }] }, null),
  })
  const property = fc.asyncProperty(
    fc.array(record),
    fc.array(fc.nat(5000)),
    fc.constantFrom(0, 2),
    async (list, cuts, indent) => {
      const body = Buffer.from(JSON.stringify({ resultadoBusqueda: list }, null, indent))
      const read = (await Array.fromAsync(readRecords(toStream(body, cuts)))).flat()
      assert.deepEqual(read, JSON.parse(JSON.stringify(list)))
    },
  )
  await fc.assert(property, { numRuns: 300, seed: 1 })
})

test('a long result is read in flat memory', async () => {
  const chunk = Buffer.from(Array.from({ length: 1000 }, (_, index) => JSON.stringify(makeRecord(index))).join(','))
  function* body(): Generator<Uint8Array> {
    yield Buffer.from('{"resultadoBusqueda":[')
    for (let part = 0; part < 300; part++) yield part === 0 ? chunk : Buffer.concat([Buffer.from(','), chunk])
    yield Buffer.from(']}')
  }
  let count = 0
  let heapMost = 0
  for await (const records of readRecords(streamOf(body()))) {
    count += records.length
    heapMost = Math.max(heapMost, process.memoryUsage().heapUsed)
  }
  assert.equal(count, 300_000)
  assert.ok(heapMost < 150_000_000, `${heapMost} bytes of heap for ${chunk.length * 300} of body`)
})
