// Responses to valid requests, almost all with a result. They follow sections 2 and 4 of the specification of the
// interface (not in this repository), and docs/decisions/specification-gaps.md for what it leaves open.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../service.ts'
import { ids, json, records, sendRequest } from './send-request.ts'

// `toRecord` (test/service.ts) fills in missing fields: the municipality is then Ávila, and the registration number is
// the number at the end of the code.
const service = await startService([
  {
    code: '03082-1101',
    id: '1',
    title: 'Plan Parcial "La Ermita", sector S/SUNC/1',
    area: 'S/SUNC/1',
    checkinDate: '2004-05-17',
    inscriptionDate: '2004-09-30',
    municipality: 'Alacant/Alicante',
    links: 'https://documents.example/indice%20n%BA1.pdf',
    agreementLink: 'https://documents.example/acuerdo.pdf',
  },
  { code: '40076-PU-20180525-294919', id: '2', title: 'Normas urbanísticas', checkinDate: '2018-05-25' },
  { code: 'CO/44/2004-12', id: '3', title: 'Estudio de Detalle', checkinDate: '2004-05-17', content: 'la ermita' },
  { code: 'A-2', id: '4', title: 'Catálogo', checkinDate: '2004-05-17', municipality: 'Ávila', links: '' },
  { code: 'ñu-7', id: '5', title: 'Ermita de San Roque', checkinDate: '1999-01-01', municipality: 'A Coruña' },
])
after(() => service[Symbol.asyncDispose]())

for (const [what, path, expectedIds] of [
  ['no filters: all, newest first and then by code', 'record', ['2', '1', '4', '3', '5']],
  ['an empty query', 'record?', ['2', '1', '4', '3', '5']],
  ['a code: the same envelope with one record', 'record/40076-PU-20180525-294919', ['2']],
  ['a code in lower case', 'record/40076-pu-20180525-294919', ['2']],
  ['a code in upper case, outside ASCII', 'record/%C3%91U-7', ['5']],
  ['a code with %2F', 'record/CO%2F44%2F2004-12', ['3']],
  ['a code with %2f, in lower case', 'record/co%2f44%2f2004-12', ['3']],
  ['a code with slashes', 'record/CO/44/2004-12', ['3']],
  ['a code with filters', 'record/A-2?municipality=%C3%81vila&checkin_date=2004', ['4']],
  ['a municipality without its accent', 'record?municipality=avila&search=cat%C3%A1logo', ['4']],
  ['a municipality in upper case', 'record?municipality=AVILA&search=cat%C3%A1logo', ['4']],
  ['a municipality with spaces', 'record?municipality=%20%C3%A1vila%20&search=cat%C3%A1logo', ['4']],
  // The words side by side in the title, then all words in the title, then all other matches; each newest first.
  ['a search in its tiers', 'record?search=ermita', ['1', '5', '3']],
  ['a search and a year', 'record?search=ermita&checkin_date=2004', ['1', '3']],
  ['three filters', 'record?checkin_date=2004&search=ermita&municipality=avila', ['3']],
  ['%20 as space', 'record?search=san%20roque', ['5']],
  ['+ as space', 'record?search=san+roque', ['5']],
  ['a plus sign between words', 'record?search=san%2Broque', ['5']],
  ['a percent-encoded name of a parameter', 'record?%73earch=roque', ['5']],
] as const) {
  test(`${what}: ${path}`, async () => {
    assert.deepEqual(ids(await sendRequest(service, path)), expectedIds)
  })
}

// Fields in the order of the specification, `""` and null for what is missing, `links` byte for byte.
for (const [code, record] of [
  [
    'A-2',
    '{"id":"4","registration_number":"2","title":"Catálogo","area":"","checkin_date":"2004-05-17",' +
      '"inscription_date":null,"municipality":"Ávila","links":""}',
  ],
  [
    '03082-1101',
    '{"id":"1","registration_number":"1101","title":"Plan Parcial \\"La Ermita\\", sector S/SUNC/1",' +
      '"area":"S/SUNC/1","checkin_date":"2004-05-17","inscription_date":"2004-09-30",' +
      '"municipality":"Alacant/Alicante","links":"https://documents.example/indice%20n%BA1.pdf",' +
      '"agreement_link":"https://documents.example/acuerdo.pdf"}',
  ],
] as const) {
  test(`the response to record/${code} has these bytes`, async () => {
    const { bytes } = await sendRequest(service, `record/${code}`)
    assert.equal(bytes.toString(), `{"resultadoBusqueda":[${record}]}`)
  })
}

