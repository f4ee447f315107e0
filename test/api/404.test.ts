// Valid requests without a result: each gets 404 with a problem that says why (docs/api.md#empty-results-and-errors).
// One test also sends arbitrary strings, none of which may cause an internal error.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' }
import { termWordsMax } from '../../src/domain/query-limits.ts'
import type { WireProblem } from '../../src/domain/wire.ts'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import { startService } from '../service.ts'
import { withChangedSnapshots } from '../with-current.ts'
import { type HttpResponse, json, problemCode, sendRequest } from './send-request.ts'

const service = await startService([
  { code: 'A-1', municipality: 'Ávila', checkinDate: '2004-05-17', title: 'Plan General' },
  { code: 'A-2', municipality: 'Ávila', checkinDate: '2010-05-17', title: 'Plan Parcial' },
  { code: 'A-3', municipality: 'Cuenca', checkinDate: '2004-05-17', title: 'Catálogo' },
])
after(() => service[Symbol.asyncDispose]())

/** Each path gets 404 and the problem with this code. */
const withoutResult: readonly [path: string, code: string][] = [
  ['record/B-1', 'unknown-record'],
  ['record/B-1?municipality=Cuenca', 'unknown-record'],
  ['record/..%2f..%2fetc%2fpasswd-1', 'unknown-record'],
  ['record/A-1?municipality=Cuenca', 'record-filtered-out'],
  ['record/A-1?checkin_date=2010', 'record-filtered-out'],
  ['record/A-1?search=parcial', 'record-filtered-out'],
  ['record/A-1?municipality=Atlantis', 'unknown-municipality'],
  ['record?municipality=Atlantis', 'unknown-municipality'],
  ['record?municipality=Avil', 'unknown-municipality'],
  // The wildcards of SQL, `%` (%25) and `_`, and an attempt at SQL injection are names like any other.
  ['record?municipality=%25', 'unknown-municipality'],
  ['record?municipality=_', 'unknown-municipality'],
  ["record?municipality=x'%20OR%201=1--", 'unknown-municipality'],
  ['summary?municipality=Atlantis', 'unknown-municipality'],
  ['record?municipality=Cuenca&checkin_date=2010', 'no-match-in-municipality'],
  ['record?municipality=Cuenca&search=plan', 'no-match-in-municipality'],
  ['summary?municipality=Cuenca&search=plan', 'no-match-in-municipality'],
  ['record?checkin_date=1850', 'no-match'],
  ['record?checkin_date=0000', 'no-match'],
  ['record?search=hidroavi%C3%B3n', 'no-match'],
  // Terms without a word: `"` and `&&`.
  ['record?search=%22', 'no-match'],
  ['record?search=%26%26', 'no-match'],
  ['summary?search=hidroavi%C3%B3n', 'no-match'],
  ['summary?checkin_date=1850', 'no-match'],
  ['record?checkin_from=2011', 'no-match'],
  ['record?checkin_date=2004&checkin_from=2005', 'no-match'],
  ['record/A-1?checkin_from=2005', 'record-filtered-out'],
  ['record/A-1?province=Cuenca', 'record-filtered-out'],
  ['record?province=Avlia', 'unknown-province'],
  ['record?province=00', 'unknown-province'],
  ['summary?community=Atlantis', 'unknown-community'],
  ['record?province=Cuenca&municipality=%C3%81vila', 'contradictory-places'],
  ['record?community=Galicia&municipality=%C3%81vila', 'contradictory-places'],
  ['record?community=Galicia&province=%C3%81vila', 'contradictory-places'],
  // The province Lugo and the community Galicia exist, but have no records here.
  ['record?province=Lugo', 'no-match'],
  ['record?community=Galicia', 'no-match'],
  ['record?municipality=99999', 'unknown-municipality'],
  ['record?registration_number=99', 'no-match'],
  ['summary?id=99', 'no-match'],
  ['records', 'unknown-address'],
  ['record.json', 'unknown-address'],
  ['Record', 'unknown-address'],
  ['municipality/', 'unknown-address'],
  ['municipality/Cuenca', 'unknown-address'],
  ['summary/', 'unknown-address'],
  ['summary/A-1', 'unknown-address'],
  ['problems/unheard-of', 'unknown-address'],
  ['assets/none.js', 'unknown-address'],
  ['..%2f..%2fpackage.json', 'unknown-address'],
  ['assets/..%2f..%2fpackage.json', 'unknown-address'],
]

