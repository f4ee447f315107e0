// HTML pages and their content security policy. The pages are the search page, the reference (`docs`, the documentation
// of the API) and the pages of problems (the errors that responses report).
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { escapeHtml, toInlineHtml } from '../../src/api/html.ts'
import { localAddress } from '../../src/api/local.ts'
import { operations } from '../../src/api/operations.ts'
import { toDescription, toParameter } from '../../src/domain/parameters.ts'
import type { RegistryStore } from '../../src/registry/contract.ts'
import { startService } from '../service.ts'
import { withChangedSnapshots, withCurrent } from '../with-current.ts'
import { sendRequest } from './send-request.ts'

/** The name of the municipality must be escaped wherever a page shows it. */
const service = await startService(
  [
    { code: 'A-1', municipality: `L'Alfàs "<script>alert(1)</script>"` },
    { code: 'A-2', municipality: `L'Alfàs "<script>alert(1)</script>"` },
  ],
  { fictional: true },
)
after(() => service[Symbol.asyncDispose]())

for (const path of ['docs', 'docs/', 'problems', 'problems/no-match', '', 'index.html']) {
  const name = path || 'the search page'
  test(`the security policy allows inline style only by its hash, no inline script and no other host: ${name}`, async () => {
    const { status, headers, bytes } = await sendRequest(service, path)
    const html = bytes.toString()
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    const policy = headers['content-security-policy'] ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    // No inline scripts, no handlers such as `onclick=`, no style attributes, no style elements with attributes, and no
    // addresses that run code.
    assert.doesNotMatch(html, /<script>| on\w+=| style=|<style [^>]|javascript:/i)
    for (const [, style = ''] of html.matchAll(/<style>(.*?)<\/style>/gs)) {
      assert.ok(
        policy.includes(`'sha256-${hash('sha256', style, 'base64')}'`),
        'an inline style is allowed by its hash',
      )
    }
    // Browsers do not load the canonical address, so it may name a host.
    for (const [, address = ''] of html.matchAll(
      /<(?:script|link(?! rel="canonical")|img)\b[^>]*\b(?:src|href)="([^"]*)"/g,
    )) {
      assert.doesNotMatch(address, /^(?:https?:)?\/\//)
    }
  })

  test(`every script, stylesheet and link of the page exists: ${name}`, async () => {
    const html = (await sendRequest(service, path)).bytes.toString()
    const [, base = ''] = /<base href="([^"]+)">/.exec(html) ?? []
    assert.equal(base, '/registry/')
    for (const [, address = ''] of html.matchAll(/<(?:script|link|a)\b[^>]*\b(?:src|href)="([^"]*)"/g)) {
      const url = new URL(address.replaceAll(/&#38;|&amp;/g, '&'), `http://host${base}`)
      // The links of the test records lead to this host, which does not exist.
      if (url.hostname === 'documents.example') continue
      const { status } = await sendRequest(service, url.pathname + url.search, { isWholeTarget: true })
      // The page of a problem links to a request that has this problem, so any status is accepted there.
      const isProblemPage = path.startsWith('problems/')
      assert.ok(status === 200 || isProblemPage, `${address}: ${status}`)
    }
  })
}

test('the search page and record pages have their style in the HTML, and the font in it exists', async () => {
  for (const path of ['', '?search=plan', 'expediente/A-1', 'expediente/unknown']) {
    const html = (await sendRequest(service, path)).bytes.toString()
    assert.doesNotMatch(html, /rel="stylesheet"/)
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
    assert.ok(style.includes('.results-head'), 'the list of results has its style')
    const [, fontAddress = ''] = /url\(([^)]+\.woff2)\)/.exec(style) ?? []
    assert.equal((await sendRequest(service, fontAddress.replace('./', ''))).status, 200)
  }
})

test('files with a hash in their name may be cached forever', async () => {
  const html = (await sendRequest(service, 'docs')).bytes.toString()
  for (const pattern of [/href="(docs\/reference-[\w-]{10}\.css)"/, /src="(docs\/try-it-[\w-]{10}\.js)"/]) {
    const [, path = ''] = pattern.exec(html) ?? []
    const { status, headers } = await sendRequest(service, path)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(headers['content-type'] ?? '', /^text\/(css|javascript); charset=utf-8$/)
  }
})

test('the reference has a console and code in three languages for every operation', async () => {
  const html = (await sendRequest(service, 'docs')).bytes.toString()
  for (const { id } of operations) {
    const [section = ''] = new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(html) ?? []
    assert.match(section, /<form class="console"/)
    for (const language of ['curl', 'JavaScript', 'Python']) assert.match(section, new RegExp(`>${language}<`))
  }
})