test('in a value a plus sign is %2B, and a value is decoded once', async () => {
  assert.equal(json(await sendRequest(service, 'record?id=a%2Bb')).detail, 'There is no record with the id "a+b"')
  // The text %70lan, and not `plan`, which would find the first record.
  assert.equal((await sendRequest(service, 'record?search=%2570lan')).status, 404)
})

test('composed and decomposed accents give the same response', async () => {
  const composed = await sendRequest(service, 'record?search=urban%C3%ADsticas')
  const decomposed = await sendRequest(service, 'record?search=urbani%CC%81sticas')
  assert.deepEqual(ids(composed), ['2'])
  assert.deepEqual(decomposed.bytes, composed.bytes)
  assert.equal(decomposed.headers.etag, composed.headers.etag)
})

test('the order of parameters, an empty query and extra ampersands do not matter', async () => {
  const first = await sendRequest(service, 'record?checkin_date=2004&search=ermita')
  const second = await sendRequest(service, 'record?&search=ermita&&checkin_date=2004&')
  assert.deepEqual(second.bytes, first.bytes)
  assert.equal(second.headers.etag, first.headers.etag)
})

test('a response is JSON that scripts of every origin may read and caches may store', async () => {
  const { headers, bytes } = await sendRequest(service, 'record?search=ermita')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['content-length'], String(bytes.byteLength))
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.match(headers['access-control-expose-headers'] ?? '', /\bLink\b/)
  assert.match(headers['access-control-expose-headers'] ?? '', /\bETag\b/)
  assert.match(headers['cache-control'] ?? '', /^public, max-age=\d+, must-revalidate$/)
  assert.equal(headers.vary, 'Accept-Encoding')
  assert.match(headers.etag ?? '', /^"[\w-]+"$/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(headers['last-modified'], service.store.current().metadata.publishedAt.toUTCString())
})

test('X-Forwarded-Host, X-Forwarded-Proto and Forwarded are ignored', async () => {
  const plain = await sendRequest(service, 'record?limit=1')
  const forged = await sendRequest(service, 'record?limit=1', {
    headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' },
  })
  assert.deepEqual(forged.bytes, plain.bytes)
  assert.equal(forged.headers.link, plain.headers.link)
})

test('the Accept header does not choose the format: record is JSON for a client that accepts only CSV', async () => {
  const { status, headers } = await sendRequest(service, 'record', { headers: { Accept: 'text/csv' } })
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
})

test('a request target in absolute form gets the response of its path', async () => {
  const response = await sendRequest(service, 'http://anything.example/registry/record?checkin_date=1999', {
    isWholeTarget: true,
  })
  assert.deepEqual(ids(response), ['5'])
})

test('municipality lists the municipalities that have records, in order of name', async () => {
  const { municipalities } = json(await sendRequest(service, 'municipality'))
  assert.deepEqual(municipalities, [
    { name: 'A Coruña', ine_code: '15030', other_names: ['La Coruña'], records: 1, first_year: 1999, last_year: 1999 },
    {
      name: 'Alacant/Alicante',
      ine_code: '03014',
      other_names: ['Alacant', 'Alicante'],
      records: 1,
      first_year: 2004,
      last_year: 2004,
    },
    { name: 'Ávila', ine_code: '05019', other_names: [], records: 3, first_year: 2004, last_year: 2018 },
  ])
})

