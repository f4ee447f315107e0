// The operation `changes`: pages and their links, filters, and tokens that are malformed or too old.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
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

/** A token has the identity of the log, the number of a change and the time of its publication. */
const tokenPattern = /[0-9a-f]{16}\.\d+\.\d+/

/** A page of changes. */
interface ChangePage {
  /** Such as `new A-1`. */
  readonly entries: readonly string[]
  /** Relation and address of its link: `next` leads to the next page, `latest` to later changes. */
  readonly relation: string
  /** Relative to the base address. */
  readonly address: string
}

suite('changes', () => {
  let service: TestService
  /** The addresses that the last pages before the second import led to, by filter. */
  const latest: Record<string, string> = {}
  before(async () => {
    service = await startService(firstRecords)
    for (const filter of ['', 'municipality=%C3%81vila', 'search=general']) {
      latest[filter] = (await list(`changes?${filter}`)).address
    }
    await publishRecords(service.database, secondRecords)
    await service.store.refresh()
  })
  after(() => service[Symbol.asyncDispose]())

  /** Reads a page of changes. */
  async function list(path: string): Promise<ChangePage> {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 200, response.bytes.toString())
    const { changes } = json(response) as { changes: { kind: string; cod_archivo: string }[] }
    const [, address = '', relation = ''] = /^<([^>]+)>; rel="(\w+)"$/.exec(response.headers.link ?? '') ?? []
    const entries = changes.map(({ kind, cod_archivo: code }) => `${kind} ${code}`)
    return { entries, relation, address: address.replace(`${service.base}/`, '') }
  }

  test('without since lists every record as new, and the last page has the address for the next time', async () => {
    const { entries, relation } = await list('changes')
    assert.deepEqual(entries, ['new A-1', 'new A-3', 'new B-1', 'new B-2'])
    assert.equal(relation, 'latest')
  })

  test('pages lead on with rel="next", and the last one with rel="latest"', async () => {
    const pages: ChangePage[] = []
    for (let address = 'changes?limit=3'; pages.length < 2; ) {
      const page = await list(address)
      pages.push(page)
      address = page.address
    }
    assert.deepEqual(
      pages.map(({ relation }) => relation),
      ['next', 'latest'],
    )
    assert.deepEqual(
      pages.flatMap(({ entries }) => entries),
      ['new A-1', 'new A-3', 'new B-1', 'new B-2'],
    )
    assert.deepEqual((await list(pages[1]?.address ?? '')).entries, [])
  })

  test('with since lists what has changed', async () => {
    const { entries, relation } = await list(latest[''] ?? '')
    assert.deepEqual(entries, ['changed A-1', 'gone A-2', 'new A-3', 'changed B-1', 'new B-2'])
    assert.equal(relation, 'latest')
  })

  test('with a filter, a changed record that does not match is gone, and such a new one is left out', async () => {
    // B-1 never was in Ávila, but the log does not say how a record was before.
    const inAvila = await list(latest['municipality=%C3%81vila'] ?? '')
    assert.deepEqual(inAvila.entries, ['gone A-1', 'gone A-2', 'new A-3', 'gone B-1'])
    const general = await list(latest['search=general'] ?? '')
    assert.deepEqual(general.entries, ['gone A-1', 'gone A-2', 'new A-3', 'gone B-1', 'new B-2'])
  })

  test('the first request with an unknown name is 404, a later one is not', async () => {
    assert.equal(problemCode(await sendRequest(service, 'changes?municipality=Avlia')), 'unknown-municipality')
    const since = new URLSearchParams((latest[''] ?? '').split('?')[1]).get('since') ?? ''
    assert.equal((await sendRequest(service, `changes?municipality=Avlia&since=${since}`)).status, 200)
  })

  test('a search that finds nothing yet has a token to wait with', async () => {
    const { entries, relation, address } = await list('changes?search=ornitorrinco')
    assert.deepEqual([entries, relation], [[], 'latest'])
    assert.match(address, /^changes\?search=ornitorrinco&since=/)
  })

  test('a value of since that is no token is 400, and a token of another log is 410', async () => {
    const [token = ''] = tokenPattern.exec((await list('changes')).address) ?? []
    for (const since of ['x', '1', `${token}.x`, `${token}.0.2004-05-17.`, '0000000000000000.1']) {
      const response = await sendRequest(service, `changes?since=${since}`)
      assert.deepEqual([response.status, problemCode(response)], [400, 'malformed-since'], since)
    }
    const [lineage, number, atMs] = token.split('.')
    for (const since of [`0000000000000000.${number}.${atMs}`, `${lineage}.${number}.${Number(atMs) + 1}`]) {
      const response = await sendRequest(service, `changes?since=${since}`)
      assert.deepEqual([response.status, problemCode(response)], [410, 'expired-since'], since)
    }
  })

  test('a token of a newer snapshot, which another process serves already, lists nothing', async () => {
    const [token = ''] = tokenPattern.exec((await list('changes')).address) ?? []
    const ahead = token.replace(/\.\d+\./, '.999.')
    const { entries, address } = await list(`changes?since=${ahead}`)
    assert.deepEqual([entries, address], [[], `changes?since=${ahead}`])
  })

  test('a repeated request with the ETag gets 304 while nothing has changed', async () => {
    const { etag = '' } = (await sendRequest(service, 'changes')).headers
    assert.equal((await sendRequest(service, 'changes', { headers: { 'if-none-match': etag } })).status, 304)
  })
})