test('every address in the reference gets 200 from the current registry', async () => {
  const html = (await sendRequest(service, 'docs')).bytes.toString()
  const addresses = [...html.matchAll(/<span class="address">([^<]+)<\/span>/g)]
  const languageCount = 3
  assert.equal(addresses.length, languageCount * operations.length)
  for (const [, address = ''] of addresses) {
    // The snippets have the address between apostrophes.
    assert.doesNotMatch(address, /'/)
    const response = await fetch(address.replaceAll('&#38;', '&'))
    assert.equal(response.status, 200, address)
    await response.arrayBuffer()
  }
})

test('the reference shows the response to the prefilled request of the search', async () => {
  const html = (await sendRequest(service, 'docs')).bytes.toString()
  const [section = ''] = /<section id="searchRecords"[\s\S]*?<\/section>/.exec(html) ?? []
  const [, address = ''] = /<span class="address">([^<]+)<\/span>/.exec(section) ?? []
  const [, shownResponse = ''] = /<details>[\s\S]*<code>([^<]+)<\/code>/.exec(section) ?? []
  const body = await (await fetch(address.replaceAll('&#38;', '&'))).json()
  assert.equal(shownResponse, escapeHtml(JSON.stringify(body, null, 2)))
})

test('a problem that the reference shows has the address of the service', async () => {
  // The example of a search, `plan`, finds nothing here.
  await using withoutPlans = await startService([{ code: 'B-1', title: 'Estudio de Detalle' }])
  const html = (await sendRequest(withoutPlans, 'docs')).bytes.toString()
  assert.ok(html.includes(`${withoutPlans.base}/problems/no-match`))
  assert.ok(!html.includes(localAddress))
})

test('the reference shows responses of one snapshot, although a newer one is published meanwhile', async () => {
  await using older = await startService([{ code: 'B-1' }, { code: 'B-2' }])
  let calls = 0
  const wrapStore = (store: RegistryStore): RegistryStore =>
    withCurrent(store, () => (++calls % 2 === 0 ? store : older.store).current())
  await using changing = await startService([{ code: 'A-1' }], { wrapStore })
  const html = (await sendRequest(changing, 'docs')).bytes.toString()
  assert.match(html, /record\/[AB]-1/)
  assert.doesNotMatch(html, /unknown-record/)
})

test('the reference is rendered once for each language', async () => {
  let pages = 0
  await using counted = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withChangedSnapshots(store, (snapshot) => ({
        page: (...args) => {
          pages += 1
          return snapshot.page(...args)
        },
      })),
  })
  for (const language of ['en', 'es']) {
    const before = pages
    const { headers, bytes } = await sendRequest(counted, `docs?lang=${language}`)
    assert.ok(pages > before, 'the examples are read')
    const rendered = pages
    const again = await sendRequest(counted, 'docs', { headers: { 'accept-language': language } })
    assert.deepEqual(again.bytes, bytes)
    const validators = { 'if-none-match': headers.etag ?? '' }
    assert.equal((await sendRequest(counted, `docs?lang=${language}`, { headers: validators })).status, 304)
    assert.equal(pages, rendered)
  }
})

test('the reference is in Spanish with lang=es, and links to the other language', async () => {
  const html = (await sendRequest(service, 'docs?lang=es')).bytes.toString()
  assert.match(html, /<html lang="es">/)
  assert.match(html, /<a href="docs\?lang=en" lang="en" hreflang="en">English<\/a>/)
  for (const { id, summary, parameters } of operations) {
    assert.ok(!html.includes(escapeHtml(summary.en)), `${id} is translated`)
    for (const name of parameters) {
      assert.ok(!html.includes(toInlineHtml(toDescription(toParameter(id, name), 'en'))), `${name} is translated`)
    }
  }
  assert.match((await sendRequest(service, 'docs')).bytes.toString(), /<a href="docs\?lang=es" lang="es"/)
})

test('the description of limit says how many changes a page has, in both languages', async () => {
  const [english, spanish] = [await sendRequest(service, 'docs'), await sendRequest(service, 'docs?lang=es')]
  assert.match(
    english.bytes.toString(),
    /id="listChanges-limit-meaning">[^\n]*Changes per page, 1 to 1000; 1000 without it/,
  )
  assert.match(
    spanish.bytes.toString(),
    /id="listChanges-limit-meaning">[^\n]*Cambios por página, de 1 a 1000; sin este parámetro, 1000/,
  )
})

test('the reference of a sample says that it is fictional', async () => {
  assert.match((await sendRequest(service, 'docs')).bytes.toString(), /every record in it is fictional/)
})

test('escapeHtml escapes quotation marks, apostrophes, angle brackets and ampersands', () => {
  assert.equal(escapeHtml(`"><img src=x onerror='a&b'>`), '&#34;&#62;&#60;img src=x onerror=&#39;a&#38;b&#39;&#62;')
})