for (const [path, code] of withoutResult) {
  test(`404 ${code}: ${path}`, async () => {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 404, response.bytes.toString())
    assert.equal(problemCode(response), code)
  })
}

test('an unknown address is 404, inside or outside the base path, and the problem suggests a known one', async () => {
  for (const path of ['/record', '/registryrecord', '//registry/record', '/registry//record', '/REGISTRY/record']) {
    const response = await sendRequest(service, path, { isWholeTarget: true })
    assert.equal(response.status, 404, path)
    assert.equal(problemCode(response), 'unknown-address')
  }
  assert.deepEqual(json(await sendRequest(service, '/nowhere', { isWholeTarget: true })).suggestions, ['/registry/'])
  assert.deepEqual(json(await sendRequest(service, 'records')).suggestions, ['/registry/record'])
})

test('a municipality without matches is described with its number of records and its years', async () => {
  const { detail, suggestions } = json(await sendRequest(service, 'record?municipality=avila&checkin_date=1999'))
  assert.equal(detail, 'Ávila has 2 records from 2004 to 2010; none matches the other filters')
  assert.equal(suggestions, undefined)
})

test('for a municipality without records the detail says so, and nothing is suggested', async () => {
  for (const [name, detail] of [
    // Two municipalities are called Mieres. They are listed by INE code: 17105 in Girona, 33037 in Asturias.
    ['Mieres', 'Mieres (Girona) and Mieres (Asturias) have no records'],
    ['la coruña', 'A Coruña (A Coruña) has no records'],
    ['28079', 'Madrid (Madrid) has no records'],
  ]) {
    const problem = json(await sendRequest(service, `record?${new URLSearchParams({ municipality: name ?? '' })}`))
    assert.equal(problem.detail, detail)
    assert.equal(problem.suggestions, undefined)
    assert.equal(problem.type, `${service.base}/problems/unknown-municipality`)
  }
})

test('if namesakes exist, the detail is about the municipality in the requested province', async () => {
  // Two municipalities are called Cieza: 30019 in Murcia and 39021 in Cantabria (INE codes). This record belongs to the
  // municipality whose INE code its inscription code begins with.
  await using murcia = await startService([{ code: '30019-1', municipality: 'Cieza' }])
  const cantabria = await sendRequest(murcia, 'record?municipality=Cieza&province=Cantabria')
  assert.equal(json(cantabria).detail, 'Cieza (Cantabria) has no records')
  const soria = await sendRequest(murcia, 'record?municipality=Cieza&province=Soria')
  assert.equal(json(soria).detail, 'Cieza is in Murcia, not in Soria')
  // The inscription code A-1 begins with no INE code, so the record may belong to either Cieza.
  await using ambiguous = await startService([{ code: 'A-1', municipality: 'Cieza' }])
  const murciaOrCantabria = await sendRequest(ambiguous, 'record?municipality=Cieza&province=Murcia')
  assert.equal(json(murciaOrCantabria).detail, 'Cieza is not known to be in Murcia')
})

test('a suggested bilingual name with an article finds its records', async () => {
  await using bilingual = await startService([{ code: '03084-1', municipality: "Lorcha/Orxa, l'" }])
  const { suggestions } = json(await sendRequest(bilingual, 'record?municipality=Lorcah'))
  assert.deepEqual(suggestions, ["Lorcha/l'Orxa"])
  const query = new URLSearchParams({ municipality: "Lorcha/l'Orxa" })
  assert.equal((await sendRequest(bilingual, `record?${query}`)).status, 200)
})

