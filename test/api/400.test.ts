// Malformed and incomplete requests: each gets 400 with a problem that names the parameter, if its name can be read.
// Also the longest values that are accepted.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../service.ts'
import { json, problemCode, sendRequest } from './send-request.ts'

/** The second code has 200 characters, the most that are accepted. */
const service = await startService([{ code: 'A-1' }, { code: `${'P'.repeat(198)}-1` }])
after(() => service[Symbol.asyncDispose]())

/** Each path gets 400 and the problem with this code. The parameter is undefined if the problem names none. */
const malformedRequests: readonly [path: string, code: string, parameter: string | undefined][] = [
  // Encoding: bytes that are not UTF-8 (%FF, an overlong form, a surrogate, beyond U+10FFFF, %F1 of Latin-1), and
  // percent signs without two hexadecimal digits. Also a `#`, which is not allowed in a request target.
  ['record?search=%FF', 'malformed-encoding', 'search'],
  ['record?search=%C0%AF', 'malformed-encoding', 'search'],
  ['record?search=%ED%A0%80', 'malformed-encoding', 'search'],
  ['record?search=%F4%90%80%80', 'malformed-encoding', 'search'],
  ['record?search=%zz', 'malformed-encoding', 'search'],
  ['record?search=100%', 'malformed-encoding', 'search'],
  ['record?search=%4', 'malformed-encoding', 'search'],
  ['record?search=Espa%F1a', 'malformed-encoding', 'search'],
  ['record?municipality=Espa%F1a', 'malformed-encoding', 'municipality'],
  ['record?%FF=a', 'malformed-encoding', undefined],
  ['record?search=a#b', 'malformed-encoding', 'search'],
  ['record/%FF-1', 'malformed-encoding', 'cod_archivo'],
  ['record/%zz', 'malformed-encoding', 'cod_archivo'],
  ['record/A%C0%AF-1', 'malformed-encoding', 'cod_archivo'],
  // Control characters, among them %7F (delete) and %C2%85 (next line). Only a search may have tabs and line breaks.
  ['record?search=a%00b', 'control-character', 'search'],
  ['record?search=a%0Cb', 'control-character', 'search'],
  ['record?municipality=a%09b', 'control-character', 'municipality'],
  ['record?search=a%7Fb', 'control-character', 'search'],
  ['record?search=a%C2%85b', 'control-character', 'search'],
  ['record?municipality=%C3%81vila%0A', 'control-character', 'municipality'],
  ['record?province=%C3%81vila%0A', 'control-character', 'province'],
  ['record/A%00B', 'control-character', 'cod_archivo'],
  ['record/A-1%0d%0aX', 'control-character', 'cod_archivo'],
  ['record?a%00b=c', 'control-character', undefined],
  // Names of parameters that the address does not take.
  ['record?checking_date=2004', 'unknown-parameter', 'checking_date'],
  ['record?checkin-date=2004', 'unknown-parameter', 'checkin-date'],
  ['record?Search=plan', 'unknown-parameter', 'Search'],
  ['record?foo=bar', 'unknown-parameter', 'foo'],
  ['record?foo', 'unknown-parameter', 'foo'],
  ['record?=plan', 'unknown-parameter', ''],
  ['record?municipality[]=a', 'unknown-parameter', 'municipality[]'],
  ['record?municipality%5B%5D=a', 'unknown-parameter', 'municipality[]'],
  ['record?__proto__[x]=1', 'unknown-parameter', '__proto__[x]'],
  ['record?__proto__=1', 'unknown-parameter', '__proto__'],
  ['record?constructor=2', 'unknown-parameter', 'constructor'],
  ['record?cod_archivo=A-1', 'unknown-parameter', 'cod_archivo'],
  ['record?since=2015', 'unknown-parameter', 'since'],
  ['record/A-1?foo=bar', 'unknown-parameter', 'foo'],
  ['summary?limit=5', 'unknown-parameter', 'limit'],
  ['summary?cursor=t3.2004-05-17.A-1', 'unknown-parameter', 'cursor'],
  ['municipality?search=plan', 'unknown-parameter', 'search'],
  ['municipality?x', 'unknown-parameter', 'x'],
  ['openapi.json?x=1', 'unknown-parameter', 'x'],
  ['catalog?x=1', 'unknown-parameter', 'x'],
  // Names to include. A summary includes only documents.
  ['record?include=code', 'malformed-include', 'include'],
  ['record?include=place,', 'malformed-include', 'include'],
  ['record?include=cod_archivo,%20place', 'malformed-include', 'include'],
  ['record?include=Place', 'malformed-include', 'include'],
  ['record/A-1?include=toString', 'malformed-include', 'include'],
  ['record?include=', 'incomplete-request', 'include'],
  ['summary?include=place', 'malformed-include', 'include'],
  ['summary?include=passages', 'malformed-include', 'include'],
  ['summary?include=documents,place', 'malformed-include', 'include'],
  // Passages need a search, and a code or a limit. The limit is at most 100, with a code too. The service checks this
  // before it looks for the record: none has the code 03082-1101 here.
  ['record?include=passages&limit=10', 'passages-unavailable', 'include'],
  ['record?include=passages&search=plan', 'passages-unavailable', 'include'],
  ['record?include=passages&search=plan&limit=101', 'passages-unavailable', 'limit'],
  ['record/03082-1101?include=passages', 'passages-unavailable', 'include'],
  ['record/03082-1101?include=passages&search=plan&limit=1000', 'passages-unavailable', 'limit'],
  // Repetition.
  ['record?municipality=a&municipality=b', 'repeated-parameter', 'municipality'],
  ['record?municipality=a&municipality=a', 'repeated-parameter', 'municipality'],
  ['record?search=a&%73earch=b', 'repeated-parameter', 'search'],
  ['record?limit=1&limit=1', 'repeated-parameter', 'limit'],
  ['summary?checkin_date=2004&checkin_date=2004', 'repeated-parameter', 'checkin_date'],
  // Empty values. %C2%A0 is a no-break space.
  ['record/', 'incomplete-request', 'cod_archivo'],
  ['record/?search=a', 'incomplete-request', 'cod_archivo'],
  ['record/%20', 'incomplete-request', 'cod_archivo'],
  ['record?search=', 'incomplete-request', 'search'],
  ['record?search', 'incomplete-request', 'search'],
  ['record?search=%20%20', 'incomplete-request', 'search'],
  ['record?search=+', 'incomplete-request', 'search'],
  ['record?search=%0d%0a', 'incomplete-request', 'search'],
  ['record?search=%C2%A0', 'incomplete-request', 'search'],
  ['record?municipality=', 'incomplete-request', 'municipality'],
  ['record?checkin_date=', 'incomplete-request', 'checkin_date'],
  ['record?limit=', 'incomplete-request', 'limit'],
  ['record?cursor=', 'incomplete-request', 'cursor'],
  ['record?checkin_from=', 'incomplete-request', 'checkin_from'],
  ['record?province=%20', 'incomplete-request', 'province'],
  ['record?community=', 'incomplete-request', 'community'],
  ['record?registration_number=', 'incomplete-request', 'registration_number'],
  ['record?id=', 'incomplete-request', 'id'],
  ['summary?search=', 'incomplete-request', 'search'],
  // Codes. %EF%BC%91 is a full-width 1.
  ['record/A', 'malformed-code', 'cod_archivo'],
  ['record/1', 'malformed-code', 'cod_archivo'],
  ['record/-1', 'malformed-code', 'cod_archivo'],
  ['record/A-', 'malformed-code', 'cod_archivo'],
  ['record/A-1x', 'malformed-code', 'cod_archivo'],
  ['record/A-%EF%BC%91', 'malformed-code', 'cod_archivo'],
  ['record/A%201-1', 'malformed-code', 'cod_archivo'],
  ['record/A+B-1', 'malformed-code', 'cod_archivo'],
  ['record/A-1/', 'malformed-code', 'cod_archivo'],
  ['record/A-1/documents', 'malformed-code', 'cod_archivo'],
  ['record/%20A-1', 'malformed-code', 'cod_archivo'],
  ["record/A'%20OR%201=1---1", 'malformed-code', 'cod_archivo'],
  // Years. `+` is a space, and %2B a plus sign. The long one is 2004 in full-width digits.
  ['record?checkin_date=20040', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=204', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=-004', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=+2004', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=%2B200', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=2004%20', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=2004-05', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=2004-05-17', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=20x4', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=%EF%BC%92%EF%BC%90%EF%BC%90%EF%BC%94', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=0x7d', 'malformed-year', 'checkin_date'],
  ['record?checkin_date=2e03', 'malformed-year', 'checkin_date'],
  ['summary?checkin_date=04', 'malformed-year', 'checkin_date'],
  // Dates. The long one is 2004 in full-width digits.
  ['record?checkin_from=2015-13', 'malformed-date', 'checkin_from'],
  ['record?checkin_from=2015-00', 'malformed-date', 'checkin_from'],
  ['record?checkin_from=2015-02-29', 'malformed-date', 'checkin_from'],
  ['record?checkin_from=1900-02-29', 'malformed-date', 'checkin_from'],
  ['record?checkin_to=2015-04-31', 'malformed-date', 'checkin_to'],
  ['record?checkin_to=2015-04-00', 'malformed-date', 'checkin_to'],
  ['record?checkin_to=2015-4', 'malformed-date', 'checkin_to'],
  ['record?checkin_to=01/04/2015', 'malformed-date', 'checkin_to'],
  ['record?checkin_to=15', 'malformed-date', 'checkin_to'],
  ['record?checkin_from=%EF%BC%92%EF%BC%90%EF%BC%90%EF%BC%94', 'malformed-date', 'checkin_from'],
  ['record?checkin_from=2015-01-01T00:00', 'malformed-date', 'checkin_from'],
  ['summary?checkin_from=+2015', 'malformed-date', 'checkin_from'],
  ['record?checkin_from=2016&checkin_to=2015', 'reversed-dates', 'checkin_to'],
  ['record?checkin_from=2015-06-02&checkin_to=2015-06-01', 'reversed-dates', 'checkin_to'],
  // Pages. A cursor has the tier (1 to 3), the date and the code of a record: t3.2004-05-17.A-1.
  ['record?limit=0', 'malformed-limit', 'limit'],
  ['record?limit=1001', 'malformed-limit', 'limit'],
  ['record?limit=-1', 'malformed-limit', 'limit'],
  ['record?limit=1.5', 'malformed-limit', 'limit'],
  ['record?limit=010', 'malformed-limit', 'limit'],
  ['record?limit=1e2', 'malformed-limit', 'limit'],
  ['record?limit=ten', 'malformed-limit', 'limit'],
  ['record?limit=99999999999999999999', 'malformed-limit', 'limit'],
  ['record?limit=1&cursor=abc', 'malformed-cursor', 'cursor'],
  ['record?limit=1&cursor=%22', 'malformed-cursor', 'cursor'],
  ['record?limit=1&cursor=2.2004-05-17.A-1', 'malformed-cursor', 'cursor'],
  ['record?limit=1&cursor=t3.2004-05.A-1', 'malformed-cursor', 'cursor'],
  ['record?limit=1&cursor=t4.2004-05-17.A-1', 'malformed-cursor', 'cursor'],
  // The cursors of version 0.1.0 had the tiers 0 and 1, without the letter t.
  ['record?limit=1&cursor=0.2004-05-17.A-1', 'malformed-cursor', 'cursor'],
  ['record?limit=1&cursor=1.2004-05-17.A-1', 'malformed-cursor', 'cursor'],
  // The code in a cursor does not begin with a space and has at most 200 characters.
  ['record?limit=1&cursor=t3.2004-05-17.%20A-1', 'malformed-cursor', 'cursor'],
  [`record?limit=1&cursor=t3.2004-05-17.${'A'.repeat(199)}-1`, 'malformed-cursor', 'cursor'],
  // Size: a search has at most 500 characters and 40 words. Other values, except a cursor, have at most 200 characters.
  [`record?search=${'a'.repeat(501)}`, 'value-too-long', 'search'],
  [`record?search=${'('.repeat(600)}`, 'value-too-long', 'search'],
  [`record?municipality=${'a'.repeat(201)}`, 'value-too-long', 'municipality'],
  [`record?province=${'a'.repeat(201)}`, 'value-too-long', 'province'],
  [`record?id=${'1'.repeat(201)}`, 'value-too-long', 'id'],
  [`record?checkin_date=${'2'.repeat(201)}`, 'value-too-long', 'checkin_date'],
  [`record?limit=${'1'.repeat(201)}`, 'value-too-long', 'limit'],
  [`record/${'P'.repeat(199)}-1`, 'value-too-long', 'cod_archivo'],
  [`record?search=${Array(41).fill('a').join('+')}`, 'too-many-words', 'search'],
  [`summary?search=${Array(41).fill('a').join('%20')}`, 'too-many-words', 'search'],
  // Words need no spaces between them. Quotation marks, %22 (") or %C2%AB and %C2%BB (« »), separate them too. So does
  // any character between two runs of letters: a slash, a hyphen or a digit.
  [`record?search=${'%22de%22'.repeat(41)}`, 'too-many-words', 'search'],
  [`record?search=${'%C2%ABde%C2%BB'.repeat(41)}`, 'too-many-words', 'search'],
  [`record?search=${Array(41).fill('de').join('/')}`, 'too-many-words', 'search'],
  [`record?search=${Array(41).fill('de').join('-')}`, 'too-many-words', 'search'],
  [`record?search=${Array(14).fill('de-de-de').join('+')}`, 'too-many-words', 'search'],
  [`record?search=${Array(41).fill('de').join('1')}`, 'too-many-words', 'search'],
  // Up to four numbers in a row are one word, a code. So 165 numbers are 42 words.
  [`record?search=${Array(165).fill('12').join('/')}`, 'too-many-words', 'search'],
]

