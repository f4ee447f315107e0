// Tests of the change log, which lists the records that each import has added, changed or removed: a copy
// that is updated from the changes equals the registry, whatever is imported. Most tests read the changes through the
// API, in this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { type ClientRecord, createClient, type RegistryClient, type SearchFilters } from '../../src/client/client.ts'
import type { RegistryStore } from '../../src/registry/contract.ts'
import { checkStore } from '../../src/registry/open.ts'
import { createRegistry } from '../create-registry.ts'
import type { TestRecord } from '../service.ts'

/** A client of the API on this store, in this process. */
const clientOf = (store: RegistryStore): RegistryClient => createClient(localAddress, { fetch: toLocalFetch(store) })

/** For example `new A-1`. */
const describeChange = ({ kind, cod_archivo: code }: { kind: string; cod_archivo: string }): string => `${kind} ${code}`

/** A copy of the records that match the filters. It reads the changes, and only the records that the changes name. */
class Copy {
  /** By code. Codes that differ in case are different keys. */
  readonly records = new Map<string, ClientRecord>()
  /** Where the next update begins. Null before the first one. */
  since: string | null = null
  readonly filters: SearchFilters
  /** The most changes on a page. */
  readonly limit: number

  constructor(filters: SearchFilters, limit: number) {
    this.filters = filters
    this.limit = limit
  }

  /** Reads all pages of changes, or up to `pagesMax`, and applies them. */
  async update(client: RegistryClient, { pagesMax = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    let pages = 0
    for await (const page of client.changes(this.filters, { since: this.since, limit: this.limit })) {
      for (const { kind, cod_archivo: code } of page.changes) {
        const record = kind === 'gone' ? null : await client.get(code, { include: ['cod_archivo'] })
        if (record === null) this.records.delete(code)
        else this.records.set(code, record)
      }
      this.since = page.since
      pages++
      if (pages >= pagesMax) return
    }
  }
}

/** The records that match the filters, by code. */
async function readRegistry(client: RegistryClient, filters: SearchFilters): Promise<Map<string, ClientRecord>> {
  const records = await Array.fromAsync(client.search(filters, { include: ['cod_archivo'] }))
  return new Map(records.map((record) => [record.cod_archivo ?? '', record]))
}

const municipalities = ['Ávila', 'Segovia', 'Atlántida']

// `any…` are arbitraries of fast-check: `anyRecords` draws random records.

/** The records of one import. */
const anyRecords = fc
  .uniqueArray(
    fc.record({
      number: fc.integer({ min: 1, max: 12 }),
      hasLowerCaseCode: fc.boolean(),
      title: fc.constantFrom('Plan Parcial', 'Estudio de Detalle'),
      year: fc.integer({ min: 2004, max: 2006 }),
      municipality: fc.constantFrom(...municipalities),
      content: fc.constantFrom('', 'suelo', 'ordenanza'),
    }),
    { selector: ({ number }) => number, maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(
      ({ number, hasLowerCaseCode, title, year, municipality, content }): TestRecord => ({
        code: hasLowerCaseCode ? `av-${number}` : `AV-${number}`,
        id: `E-${number}`,
        title,
        checkinDate: `${year}-05-17`,
        municipality,
        content,
      }),
    ),
  )

/** Imports one after the other. Before each one, the copy reads up to `pagesBefore` pages of changes. */
type Imports = readonly { readonly records: TestRecord[]; readonly pagesBefore: number }[]

const anyImports: fc.Arbitrary<Imports> = fc.array(
  fc.record({ records: anyRecords, pagesBefore: fc.integer({ min: 0, max: 3 }) }),
  { minLength: 1, maxLength: 5 },
)

/** What is copied, and how many changes a page has at most. */
const anyCopyOptions = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  filters: fc.constantFrom<SearchFilters>(
    {},
    { municipality: 'ávila' },
    { search: 'suelo' },
    { checkin_date: 2005, search: 'plan' },
  ),
})