test('the problem says which place or identifier is unknown, has no records or lies elsewhere', async () => {
  // 15 is the INE code of the province A Coruña, and 12 the code of the community Galicia.
  for (const [query, detail, suggestion] of [
    ['province=Avlia', 'No province is called "Avlia"; did you mean "Ávila"?', 'Ávila'],
    ['province=coru%C3%B1', 'No province is called "coruñ"; did you mean "A Coruña"?', 'A Coruña'],
    // Castilla-La Mancha begins with `Castilla` too. Of equally similar names, the shorter one comes first.
    [
      'community=Castilla',
      'No autonomous community is called "Castilla"; did you mean "Castilla y León"?',
      'Castilla y León',
    ],
    ['province=Lugo', 'No municipality of the province Lugo has records', undefined],
    ['community=12', 'No municipality of the autonomous community Galicia has records', undefined],
    ['municipality=Cuenca&province=15', 'Cuenca is in Cuenca, not in A Coruña', undefined],
    ['municipality=Cuenca&community=12', 'Cuenca is in Castilla-La Mancha, not in Galicia', undefined],
    ['province=Cuenca&community=12', 'The province Cuenca is in Castilla-La Mancha, not in Galicia', undefined],
    ['registration_number=99', 'There is no record with the registration number "99"', undefined],
    ['id=99&search=plan', 'There is no record with the id "99"', undefined],
  ] as const) {
    const problem = json(await sendRequest(service, `record?${query}`))
    assert.equal(problem.detail, detail, query)
    assert.equal((problem.suggestions as string[] | undefined)?.[0], suggestion, query)
    assert.equal(typeof problem.parameter, 'string')
  }
})

test('the problem names a record that does not match the filters', async () => {
  const { detail } = json(await sendRequest(service, 'record/a-1?checkin_date=2010'))
  assert.equal(detail, 'The record "a-1" does not match the other filters')
})

test('no string causes an internal error', async () => {
  const texts = [
    // A public list of strings that often cause errors.
    ...naughtyStrings,
    // Query syntax of full-text engines such as SQLite FTS5. Here only quotes and a final asterisk are syntax.
    '"',
    'AND',
    'NEAR(',
    'title:plan',
    'C-12',
    '('.repeat(200),
    '*',
    'a*',
    'pla*',
    '""',
    '"a',
    '-plan',
    'NOT',
    '^',
    '{title}: x',
  ]
  for (const text of texts) {
    for (const parameter of ['search', 'municipality', 'checkin_date', 'limit', 'cursor']) {
      const { status } = await sendRequest(service, `record?${parameter}=${toEncoded(text)}`)
      assert.ok(status === 200 || status === 404 || status === 400, `${parameter}=${text}: ${status}`)
      // A search or a municipality may be any text within the limits, without control characters.
      const isFreeText = (parameter === 'search' || parameter === 'municipality') && text.trim() !== ''
      const charactersMax = parameter === 'search' ? 500 : 200
      const wordsMax = 40
      const isShort = [...text].length <= charactersMax && text.split(/\s+/u).length <= wordsMax
      const hasControlCharacter = /\p{Cc}/u.test(text)
      const isValid = isFreeText && isShort && !hasControlCharacter
      if (isValid) assert.notEqual(status, 400, `${parameter}=${text}`)
    }
    const { status } = await sendRequest(service, `record/${toEncoded(text)}`)
    assert.ok(status === 404 || status === 400 || status === 200, `record/${text}: ${status}`)
  }
})

/** Percent-encodes the text. Lone surrogates cannot be encoded, so they become the replacement character. */
function toEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