test('summary counts by year, ascending, and by place, largest count first, then by name or INE code', async () => {
  const toCount = (name: string, ine_code: string, count: number): unknown => ({ name, ine_code, records: count })
  assert.deepEqual(json(await sendRequest(service, 'summary')), {
    total: 5,
    by_year: [
      { year: 1999, records: 1 },
      { year: 2004, records: 3 },
      { year: 2018, records: 1 },
    ],
    by_municipality: [
      toCount('Ávila', '05019', 3),
      toCount('A Coruña', '15030', 1),
      toCount('Alacant/Alicante', '03014', 1),
    ],
    by_province: [toCount('Ávila', '05', 3), toCount('Alicante/Alacant', '03', 1), toCount('A Coruña', '15', 1)],
  })
})

// 15030 is the INE code of A Coruña, and 05 the code of the province Ávila.
for (const [query, expectedIds] of [
  ['checkin_date=1999', ['5']],
  ['search=ermita&checkin_date=2004', ['1', '3']],
  ['checkin_from=2004', ['2', '1', '4', '3']],
  ['checkin_from=2004-05-18', ['2']],
  ['checkin_to=2004', ['1', '4', '3', '5']],
  ['checkin_to=2004-05-16', ['5']],
  ['checkin_from=2004-05&checkin_to=2004-05', ['1', '4', '3']],
  ['checkin_from=2004-05-17&checkin_to=2004-05-17&search=ermita', ['1', '3']],
  ['checkin_date=2004&checkin_to=2010', ['1', '4', '3']],
  ['municipality=15030', ['5']],
  ['province=coru%C3%B1a,%20a', ['5']],
  ['province=05&checkin_from=2010', ['2']],
  ['province=%C3%81vila&municipality=avila', ['2', '4', '3']],
  ['community=comunidad%20valenciana', ['1']],
  ['registration_number=1101', ['1']],
  ['id=%205%20', ['5']],
  ['id=3&registration_number=12', ['3']],
] as const) {
  test(`record, summary, record.csv and changes filter alike by ${query}`, async () => {
    assert.deepEqual(ids(await sendRequest(service, `record?${query}`)), expectedIds)
    assert.equal(json(await sendRequest(service, `summary?${query}`)).total, expectedIds.length)
    const csv = (await sendRequest(service, `record.csv?${query}`)).bytes.toString()
    const [_columnNames, ...rows] = csv.trim().split('\r\n')
    // The id is the first column.
    assert.deepEqual(
      rows.map((row) => row.split(';')[0]),
      expectedIds,
    )
    // Without `since`, the changes are all matching records as new ones.
    const { changes } = json(await sendRequest(service, `changes?${query}`)) as { changes: unknown[] }
    assert.equal(changes.length, expectedIds.length)
  })
}

test('the address of the next page keeps the filters by date and by province', async () => {
  const response = await sendRequest(service, 'record?checkin_from=2004-05&province=05&limit=1')
  // A link has its parameters in a fixed order, whatever the order of the request.
  assert.match(String(response.headers.link), /province=05&checkin_from=2004-05&limit=1&cursor=/)
})

test('include adds code and place to each record, in this order whatever order is requested', async () => {
  const [record] = records(await sendRequest(service, 'record/03082-1101?include=place,cod_archivo'))
  assert.deepEqual(Object.entries(record ?? {}).slice(-3), [
    ['agreement_link', 'https://documents.example/acuerdo.pdf'],
    ['cod_archivo', '03082-1101'],
    ['place', { ine_code: '03014', province: 'Alicante/Alacant', community: 'Comunitat Valenciana' }],
  ])
  const all = (await sendRequest(service, 'record?include=cod_archivo')).bytes.toString()
  assert.ok(all.includes('"cod_archivo":"CO/44/2004-12"}'))
})

test('the address of the next page keeps include, and the ETag depends on include', async () => {
  const first = await sendRequest(service, 'record?limit=1&include=cod_archivo')
  const next = /<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? ''
  const second = (await (await fetch(next)).json()) as { resultadoBusqueda: Record<string, string>[] }
  assert.equal(second.resultadoBusqueda[0]?.cod_archivo, '03082-1101')
  const plain = await sendRequest(service, 'record?limit=1')
  assert.notEqual(plain.headers.etag, first.headers.etag)
})