test('the change log keeps a copy equal to the registry through random imports', async () => {
  type CopyOptions = { filters: SearchFilters; limit: number }
  const run = async ({ filters, limit }: CopyOptions, imports: Imports): Promise<void> => {
    await using registry = await createRegistry()
    // Every municipality has a record in the beginning, because the first request of a copy gets 404 if its filters
    // name a municipality without records.
    await registry.publish(municipalities.map((municipality, index) => ({ code: `X-${index}`, municipality })))
    const store = await registry.open()
    const client = clientOf(store)
    const copy = new Copy(filters, limit)
    await copy.update(client, { pagesMax: 1 })
    for (const { records: imported, pagesBefore } of imports) {
      if (pagesBefore > 0) await copy.update(client, { pagesMax: pagesBefore })
      await registry.publish(imported)
      await store.refresh()
    }
    await copy.update(client)
    // A new copy begins with a listing of all records. If the update above has only completed this listing, the
    // next one reads what has changed since the listing began.
    await copy.update(client)
    const lastImported = imports.at(-1)?.records ?? []
    // After an import without records, the copy must be empty. That is known without a search.
    const expected = lastImported.length === 0 ? new Map() : await readRegistry(client, filters)
    assert.deepEqual(new Map([...copy.records].sort()), new Map([...expected].sort()))
    assert.deepEqual((await checkStore(registry.database)).faults, [])
  }
  await fc.assert(fc.asyncProperty(anyCopyOptions, anyImports, run), { numRuns: 12, seed: 7, endOnFailure: true })
})

test('the change log lists new, changed and gone records with the time of publication, oldest first', async () => {
  await using registry = await createRegistry()
  await registry.publish([{ code: 'A-1' }, { code: 'A-2' }, { code: 'A-3' }])
  const store = await registry.open()
  const since = await readSince(clientOf(store))
  await registry.publish([{ code: 'A-2', content: 'suelo' }, { code: 'A-3' }, { code: 'A-0' }])
  await registry.publish([{ code: 'A-2', content: 'suelo' }, { code: 'A-0' }])
  await store.refresh()
  const [page, ...others] = await Array.fromAsync(clientOf(store).changes({}, { since }))
  assert.equal(others.length, 0)
  assert.deepEqual(page?.changes.map(describeChange), ['new A-0', 'gone A-1', 'changed A-2', 'gone A-3'])
  const times = page?.changes.map(({ at }) => Date.parse(at)) ?? []
  assert.deepEqual(times, times.toSorted())
  const tenMinutesMs = 600_000
  assert.ok(times.every((time) => Math.abs(time - Date.now()) < tenMinutesMs))
})

test('the change log lists a record whose code changes only in case as gone and as new', async () => {
  await using registry = await createRegistry()
  await registry.publish([{ code: 'ab-1' }, { code: 'AB-2' }, { code: 'AB-3' }])
  const store = await registry.open()
  const since = await readSince(clientOf(store))
  await registry.publish([{ code: 'AB-1' }, { code: 'ab-2', content: 'suelo' }, { code: 'AB-3' }])
  await store.refresh()
  for (const [filters, expected] of [
    [{}, ['gone ab-1', 'new AB-1', 'gone AB-2', 'new ab-2']],
    // AB-1 does not match, so it is not listed as new. A record that is gone is always listed, because the copy may
    // have it.
    [{ search: 'suelo' }, ['gone ab-1', 'gone AB-2', 'new ab-2']],
  ] as const) {
    const [page] = await Array.fromAsync(clientOf(store).changes(filters, { since }))
    assert.deepEqual(page?.changes.map(describeChange), expected)
  }
  // `readLatest` returns the newest change first, and no change of a record that is gone.
  const latest = await store.current().changes.readLatest({ filters: undefined, limit: 5 })
  assert.deepEqual(
    latest.map(({ change: { kind, code } }) => `${kind} ${code}`),
    ['new ab-2', 'new AB-1'],
  )
})

