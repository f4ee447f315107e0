// The operation `changes`, which lists the change log: the records that became new, changed or gone with each import. A
// client says with a token, the parameter `since`, how far it has read the log. The tests cover pages and their links,
// filters, Last-Modified, and tokens that are malformed, of another log, or newer than the snapshot of this process.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { createRegistry } from '../create-registry.ts'
import { publishRecords, startService, type TestRecord, type TestService } from '../service.ts'
import { json, problemCode, sendRequest } from './send-request.ts'

const firstRecords: readonly TestRecord[] = [
  { code: 'A-1', title: 'Plan Parcial', municipality: 'Ávila' },
  { code: 'A-2', title: 'Plan General', municipality: 'Ávila' },
  { code: 'B-1', title: 'Plan General', municipality: 'Segovia' },
]

/** A-1 moves to Segovia, A-2 is gone, B-1 has a new title, A-3 and B-2 are new. */
const secondRecords: readonly TestRecord[] = [
  { code: 'A-1', title: 'Plan Parcial', municipality: 'Segovia' },
  { code: 'B-1', title: 'Plan Especial', municipality: 'Segovia' },
  { code: 'A-3', title: 'Plan General', municipality: 'Ávila' },
  { code: 'B-2', title: 'Plan General', municipality: 'Segovia' },
]

/**
 * A token has the lineage (the random id of the log), the number of a change, and the time of its publication in
 * milliseconds. While all records are listed page by page, a cursor follows: the last record that the client has.
 */
const tokenPattern = /[0-9a-f]{16}\.\d+\.\d+/

/** A page of changes. */
interface ChangePage {
  /** Kind and code of each change, such as `new A-1`. */
  readonly entries: readonly string[]
  /** The relation of its link: `next` leads to the next page, `latest` to later changes. */
  readonly relation: string
  /** The address of its link, relative to the base address. */
  readonly address: string
}

