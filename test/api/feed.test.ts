// {base}/feed, an Atom feed of the newest changes and, if they are few, of other records: read by a feed parser, before
// and after an import.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { parseAtomFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import { publishRecords, startService, type TestRecord, type TestService } from '../service.ts'
import { withChangedSnapshots } from '../with-current.ts'
import { problemCode, sendRequest } from './send-request.ts'

/** What the tests read of a feed. The types of the parser make every property optional. */
interface ParsedFeed {
  readonly id: string
  readonly title: { readonly value: string }
  readonly updated: string
  readonly links: readonly { readonly href: string; readonly rel: string }[]
  readonly entries?: readonly {
    readonly id: string
    readonly title: { readonly value: string }
    readonly updated: string
    readonly summary: { readonly value: string }
    readonly links: readonly { readonly href: string; readonly rel: string }[]
    readonly categories: readonly { readonly term: string }[]
  }[]
}

/** Contains markup, the end of a CDATA section, and U+0001, which XML does not allow. */
const hostileTitle = '<script>alert(1)</script> & "Plan" \u0001 ]]> ñ'
const shownTitle = hostileTitle.replace('\u0001', '')

const firstRecords: readonly TestRecord[] = [
  { code: 'A-1', title: 'Plan Parcial', municipality: 'Ávila', checkinDate: '2004-05-17' },
  { code: 'A/2-2', title: 'Plan General', municipality: 'Ávila', checkinDate: '2010-05-17', area: 'Casco' },
  { code: 'B-1', title: 'Plan General', municipality: 'Coruña, A', checkinDate: '2011-05-17' },
]

/** A-1 has another title, A/2-2 is gone, and B-2 is new. */
const secondRecords: readonly TestRecord[] = [
  { ...firstRecords[0], code: 'A-1', title: hostileTitle },
  ...firstRecords.slice(2),
  { code: 'B-2', title: 'Estudio', municipality: 'Coruña, A', checkinDate: '1999-01-01' },
]

suite('the feed', () => {
  let service: TestService
  before(async () => {
    service = await startService(firstRecords)
  })
  after(() => service[Symbol.asyncDispose]())

  /** Reads a feed, and checks what is true of every feed. */
  async function read(path: string): Promise<ParsedFeed> {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 200)
    assert.equal(response.headers['content-type'], 'application/atom+xml; charset=utf-8')
    const text = response.bytes.toString()
    // A parser of feeds may accept XML that is not well-formed.
    const parser = new SaxesParser({ xmlns: true })
    parser.on('error', (error) => assert.fail(error.message))
    parser.write(text).close()
    const feed = parseAtomFeed(text) as ParsedFeed
    // RFC 4287: ids are unique, and times have the format of RFC 3339.
    const ids = (feed.entries ?? []).map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const time of [feed.updated, ...(feed.entries ?? []).map(({ updated }) => updated)]) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
    return feed
  }

  /** Kind and title of each entry, such as `new Plan General`. */
  const describeEntries = ({ entries = [] }: ParsedFeed): string[] =>
    entries.map(({ title, categories }) => `${categories[0]?.term} ${title.value}`)

  test('of a new registry has its newest records', async () => {
    const feed = await read('feed')
    assert.deepEqual(describeEntries(feed), ['new Plan General', 'new Plan General', 'new Plan Parcial'])
    assert.deepEqual(
      feed.links.map(({ rel, href }) => [rel, href]),
      [
        ['self', `${service.base}/feed`],
        ['alternate', `${service.base}/`],
      ],
    )
    const [first, second] = feed.entries ?? []
    assert.equal(second?.links[0]?.href, `${service.base}/expediente/A%2F2-2`)
    assert.equal(first?.summary.value, 'Nuevo expediente de A Coruña (Galicia). Entrada: 2011-05-17. Código: B-1.')
  })

  test('lists the changes first, then other records, and shows markup in a title as text', async () => {
    await publishRecords(service.database, secondRecords)
    await service.store.refresh()
    const feed = await read('feed')
    // The changes of one import are in descending order of code. A record that is gone has no entry.
    assert.deepEqual(describeEntries(feed), ['new Estudio', `changed ${shownTitle}`, 'new Plan General'])
    assert.equal(feed.updated, feed.entries?.[0]?.updated)
    // The first entry is of the second import, and the last one of the first.
    assert.ok((feed.entries?.[0]?.updated ?? '') > (feed.entries?.[2]?.updated ?? ''))
  })

  test('has the filters of the search', async () => {
    // The test before has published `secondRecords`.
    const feed = await read('feed?municipality=%C3%81vila')
    assert.deepEqual(describeEntries(feed), [`changed ${shownTitle}`])
    assert.equal(feed.title.value, 'Expedientes de urbanismo: Ávila')
    assert.equal(feed.id, `${service.base}/feed?municipality=%C3%81vila`)
    assert.deepEqual(describeEntries(await read('feed?search=ornitorrinco')), [])
    assert.equal(problemCode(await sendRequest(service, 'feed?municipality=Avlia')), 'unknown-municipality')
    assert.equal(problemCode(await sendRequest(service, 'feed?limit=3')), 'unknown-parameter')
  })

  test('of a place without records is empty', async () => {
    // Segovia, whose INE code is 40194, and Madrid exist but have no records here.
    for (const filters of ['municipality=Segovia', 'municipality=40194', 'province=Segovia', 'community=Madrid']) {
      assert.deepEqual(describeEntries(await read(`feed?${filters}`)), [], filters)
    }
    assert.deepEqual(describeEntries(await read('feed?municipality=Segovia&province=Segovia')), [])
  })

  test('of an unknown place, or of two places that contradict each other, is a problem', async () => {
    for (const [filters, code] of [
      ['municipality=99999', 'unknown-municipality'],
      ['province=Avlia', 'unknown-province'],
      ['municipality=Segovia&province=Soria', 'contradictory-places'],
      ['municipality=%C3%81vila&province=Soria', 'contradictory-places'],
    ] as const) {
      assert.equal(problemCode(await sendRequest(service, `feed?${filters}`)), code, filters)
    }
  })

  test('is not made for a client that has it, and has another ETag for other filters', async () => {
    let pages = 0
    await using counted = await startService(firstRecords, {
      wrapStore: (store) =>
        withChangedSnapshots(store, (snapshot) => ({
          page: (...args) => {
            pages += 1
            return snapshot.page(...args)
          },
        })),
    })
    const { etag = '' } = (await sendRequest(counted, 'feed?search=plan')).headers
    assert.equal(pages, 1)
    const headers = { 'if-none-match': etag }
    assert.equal((await sendRequest(counted, 'feed?search=plan', { headers })).status, 304)
    assert.equal(pages, 1)
    assert.equal((await sendRequest(counted, 'feed?search=general', { headers })).status, 200)
  })

  test('is answered with 304 while nothing has changed', async () => {
    const { etag = '' } = (await sendRequest(service, 'feed')).headers
    assert.equal((await sendRequest(service, 'feed', { headers: { 'if-none-match': etag } })).status, 304)
  })
})
