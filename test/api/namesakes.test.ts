// Municipalities of the same name: a request by name finds the records of all of them and links to each. There are two
// called Cieza: 30019 in Murcia and 39021 in Cantabria. The INE code at the start of an inscription code tells which of
// them a record belongs to.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../service.ts'
import { ids, json, sendRequest } from './send-request.ts'

// The title of all is `Plan General`, the default of `toRecord` (test/service.ts).
const service = await startService([
  { code: '39021-1', id: '1', municipality: 'Cieza', checkinDate: '2004-01-01' },
  { code: '30019-1', id: '2', municipality: 'Cieza', checkinDate: '2003-01-01' },
  { code: '30019-2', id: '3', municipality: 'Cieza', checkinDate: '2002-01-01' },
  { code: '05019-1', id: '4', municipality: 'Ávila', checkinDate: '2001-01-01' },
])
after(() => service[Symbol.asyncDispose]())

/** The links in the Link header of a response, which must be 200. */
async function linksOf(path: string): Promise<string[]> {
  const { headers, status } = await sendRequest(service, path)
  assert.equal(status, 200, path)
  return String(headers.link ?? '')
    .split(', ')
    .filter(Boolean)
}

test('the response has a link to the same request for each municipality, with its INE code and province', async () => {
  assert.deepEqual(await linksOf('record?municipality=cieza&search=plan'), [
    `<${service.base}/record?municipality=30019&search=plan>; rel="alternate"; title*=UTF-8''Cieza%20%28Murcia%29`,
    `<${service.base}/record?municipality=39021&search=plan>; rel="alternate"; title*=UTF-8''Cieza%20%28Cantabria%29`,
  ])
  assert.deepEqual(await linksOf('summary?municipality=cieza'), [
    `<${service.base}/summary?municipality=30019>; rel="alternate"; title*=UTF-8''Cieza%20%28Murcia%29`,
    `<${service.base}/summary?municipality=39021>; rel="alternate"; title*=UTF-8''Cieza%20%28Cantabria%29`,
  ])
  assert.deepEqual(await linksOf('record.csv?municipality=cieza'), [
    `<${service.base}/record.csv?municipality=30019>; rel="alternate"; title*=UTF-8''Cieza%20%28Murcia%29`,
    `<${service.base}/record.csv?municipality=39021>; rel="alternate"; title*=UTF-8''Cieza%20%28Cantabria%29`,
  ])
})

test('every link leads to the records of one municipality', async () => {
  const links = await linksOf('record?municipality=cieza')
  const readIds = async (link: string): Promise<string[]> => {
    const response = await fetch(/<(.*)>/.exec(link)?.[1] ?? '')
    const body = (await response.json()) as { resultadoBusqueda: { id: string }[] }
    return body.resultadoBusqueda.map(({ id }) => id)
  }
  // The first link is for 30019, and the second one for 39021.
  assert.deepEqual(await Promise.all(links.map(readIds)), [['2', '3'], ['1']])
})

test('the link to the next page comes first, and the links for single municipalities have no cursor', async () => {
  // The second request stores the response in the cache, and the third gets it from there.
  for (const _ of ['fresh', 'second time', 'from the cache']) {
    const [next, ...alternates] = await linksOf('record?municipality=cieza&limit=1')
    assert.match(next ?? '', /cursor=.*rel="next"$/)
    assert.equal(alternates.length, 2)
    for (const link of alternates) assert.ok(link.includes('limit=1>') && !link.includes('cursor'), link)
  }
})

test('the response to a request for a single municipality has no alternate links', async () => {
  // 06 is the INE code of the community Cantabria.
  for (const query of ['municipality=30019', 'municipality=cieza&province=murcia', 'municipality=cieza&community=06']) {
    assert.deepEqual(await linksOf(`record?${query}`), [], query)
  }
  assert.deepEqual(await linksOf('record?municipality=avila'), [])
  assert.deepEqual(ids(await sendRequest(service, 'record?municipality=cieza&province=murcia')), ['2', '3'])
})

test('an empty result tells the namesakes apart', async () => {
  const { detail } = json(await sendRequest(service, 'record?municipality=cieza&checkin_date=1999'))
  assert.equal(
    detail,
    'Cieza (Murcia) has 2 records from 2002 to 2003; Cieza (Cantabria) has 1 record from 2004; none matches the ' +
      'other filters',
  )
})