suite('changes', () => {
  let service: TestService
  /** The `latest` address for each filter ('' for none), read before the second import. */
  const addressesBefore: Record<string, string> = {}
  before(async () => {
    service = await startService(firstRecords)
    for (const filter of ['', 'municipality=%C3%81vila', 'search=general']) {
      addressesBefore[filter] = (await readPage(`changes?${filter}`)).address
    }
    await publishRecords(service.database, secondRecords)
    await service.store.refresh()
  })
  after(() => service[Symbol.asyncDispose]())

  /** Reads the page of changes at the path. Fails if its status is not 200. */
  async function readPage(path: string): Promise<ChangePage> {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 200, response.bytes.toString())
    const { changes } = json(response) as { changes: { kind: string; cod_archivo: string }[] }
    const [, address = '', relation = ''] = /^<([^>]+)>; rel="(\w+)"$/.exec(response.headers.link ?? '') ?? []
    const entries = changes.map(({ kind, cod_archivo: code }) => `${kind} ${code}`)
    return { entries, relation, address: address.replace(`${service.base}/`, '') }
  }

  test('without since lists every record as new, and the last page links to later changes', async () => {
    const { entries, relation } = await readPage('changes')
    assert.deepEqual(entries, ['new A-1', 'new A-3', 'new B-1', 'new B-2'])
    assert.equal(relation, 'latest')
  })

  test('a page has a link with rel="next", and the last page a link with rel="latest" to later changes', async () => {
    const first = await readPage('changes?limit=3')
    assert.deepEqual([first.entries, first.relation], [['new A-1', 'new A-3', 'new B-1'], 'next'])
    const second = await readPage(first.address)
    assert.deepEqual([second.entries, second.relation], [['new B-2'], 'latest'])
    assert.deepEqual((await readPage(second.address)).entries, [], 'nothing has changed since')
  })

  test('with since lists what has changed', async () => {
    const { entries, relation } = await readPage(addressesBefore[''] ?? '')
    assert.deepEqual(entries, ['changed A-1', 'gone A-2', 'new A-3', 'changed B-1', 'new B-2'])
    assert.equal(relation, 'latest')
  })

  test('with include=record each entry that is not gone has its record as record gives it', async () => {
    const { resultadoBusqueda: found } = json(
      await sendRequest(service, 'record?include=cod_archivo,place,fields'),
    ) as {
      resultadoBusqueda: { cod_archivo: string }[]
    }
    for (const [path, gone] of [
      ['changes', []],
      [addressesBefore[''] ?? '', ['A-2']],
      // The log of A-1 and B-1 says `gone` for Ávila.
      [addressesBefore['municipality=%C3%81vila'] ?? '', ['A-1', 'A-2', 'B-1']],
    ] as const) {
      const response = await sendRequest(service, `${path}${path.includes('?') ? '&' : '?'}include=record`)
      const { changes } = json(response) as { changes: { kind: string; cod_archivo: string; record?: object }[] }
      assert.deepEqual(
        changes.filter(({ record }) => record === undefined).map(({ cod_archivo: code }) => code),
        gone,
      )
      for (const { cod_archivo: code, record } of changes) {
        if (record !== undefined)
          assert.deepEqual(
            record,
            found.find((each) => each.cod_archivo === code),
            path,
          )
      }
      assert.match(response.headers.link ?? '', /include=record/)
    }
  })

  test('a changed record that does not match the filter is listed as gone, and a new one is left out', async () => {
    // The log does not say how a changed record was before. So it is listed as gone even if it never matched: B-1 was
    // always in Segovia, and the title of A-1 never had `general`. The new B-2 is in Segovia, so Ávila leaves it out.
    const inAvila = await readPage(addressesBefore['municipality=%C3%81vila'] ?? '')
    assert.deepEqual(inAvila.entries, ['gone A-1', 'gone A-2', 'new A-3', 'gone B-1'])
    const general = await readPage(addressesBefore['search=general'] ?? '')
    assert.deepEqual(general.entries, ['gone A-1', 'gone A-2', 'new A-3', 'gone B-1', 'new B-2'])
  })

  test('an unknown municipality is 404, but 200 with since, because its records may be gone', async () => {
    assert.equal(problemCode(await sendRequest(service, 'changes?municipality=Avlia')), 'unknown-municipality')
    const since = new URLSearchParams((addressesBefore[''] ?? '').split('?')[1]).get('since') ?? ''
    assert.equal((await sendRequest(service, `changes?municipality=Avlia&since=${since}`)).status, 200)
  })

  test('a search that finds nothing yet gets a token for later changes', async () => {
    const { entries, relation, address } = await readPage('changes?search=ornitorrinco')
    assert.deepEqual([entries, relation], [[], 'latest'])
    assert.match(address, /^changes\?search=ornitorrinco&since=/)
  })

  test('a since that is no token is 400', async () => {
    const [token = ''] = tokenPattern.exec((await readPage('changes')).address) ?? []
    // The third and the fourth value end in a malformed cursor. A valid one is `t3.2004-05-17.A-1`: tier, date, code.
    // Without a search term all records are in tier 3. The last value has no time.
    for (const since of ['x', '1', `${token}.x`, `${token}.0.2004-05-17.`, '0000000000000000.1']) {
      const response = await sendRequest(service, `changes?since=${since}`)
      assert.deepEqual([response.status, problemCode(response)], [400, 'malformed-since'], since)
    }
  })

  test('a token of another log, or from before the registry was restored from a backup, is 410', async () => {
    const [token = ''] = tokenPattern.exec((await readPage('changes')).address) ?? []
    const [lineage, number, atMs] = token.split('.')
    for (const since of [
      // The log of another lineage.
      `0000000000000000.${number}.${atMs}`,
      // The change has another time: the registry was restored from a backup and then changed again.
      `${lineage}.${number}.${Number(atMs) + 1}`,
      // The log ends before this number, and the last change of the log is later than the time of the token: the client
      // had read more changes before the registry was restored and changed again.
      `${lineage}.999.${Number(atMs) - 1}`,
    ]) {
      const response = await sendRequest(service, `changes?since=${since}`)
      assert.deepEqual([response.status, problemCode(response)], [410, 'expired-since'], since)
    }
  })

  test('a token of a newer snapshot lists nothing', async () => {
    // The client has the token from another process, which serves the newer snapshot already.
    const [token = ''] = tokenPattern.exec((await readPage('changes')).address) ?? []
    /** A change number beyond the end of the log of this service, with the time of the last change of this log. */
    const ahead = token.replace(/\.\d+\./, '.999.')
    const { entries, address } = await readPage(`changes?since=${ahead}`)
    assert.deepEqual([entries, address], [[], `changes?since=${ahead}`])
    // The responses are not cached, because an hour after the publication of its change such a token is 410.
    const { hits } = service.cache
    for (let n = 0; n < 3; n++) await readPage(`changes?since=${ahead}`)
    assert.equal(service.cache.hits, hits)
    // A token with a cursor continues a listing of all records, here one that began in the newer snapshot. This service
    // would leave out the records that only the newer snapshot has.
    const listing = await sendRequest(service, `changes?since=${ahead}.t3.2004-05-17.A-1`)
    assert.deepEqual([listing.status, problemCode(listing)], [503, 'registry-unavailable'])
  })

  test('a repeated request with the ETag gets 304 while nothing has changed', async () => {
    const { etag = '' } = (await sendRequest(service, 'changes')).headers
    assert.equal((await sendRequest(service, 'changes', { headers: { 'if-none-match': etag } })).status, 304)
  })
})

