// Pages: `limit`, the Link header and its cursor, which names the last record of the page before.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defaultIdOf, publishRecords, startService, type TestRecord } from '../service.ts'
import { type HttpResponse, ids, problemCode, sendRequest } from './send-request.ts'

/**
 * Records of five years in two municipalities. All contain `ermita` and `plan`, and every other one has `plan` in its
 * title.
 */
const allRecords: TestRecord[] = Array.from({ length: 25 }, (_, index) => ({
  code: `CO/1-${index + 1}`,
  title: index % 2 === 0 ? 'Plan Parcial' : 'Catálogo',
  content: 'ermita plan',
  checkinDate: `${2010 + (index % 5)}-01-01`,
  municipality: index % 3 === 0 ? 'Ávila' : 'Cuenca',
}))
const service = await startService(allRecords)
after(() => service[Symbol.asyncDispose]())

/** The address of the next page in the Link header, relative to the base address; undefined on the last page. */
function toNextPath(response: HttpResponse): string | undefined {
  const link = response.headers.link
  if (link === undefined) return undefined
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  assert.ok(address.startsWith(`${service.base}/`), link)
  return address.slice(service.base.length + 1)
}

/** Follows the links to the next page. Returns the ids on each page. */
async function readPages(path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const response: HttpResponse = await sendRequest(service, next)
    pages.push(ids(response))
    next = toNextPath(response)
  }
  return pages
}

test('count=exact adds the number of matching records on all pages', async () => {
  for (const [path, count] of [
    ['record?limit=2', undefined],
    ['record?limit=2&count=exact', '25'],
    ['record?count=exact&municipality=Cuenca&search=plan', '16'],
    ['record/CO%2F1-1?count=exact', '1'],
    ['record?search=ornitorrinco&count=exact', undefined],
  ] as const) {
    const { headers } = await sendRequest(service, path)
    assert.equal(headers['total-count'], count, path)
    assert.equal(headers['access-control-expose-headers']?.includes('Total-Count'), count !== undefined, path)
  }
  const first = await sendRequest(service, 'record?limit=20&count=exact')
  assert.equal((await sendRequest(service, toNextPath(first) ?? '')).headers['total-count'], '25')
  assert.equal(problemCode(await sendRequest(service, 'record?count=all')), 'malformed-value')
})

for (const filters of [
  '',
  'search=plan',
  'search=ermita&municipality=avila',
  'checkin_date=2012',
  'municipality=Cuenca&search=%22plan%22',
]) {
  // The registry has 25 records.
  for (const limit of [1, 2, 5, 24, 25, 26, 1000]) {
    test(`pages of ${limit} together are the whole result: ${filters || 'no filters'}`, async () => {
      const whole = ids(await sendRequest(service, `record?${filters}`))
      const pages = await readPages(`record?${filters}${filters === '' ? '' : '&'}limit=${limit}`)
      assert.deepEqual(pages.flat(), whole)
      assert.equal(pages.length, Math.ceil(whole.length / limit))
      for (const page of pages.slice(0, -1)) assert.equal(page.length, limit)
    })
  }
}

test('no record is skipped after a code that is not in NFC', async () => {
  // All are of the same day, so that the code decides about the order. In NFC the first code would begin with `Á` and
  // come last.
  const codes = ['A\u0301-5', 'B-1', 'C-1']
  await using decomposed = await startService(codes.map((code) => ({ code, checkinDate: '2010-01-01' })))
  const found: string[] = []
  for (let address: string | undefined = `${decomposed.base}/record?limit=1&include=cod_archivo`; address; ) {
    const response: Response = await fetch(address)
    const [record] = (await response.json()).resultadoBusqueda
    found.push(record.cod_archivo)
    address = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  assert.deepEqual(found, codes)
})

test('the last page has no Link, even if it is full', async () => {
  assert.equal((await sendRequest(service, 'record?limit=25')).headers.link, undefined)
  assert.equal((await sendRequest(service, 'record')).headers.link, undefined)
})

test('Link keeps the filters, percent-encoded', async () => {
  const next = toNextPath(await sendRequest(service, 'record?limit=1&municipality=%C3%A1vila&search=plan+ermita'))
  assert.match(next ?? '', /^record\?municipality=%C3%A1vila&search=plan%20ermita&limit=1&cursor=[\w.%-]+$/)
})

test('Link uses --public-url, or else the Host of the request', async () => {
  await using published = await startService(allRecords, { publicUrl: 'https://data.example.org/plans' })
  const response = await sendRequest(published, 'record?limit=1')
  assert.match(
    response.headers.link ?? '',
    /^<https:\/\/data\.example\.org\/plans\/record\?limit=1&cursor=[\w.%-]+>; rel="next"$/,
  )
  for (const host of ['one.example:8080', 'two.example', '[::1]:9000']) {
    const { headers } = await sendRequest(service, 'record?limit=1', { headers: { Host: host } })
    assert.ok(headers.link?.startsWith(`<http://${host}/registry/record?`), headers.link ?? 'no Link')
  }
})

test('a cursor without limit returns all remaining records', async () => {
  const whole = ids(await sendRequest(service, 'record'))
  const next = toNextPath(await sendRequest(service, 'record?limit=10')) ?? ''
  assert.deepEqual(ids(await sendRequest(service, next.replace('limit=10&', ''))), whole.slice(10))
})

test('a cursor stays valid when the registry is updated', async () => {
  await using changing = await startService(allRecords)
  const first = await sendRequest(changing, 'record?limit=10')
  const whole = ids(await sendRequest(changing, 'record'))
  // The ids of the last record of the first page, to which the cursor refers, and of a record of the second page.
  const removedIds = new Set([whole.at(9) ?? '', whole.at(12) ?? ''])
  // `allRecords` has no ids, so each record gets a default id, made from its code.
  const kept = allRecords.filter(({ code }) => !removedIds.has(defaultIdOf(code)))
  await publishRecords(changing.database, [...kept, { code: 'NEW-1', checkinDate: '2024-01-01' }])
  await changing.store.refresh()
  const [, cursor] = /cursor=([^>]+)/.exec(first.headers.link ?? '') ?? []
  const rest = ids(await sendRequest(changing, `record?limit=1000&cursor=${cursor}`))
  // NEW-1 is newer than the record of the cursor, so it does not come after it.
  assert.deepEqual(
    rest,
    whole.slice(10).filter((id) => !removedIds.has(id)),
  )
})

test('a cursor after the last record is a 404 that says why', async () => {
  // A cursor has the tier, the date and the code of a record. Without a search all records are in the last tier, 3.
  // They are sorted from new to old, and none is older than 1900, so none comes after the cursor.
  const response = await sendRequest(service, 'record?limit=5&cursor=t3.1900-01-01.Z-1')
  assert.equal(response.status, 404)
  assert.equal(problemCode(response), 'nothing-after-cursor')
})

test('record/{cod_archivo} accepts limit and has no next page', async () => {
  const response = await sendRequest(service, 'record/CO%2F1-1?limit=1')
  assert.deepEqual(ids(response), [defaultIdOf('CO/1-1')])
  assert.equal(response.headers.link, undefined)
})