test('the problem of a search names the words that no record has, and a municipality among them', async () => {
  // The detail ends with `did you mean` and the first suggestion, unless the suggestion has fewer words than the term.
  for (const [search, detail] of [
    ['hidroavión', 'No record contains "hidroavión"'],
    ['plan hidroavión zepelín', 'No record contains "hidroavión" or "zepelín"'],
    ['plan cuenca', 'No record contains "cuenca"; to search in a municipality, use municipality=cuenca'],
    // The suggestions are single words: `parcial` and `catálogo`.
    ['catálogo parcial', 'No record matches the request, although each of its words occurs in some record'],
    // The suggestion is the same words without quotation marks.
    [
      '"general plan"',
      'No record matches the request, although each of its words occurs in some record; did you mean "general plan"?',
    ],
  ] as const) {
    const response = await sendRequest(service, `record?${new URLSearchParams({ search })}`)
    assert.equal(response.status, 404)
    assert.equal(json(response).detail, detail)
    assert.equal(json(response).parameter, 'search')
  }
})

test('a search without matches suggests terms that find something under the same filters', async () => {
  for (const [query, suggestions] of [
    ['search=plan+parsial', ['plan parcial', 'plan']],
    ['search=plan+hidroavi%C3%B3n', ['plan']],
    // No record has both words, so each suggestion leaves one of them out: first the rarer word. Each occurs once here,
    // so the order of the term decides: `catalogo` is left out first.
    ['search=catalogo+parcial', ['parcial', 'catálogo']],
    ['search=%22general+plan%22', ['general plan']],
    // The only record of 2010 is a `Plan Parcial`, so `plan general` is not suggested.
    ['search=plan+genral&checkin_date=2010', ['plan']],
    ['search=plan+genral&municipality=avila', ['plan general', 'plan']],
    // The only `Catálogo` is in Cuenca.
    ['search=catalgo&municipality=avila', undefined],
    ['search=hidroavi%C3%B3n', undefined],
  ] as const) {
    assert.deepEqual(json(await sendRequest(service, `record?${query}`)).suggestions, suggestions, query)
    assert.deepEqual(json(await sendRequest(service, `summary?${query}`)).suggestions, suggestions, query)
  }
})

test('a term with a place, or that is a number of a record, gets the queries that find it', async () => {
  await using numbered = await startService([
    { code: '05019-7', id: 'X-202255', registrationNumber: '7/2011', municipality: 'Ávila', title: 'Plan Parcial' },
    { code: '30019-1', id: '8', municipality: 'Cieza', title: 'Plan Parcial' },
    { code: '39021-1', id: '9', municipality: 'Cieza', title: 'Plan Parcial' },
  ])
  const parcial = 'search=plan%20parcial'
  for (const [path, queries] of [
    [
      'record?search=plan+parcial+en+avila',
      [
        ['plan parcial en Ávila', `municipality=%C3%81vila&${parcial}`],
        ['plan parcial en la provincia de Ávila', `province=%C3%81vila&${parcial}`],
      ],
    ],
    // Namesakes are told apart by their INE codes.
    [
      'record?search=plan+cieza+parcial',
      [
        ['plan parcial en Cieza (Murcia)', `municipality=30019&${parcial}`],
        ['plan parcial en Cieza (Cantabria)', `municipality=39021&${parcial}`],
      ],
    ],
    ['record?search=cieza&province=Murcia', undefined],
    ['record?search=plan+general+avila', undefined],
    ['record?search=avila&checkin_date=1850', undefined],
    ['record?search=05019-7', [['Expediente 05019-7', 'id=X-202255']]],
    ['record?search=x-202255', [['Expedientes con el identificador x-202255', 'id=x-202255']]],
    ['summary?search=7/2011', [['Expedientes con el número de registro 7/2011', 'registration_number=7%2F2011']]],
    ['record?search=7/2011&municipality=Cieza', undefined],
    ['record/X-202255', [['Expedientes con el identificador X-202255', 'id=X-202255']]],
    ['record/7%2F2011', [['Expedientes con el número de registro 7/2011', 'registration_number=7%2F2011']]],
    ['record/X-202256', undefined],
  ] as const) {
    const problem = json(await sendRequest(numbered, path)) as { detail: string; queries?: WireProblem['queries'] }
    const found = problem.queries?.map(({ text, query }) => [text, query])
    assert.deepEqual(found, queries, path)
    for (const { query } of problem.queries ?? []) {
      assert.equal((await sendRequest(numbered, `record?${query}`)).status, 200, query)
    }
  }
  const { detail } = json(await sendRequest(numbered, 'record/7%2F2011'))
  assert.match(String(detail), /; a record has it as another number: record\?registration_number=7%2F2011$/)
})