for (const [path, code, parameter] of malformedRequests) {
  test(`400 ${code}: ${path.length > 90 ? `${path.slice(0, 90)}…` : path}`, async () => {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 400, response.bytes.toString())
    assert.equal(problemCode(response), code)
    assert.equal(json(response).parameter, parameter)
  })
}

test('a parameter called __proto__ does not change the prototype of objects', async () => {
  await sendRequest(service, 'record?__proto__[polluted]=1')
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

test('the problem of an unknown parameter suggests the parameter that was probably meant', async () => {
  const suggestions = new Map([
    ['checking_date', 'checkin_date'],
    ['checkin-date', 'checkin_date'],
    ['Search', 'search'],
    ['serach', 'search'],
    ['q', 'search'],
    ['municipio', 'municipality'],
    ['year', 'checkin_date'],
    ['page', 'cursor'],
    ['limt', 'limit'],
    ['municipality[]', 'municipality'],
  ])
  for (const [name, expected] of suggestions) {
    const body = json(await sendRequest(service, `record?${name}=2004`))
    assert.deepEqual(body.suggestions, [expected], name)
    assert.match(String(body.detail), new RegExp(`did you mean ${expected}\\?$`))
  }
})

test('the longest term, code and limit are accepted, and so is a term of several lines', async () => {
  // 404 means that the term was accepted and found nothing.
  assert.equal((await sendRequest(service, `record?search=${'a'.repeat(500)}`)).status, 404)
  // An emoji (two units of UTF-16) counts as one character, and so does a letter with a combining accent.
  assert.equal((await sendRequest(service, `record?search=${'%F0%9F%98%80'.repeat(500)}`)).status, 404)
  assert.equal((await sendRequest(service, `record?search=${'e%CC%81'.repeat(500)}`)).status, 404)
  assert.equal((await sendRequest(service, `record?search=${Array(40).fill('a').join('+')}`)).status, 404)
  // A hyphen between spaces does not count as a word.
  assert.equal((await sendRequest(service, `record?search=${Array(40).fill('a').join('+-+')}`)).status, 404)
  // A code, an abbreviation, a number or a word with an elided article counts as one word.
  for (const word of [
    'UE-1',
    'P.G.O.U.',
    'NN.SS.',
    'SUNC-R-3',
    '03082-1101',
    '1.250,5',
    "l'Orxa",
    '25/05/2018',
    '2ª',
  ]) {
    const term = encodeURIComponent(Array(40).fill(word).join(' '))
    assert.notEqual((await sendRequest(service, `record?search=${term}`)).status, 400, word)
  }
  // `Plan General` is the title that `toRecord` (test/service.ts) gives to a record without a title.
  assert.equal((await sendRequest(service, 'record?search=plan%0D%0Ageneral%09')).status, 200)
  assert.equal((await sendRequest(service, `record/${'P'.repeat(198)}-1`)).status, 200)
  assert.equal((await sendRequest(service, 'record?limit=1000')).status, 200)
})

test('a message quotes at most 60 characters of a value', async () => {
  const body = json(await sendRequest(service, `record?checkin_date=${'9'.repeat(150)}`))
  assert.equal(
    body.detail,
    `Cannot read checkin_date: expected a year of four digits, such as 2004 (checkin_from and checkin_to take days), got "${'9'.repeat(60)}…"`,
  )
})

test('the type of a problem is the address of its documentation', async () => {
  const { type } = json(await sendRequest(service, 'record?limit=0'))
  assert.equal(type, `${service.base}/problems/malformed-limit`)
  const page = await fetch(String(type))
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Malformed limit/)
})

test('the message says whether a value, a name or the path is not percent-encoded UTF-8', async () => {
  for (const [path, start] of [
    ['record?search=%FF', 'Cannot read search: '],
    ['record?%FF=a', 'Cannot read the name of a parameter: '],
    ['municipio/%FF', 'Cannot read the path: '],
  ] as const) {
    const detail = String(json(await sendRequest(service, path)).detail)
    assert.ok(detail.startsWith(start), detail)
  }
})