test('after a listing of all records, `next` leads to the changes that were published meanwhile', async () => {
  await using service = await startService(firstRecords)
  const entries: string[] = []
  /** Adds the entries of the page at the path. Returns the address of its link `next`; undefined if it has none. */
  const readPage = async (path: string): Promise<string | undefined> => {
    const response = await sendRequest(service, path)
    const { changes } = json(response) as { changes: { kind: string; cod_archivo: string }[] }
    entries.push(...changes.map(({ kind, cod_archivo: code }) => `${kind} ${code}`))
    return /<.*\/(changes[^>]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1]
  }
  let next = await readPage('changes?limit=2')
  await publishRecords(service.database, secondRecords)
  await service.store.refresh()
  // The last page of the listing has `next` and not `latest`, because there are changes since the listing began.
  while (next !== undefined) next = await readPage(next)
  const listed = ['new A-1', 'new A-2', 'new A-3', 'new B-1', 'new B-2']
  assert.deepEqual(entries, [...listed, 'changed A-1', 'gone A-2', 'new A-3', 'changed B-1', 'new B-2'])
})

test('a record that came and went since the token is listed as new, without a record', async () => {
  await using service = await startService(firstRecords)
  const [, latest = ''] = /<.*\/(changes[^>]+)>/.exec((await sendRequest(service, 'changes')).headers.link ?? '') ?? []
  for (const records of [secondRecords, firstRecords]) {
    await publishRecords(service.database, records)
    await service.store.refresh()
  }
  const { changes } = json(await sendRequest(service, `${latest}&include=record`)) as {
    changes: { kind: string; cod_archivo: string; record?: object | null }[]
  }
  assert.deepEqual(
    changes.filter(({ record }) => record === null).map(({ kind, cod_archivo: code }) => `${kind} ${code}`),
    ['new A-3', 'new B-2'],
  )
})

// A client that copies the registry requests each listed record. If the Last-Modified of the record is before the
// Last-Modified of the list, another process has answered from an older snapshot, and the client requests the record
// again (docs/api.md).
test('a client can tell by Last-Modified that a record is older than the list of changes', async () => {
  await using registry = await createRegistry()
  await registry.publish(firstRecords)
  // Last-Modified has whole seconds. The second publication follows at once, but gets a time in a later second.
  const fetchEarlier = toLocalFetch(await registry.open())
  const [, latest = ''] =
    /<([^>]+)>/.exec((await fetchEarlier(`${localAddress}/changes`)).headers.get('link') ?? '') ?? []
  const older = await fetchEarlier(`${localAddress}/record/B-1`)
  const missing = await fetchEarlier(`${localAddress}/record/B-2`)

  await registry.publish(secondRecords)
  const fetchLater = toLocalFetch(await registry.open())
  const changes = await fetchLater(latest)
  assert.match(await changes.text(), /"changed","cod_archivo":"B-1"/)
  const current = await fetchLater(`${localAddress}/record/B-1`)

  assert.ok(timeOf(older) < timeOf(changes), 'the client sees that the record is too old')
  assert.ok(timeOf(current) >= timeOf(changes), 'the client accepts the record')
  // B-2 is listed as new. Before, its address was 404.
  assert.equal(missing.status, 404)
  assert.ok(timeOf(missing) < timeOf(changes), 'the client sees that the record may exist by now')
})

/** The time of `Last-Modified`. */
function timeOf(response: Response): number {
  const lastModified = response.headers.get('last-modified')
  assert.ok(lastModified)
  return Date.parse(lastModified)
}
