// The client against a real service with sample records: every method returns what the registry contains.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, memoryCache, type RegistryClient, type WireRecord } from '../../src/client/client.ts'
import { toWireRecord } from '../../src/domain/record.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { startService, type TestRecord, type TestService, toRecord } from '../service.ts'

let service: TestService
let client: RegistryClient
/** In canonical order (newest first, then by code), in which `sampleRecords` yields them. */
const records: TestRecord[] = []
before(async () => {
  for await (const { record, content } of sampleRecords({
    // Two tests below read them in four pages of up to 700.
    records: 2500,
    documents: 0,
    seed: 'client',
    // From 10 to 30 words of content for each record.
    contentWords: [10, 30],
  })) {
    records.push({ ...record, content })
  }
  service = await startService(records)
  client = createClient(service.base)
})
after(() => service[Symbol.asyncDispose]())

/** The whole registry as the service sends it. */
const toWireRecords = (): WireRecord[] => records.map((record) => toWireRecord(toRecord(record)))

test('a search without filters returns the whole registry in canonical order', async () => {
  assert.deepEqual(await Array.fromAsync(client.search()), toWireRecords())
})

test('all pages together are the whole result', async () => {
  const read: WireRecord[] = []
  let cursor: string | null = null
  do {
    const page = await client.page({}, { limit: 700, cursor })
    read.push(...page.records)
    cursor = page.cursor
  } while (cursor !== null)
  assert.deepEqual(read, toWireRecords())
})

test('included codes lead from a result to its record, and an empty include adds nothing', async () => {
  const { records: found } = await client.page(
    { search: 'aparcamiento' },
    { limit: 5, include: ['cod_archivo', 'place'] },
  )
  assert.ok(found.length > 0)
  for (const { cod_archivo: code = '', place, ...record } of found) {
    assert.deepEqual(await client.get(code), record)
    assert.equal(typeof place?.province, 'string')
  }
  assert.deepEqual(await client.page({}, { limit: 1, include: [] }), await client.page({}, { limit: 1 }))
})

test('changes list every record once, in pages, and nothing after the last token', async () => {
  const pages = await Array.fromAsync(client.changes({}, { limit: 700 }))
  const codes = pages.flatMap(({ changes }) => changes.map(({ cod_archivo: code }) => code))
  assert.deepEqual(codes.toSorted(), records.map(({ code }) => code).toSorted())
  const since = pages.at(-1)?.since ?? ''
  const [page, ...others] = await Array.fromAsync(client.changes({}, { since }))
  assert.deepEqual([page?.changes, page?.since, others], [[], since, []])
})

test('changes since a malformed token are an error', async () => {
  await assert.rejects(Array.fromAsync(client.changes({}, { since: 'x' })), { code: 'malformed-since', status: 400 })
})

test('a copy is the registry, with code and place, in few requests', async () => {
  const pages = await Array.fromAsync(client.copy({}, { limit: 1000 }))
  assert.deepEqual(
    pages.map(({ isWhole, gone, records: stored }) => [isWhole, gone.length, stored.length]),
    [
      [true, 0, 1000],
      [false, 0, 1000],
      [false, 0, 500],
    ],
  )
  assert.deepEqual(
    pages.flatMap((page) => page.records),
    await Array.fromAsync(client.search({}, { include: ['cod_archivo', 'place', 'fields'] })),
  )
})

test('get finds a record by its code, also with slashes, and returns null for an unknown code', async () => {
  const everyHundredth = records.filter((_, index) => index % 100 === 0)
  assert.ok(everyHundredth.some(({ code }) => code.includes('/')))
  for (const { code, id } of everyHundredth) assert.equal((await client.get(code))?.id, id)
  assert.equal(await client.get('00000-1'), null)
})

test('a summary counts the records that a search finds', async () => {
  const found = await Array.fromAsync(client.search({ search: 'aparcamiento', checkin_date: 2004 }))
  const summary = await client.summary({ search: 'aparcamiento', checkin_date: 2004 })
  assert.ok(found.length > 0)
  assert.equal(summary.total, found.length)
  assert.deepEqual(summary.by_year, [{ year: 2004, records: found.length }])
})

test('the counts of all municipalities add up to all records, and a municipality is found by its name', async () => {
  const municipalities = await client.municipalities()
  assert.equal(
    municipalities.reduce((sum, municipality) => sum + municipality.records, 0),
    records.length,
  )
  const [first] = municipalities
  assert.ok(first !== undefined)
  const found = await Array.fromAsync(client.search({ municipality: first.name }))
  // Another municipality may have the same name.
  assert.ok(found.length >= first.records)
})

test('an unknown municipality is an empty search with a reason', async () => {
  const problemTypes: string[] = []
  const found = client.search({ municipality: 'Atlántida' }, { onEmpty: ({ type }) => problemTypes.push(type) })
  assert.deepEqual(await Array.fromAsync(found), [])
  assert.deepEqual(problemTypes, [`${service.base}/problems/unknown-municipality`])
})

test('a problem of the service is thrown with its code', async () => {
  await assert.rejects(client.page({ checkin_date: 'x' }), {
    name: 'RegistryError',
    code: 'malformed-year',
    status: 400,
  })
  await assert.rejects(Array.fromAsync(client.search({ search: ' ' })), { code: 'incomplete-request' })
  await assert.rejects(createClient(`${service.base}/x`).municipalities(), { code: 'unknown-address' })
})

test('an unchanged response is revalidated with 304', async () => {
  const statuses: number[] = []
  const cached = createClient(service.base, {
    cache: memoryCache(),
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      statuses.push(response.status)
      return response
    },
  })
  const first = await cached.page({ checkin_date: 2004 }, { limit: 5 })
  assert.deepEqual(await cached.page({ checkin_date: 2004 }, { limit: 5 }), first)
  assert.notEqual(first.cursor, null)
  assert.deepEqual(statuses, [200, 304])
})
