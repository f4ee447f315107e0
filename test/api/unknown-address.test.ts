// Unknown addresses: a browser gets a page with a suggestion and a search form, and a program gets a problem. Also the
// pages of problems.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { problemKinds } from '../../src/problems.ts'
import { startService } from '../service.ts'

const service = await startService([{ code: 'A-1', title: 'Plan General', municipality: 'Ávila' }])
after(() => service[Symbol.asyncDispose]())

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const request = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
  fetch(`${service.base}/${path}`, { headers, method })

test('a browser gets a page with 404 that suggests an address, has a search form and is not indexed', async () => {
  const response = await request('recrod', { accept: browserAccept })
  assert.equal(response.status, 404)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  // The page is in Spanish, like the search page, unless the address names the other language.
  const html = await response.text()
  assert.match(html, /<h1>Página no encontrada<\/h1>/)
  assert.match(html, /La dirección \/registry\/recrod no existe/)
  assert.match(html, /<meta name="robots" content="noindex"\/>/)
  assert.match(html, /Quizá quería ir a <a href="record">record<\/a>/)
  assert.match(html, /<form /)
  const english = await (await request('recrod?lang=en', { accept: browserAccept })).text()
  assert.match(english, /<h1>Page not found<\/h1>/)
})

test('a client that does not prefer HTML to JSON gets a problem, the same for every Accept header', async () => {
  const bodies: string[] = []
  for (const accept of [
    '*/*',
    'application/json',
    'application/problem+json',
    'application/json, text/html;q=0.9',
    '',
  ]) {
    const response = await request('recrod', { accept })
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    bodies.push(await response.text())
  }
  assert.equal(new Set(bodies).size, 1)
  assert.deepEqual(JSON.parse(bodies[0] ?? ''), {
    type: `${service.base}/problems/unknown-address`,
    title: 'Unknown address',
    status: 404,
    detail: 'There is nothing at this address; did you mean /registry/record?',
    suggestions: ['/registry/record'],
  })
})

test('the suggested address has the path of --public-url, which a proxy may map to another base path', async () => {
  await using published = await startService([{ code: 'A-1' }], { publicUrl: 'https://data.example.org/plans' })
  const read = async (path: string, accept: string): Promise<string> =>
    await (await fetch(`${published.base}/${path}`, { headers: { accept } })).text()
  for (const [path, suggestion] of [
    ['recrod', '/plans/record'],
    // Nothing is similar, so the search page is suggested.
    ['nothing-like-it', '/plans/'],
    ['problems/no-such-problem', '/plans/problems'],
  ] as const) {
    const { detail, suggestions } = JSON.parse(await read(path, 'application/json'))
    assert.deepEqual(suggestions, [suggestion])
    assert.ok(detail.includes(suggestion), detail)
  }
  // On the page, the link is relative to the base address.
  assert.match(await read('recrod', browserAccept), /<a href="record">record<\/a>/)
  assert.match(await read('problems/no-such-problem', browserAccept), /<a href="problems">problems<\/a>/)
})

test('only GET and HEAD of an unknown address below the base path get the page', async () => {
  const head = await request('recrod', { accept: browserAccept }, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
  const post = await request('recrod', { accept: browserAccept }, 'POST')
  assert.equal(post.headers.get('content-type'), 'application/problem+json')
  const outside = await fetch(new URL('/elsewhere', service.base), { headers: { accept: browserAccept } })
  assert.deepEqual([outside.status, outside.headers.get('content-type')], [404, 'application/problem+json'])
  // The address is known; only its record does not exist.
  const missingRecord = await request('record/B-1', { accept: browserAccept })
  assert.deepEqual([missingRecord.status, missingRecord.headers.get('content-type')], [404, 'application/problem+json'])
})

test('a browser also gets the page for a problem or a document that does not exist', async () => {
  // Only a fictional registry has documents.
  for (const path of ['problems/no-such-problem', 'documento/A-1']) {
    const page = await request(path, { accept: browserAccept })
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
    const problem = await request(path, {})
    assert.deepEqual([problem.status, problem.headers.get('content-type')], [404, 'application/problem+json'], path)
  }
})

test('the page shows a hostile path as text without control characters, and shortens a long path', async () => {
  const hostile = await (await request('%3Cscript%3Ealert(1)%3C%2Fscript%3E', { accept: browserAccept })).text()
  assert.match(hostile, /\/registry\/&lt;script(?:>|&gt;)alert\(1\)/)
  assert.doesNotMatch(hostile, /<script>alert/)
  const long = await (await request('a'.repeat(5000), { accept: browserAccept })).text()
  assert.ok(!long.includes('a'.repeat(100)))
  // NUL, a line feed (not checked, because the HTML has others), and U+202E, which reverses the text after it.
  const control = await (await request('a%00b%0Ac%E2%80%AEd', { accept: browserAccept })).text()
  assert.ok(!/[\0\u202E]/.test(control))
})

test('the pages of problems and the reference are in the language of the address, else of the client', async () => {
  const read = async (path: string, acceptLanguage: string): Promise<string> => {
    const response = await request(path, { 'accept-language': acceptLanguage })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('vary'), 'Accept-Encoding, Accept-Language')
    return await response.text()
  }
  for (const [page, spanishHeading] of [
    ['problems/unknown-municipality', 'Municipio desconocido'],
    ['problems', 'Errores'],
    ['docs', 'API de expedientes de planeamiento'],
  ] as const) {
    for (const [query, acceptLanguage, isSpanish] of [
      ['', 'es-ES,es;q=0.9,en;q=0.8', true],
      // Speakers of the other languages of Spain get Spanish.
      ['', 'ca', true],
      ['', 'en-GB,es;q=0.5', false],
      ['', 'fr', false],
      ['', '', false],
      ['?lang=es', 'en', true],
      ['?lang=en', 'es', false],
    ] as const) {
      const html = await read(page + query, acceptLanguage)
      assert.ok(html.includes(`<html lang="${isSpanish ? 'es' : 'en'}">`), `${page}${query} ${acceptLanguage}`)
      assert.equal(html.includes(`<h1>${spanishHeading}</h1>`), isSpanish)
    }
    assert.match(await read(page, 'es'), new RegExp(`<a href="${page}\\?lang=en" lang="en"`))
  }
})

test('the pages of problems and the reference take no other parameter, and no other language', async () => {
  for (const page of ['problems/unknown-municipality', 'problems', 'docs', 'docs/']) {
    for (const [query, code, parameter] of [
      ['language=es', 'unknown-parameter', 'language'],
      ['lang=es&x=1', 'unknown-parameter', 'x'],
      ['lang=es&lang=en', 'repeated-parameter', 'lang'],
      ['lang=fr', 'malformed-language', 'lang'],
      ['lang=', 'incomplete-request', 'lang'],
    ] as const) {
      const response = await request(`${page}?${query}`, { accept: browserAccept })
      assert.equal(response.status, 400, `${page}?${query}`)
      const problem = JSON.parse(await response.text())
      assert.deepEqual([problem.type, problem.parameter], [`${service.base}/problems/${code}`, parameter])
    }
  }
})

test('the list of problems in Spanish links to all of them in Spanish', async () => {
  const list = await (await request('problems?lang=es', {})).text()
  for (const [code, { title }] of Object.entries(problemKinds)) {
    assert.ok(list.includes(`problems/${code}?lang=es`), code)
    assert.ok(list.includes(`<td>${title.es}</td>`), code)
  }
})