test('the change log is filtered by what the changed records are now', async () => {
  await using registry = await createRegistry()
  const many = Array.from({ length: 600 }, (_, index) => ({ code: `M-${index}`, title: 'Plan Parcial' }))
  const few = [
    { code: 'F-1', title: 'Estudio de Detalle' },
    { code: 'F-2', title: 'Plan Parcial' },
  ]
  await registry.publish([...many, ...few])
  const store = await registry.open()
  const since = await readSince(clientOf(store))
  await registry.publish([
    ...many.map((record, index) => (index < 3 ? { ...record, content: 'suelo' } : record)),
    { code: 'F-1', title: 'Plan Parcial' },
    { code: 'F-2', title: 'Estudio de Detalle' },
  ])
  await store.refresh()
  // A changed record that does not match is listed as gone, because the copy may still have it.
  // `latestCount` is the number of changed records that match, at most the limit of 3.
  for (const [search, expected, latestCount] of [
    ['plan', ['changed F-1', 'changed M-0', 'changed M-1', 'changed M-2', 'gone F-2'], 3],
    ['estudio', ['changed F-2', 'gone F-1', 'gone M-0', 'gone M-1', 'gone M-2'], 1],
  ] as const) {
    const [page] = await Array.fromAsync(clientOf(store).changes({ search }, { since }))
    assert.deepEqual(page?.changes.map(describeChange).sort(), expected, search)
    const term = analyseTerm(search)
    const latest = await store.current().changes.readLatest({ filters: { search: term }, limit: 3 })
    assert.ok(latest.every(({ change }) => change.kind === 'changed') && latest.length === latestCount, search)
  }
})

test('the change log has the same changes on pages of any limit', async () => {
  await using registry = await createRegistry()
  const before = [{ code: 'A-1', title: 'Estudio' }]
  await registry.publish(before)
  const store = await registry.open()
  /** The number of the last change before the import. */
  const lastBefore = store.current().changes.facts.last
  // Every hundredth of 700 new records matches, so 7 match. The last new record is one of them.
  const added = Array.from({ length: 700 }, (_, index) => ({
    code: `N-${1000 + index}`,
    title: index % 100 === 99 ? 'Estudio' : 'Plan',
  }))
  await registry.publish([...before, ...added])
  await store.refresh()
  const { changes } = store.current()
  const filters = { search: analyseTerm('estudio') }
  for (const limit of [1, 2, 7, 8]) {
    const codes: string[] = []
    let pages = 0
    /** The number of the last change that has been read. */
    let reached = lastBefore
    for (; reached < changes.facts.last; pages++) {
      const page = await changes.readAfter(reached, { filters, limit })
      assert.ok(page.changes.length <= limit)
      codes.push(...page.changes.map(({ code }) => code))
      reached = page.reached
    }
    assert.deepEqual(codes, ['N-1099', 'N-1199', 'N-1299', 'N-1399', 'N-1499', 'N-1599', 'N-1699'], `limit ${limit}`)
    assert.equal(pages, Math.ceil(7 / limit))
  }
})

test('the change log is the same after the same records are imported again', async () => {
  await using registry = await createRegistry()
  await registry.publish([{ code: 'A-1' }])
  const store = await registry.open()
  const since = await readSince(clientOf(store))
  await registry.publish([{ code: 'A-1' }])
  await store.refresh()
  const [page, ...others] = await Array.fromAsync(clientOf(store).changes({}, { since }))
  assert.deepEqual([page?.changes, page?.since, others], [[], since, []])
})

test('the change log cannot be read further when real records have replaced a fictional sample', async () => {
  await using registry = await createRegistry()
  await registry.publish([{ code: 'A-1' }], { fictional: true })
  const store = await registry.open()
  const since = await readSince(clientOf(store))
  await registry.publish([{ code: 'A-1' }])
  await store.refresh()
  // A new change log has begun, and the client has to copy the registry again.
  await assert.rejects(Array.fromAsync(clientOf(store).changes({}, { since })), {
    code: 'expired-since',
    status: 410,
  })
})

/** Reads all changes and returns `since`, with which a later call reads only what has changed from now on. */
async function readSince(client: RegistryClient): Promise<string> {
  const pages = await Array.fromAsync(client.changes())
  return pages.at(-1)?.since ?? ''
}