test('the words of a question are dropped when nothing is found', async () => {
  const query = new URLSearchParams({ search: '¿Qué plan hay previsto en mi barrio?' })
  const { detail, suggestions } = json(await sendRequest(service, `record?${query}`))
  assert.deepEqual(suggestions, ['plan'])
  assert.equal(detail, 'No record matches the request; did you mean "plan"?')
})

test('a request for a record that does not match the search gets suggestions that match this record', async () => {
  const { detail, parameter, suggestions } = json(await sendRequest(service, 'record/A-2?search=plan+parsial'))
  assert.equal(detail, 'The record "A-2" does not match the other filters; did you mean "plan parcial"?')
  assert.equal(parameter, 'search')
  assert.deepEqual(suggestions, ['plan parcial', 'plan'])
  // A-2 contains the corrected word, but A-1 does not.
  assert.deepEqual(json(await sendRequest(service, 'record/A-1?search=plan+parsial')).suggestions, ['plan'])
})

test('searches without a result are explained one after the other for a client, and do not hold up others', async () => {
  /** The client of each search of an explanation, which all wait for `mayGoOn`. */
  const started: (string | undefined)[] = []
  const mayGoOn = Promise.withResolvers<void>()
  await using served = await startService([{ code: 'A-1', title: 'Plan General' }], {
    trustedProxies: parseTrustedProxies(['127.0.0.1']),
    wrapStore: (store) =>
      withChangedSnapshots(store, (snapshot) => ({
        hasMatch: async (query, deadline) => {
          started.push(deadline?.client)
          await mayGoOn.promise
          return snapshot.hasMatch(query, deadline)
        },
      })),
  })
  const ask = (client: string, search: string): Promise<HttpResponse> =>
    sendRequest(served, `record?search=${search}`, { headers: { 'x-forwarded-for': client } })
  const explained = [ask('192.0.2.1', 'plan+genral'), ask('192.0.2.1', 'plan+generl')]
  while (started.length === 0) await new Promise(setImmediate)
  // A search that finds something does not wait.
  assert.equal((await ask('192.0.2.1', 'plan+general')).status, 200)
  explained.push(ask('192.0.2.2', 'plan+genera'))
  while (started.length === 1) await new Promise(setImmediate)
  assert.deepEqual(started, ['192.0.2.1', '192.0.2.2'])
  mayGoOn.resolve()
  for (const response of await Promise.all(explained)) {
    assert.deepEqual(json(response).suggestions, ['plan general', 'plan'])
  }
})

test('the explanation of an empty result takes few searches, however long the term is', async () => {
  let searches = 0
  await using counted = await startService([{ code: 'A-1', title: 'Plan General' }], {
    wrapStore: (store) =>
      withChangedSnapshots(store, (snapshot) => ({
        hasMatch: (...args) => {
          searches += 1
          return snapshot.hasMatch(...args)
        },
      })),
  })
  const words = Array.from({ length: termWordsMax }, (_, index) =>
    index % 2 === 0 ? 'plan' : `xyz${'abcdefghij'[index % 10]}`,
  )
  assert.equal((await sendRequest(counted, `record?search=${words.join('+')}`)).status, 404)
  // One for each word, and at most 12 for the suggestions.
  assert.ok(searches <= termWordsMax + 12, String(searches))
})
