// Files by which machines find the service: sitemap, robots.txt, opensearch.xml, security.txt, server.json.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { startService, type TestService } from '../service.ts'
import { json, problemCode, sendRequest } from './send-request.ts'

const dataset = {
  title: 'Registro <de> "urbanismo" & planeamiento de la comunidad autónoma',
  publisher: 'Consejería',
  licence: undefined,
  spatial: undefined,
  contact: 'mailto:datos@example.org',
}

/** The text of every element with the name. Fails if the document is not well-formed. */
function readElements(xml: string, name: string): string[] {
  const texts: string[] = []
  let isInside = false
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error.message))
  parser.on('opentag', (tag) => {
    isInside = tag.name === name
    if (isInside) texts.push('')
  })
  parser.on('closetag', () => {
    isInside = false
  })
  parser.on('text', (text) => {
    if (isInside) texts[texts.length - 1] += text
  })
  parser.write(xml).close()
  return texts
}

suite('a service', () => {
  let service: TestService
  before(async () => {
    service = await startService(
      [
        { code: 'CO/44/2004-12' },
        // Only municipalities of the national list have a page.
        { code: 'ñu-7', municipality: 'Atlántida' },
        { code: 'A-1', municipality: 'Coruña, A' },
      ],
      { dataset, isMcpOn: true },
    )
  })
  after(() => service[Symbol.asyncDispose]())

  /** The text of a response, which must be 200. */
  const read = async (path: string): Promise<string> => {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 200, path)
    return response.bytes.toString()
  }

  test('lists the pages of records and municipalities in its sitemap, and each can be opened', async () => {
    const addresses = readElements(await read('sitemap.xml'), 'loc')
    // 05019 is Ávila, the municipality of a record for which the test gives none, and 15030 is A Coruña.
    assert.deepEqual(
      addresses.map((address) => address.replace(service.base, '')),
      [
        '/',
        '/municipio/05019',
        '/municipio/15030',
        '/expediente/A-1',
        '/expediente/CO%2F44%2F2004-12',
        '/expediente/%C3%B1u-7',
      ],
    )
    for (const address of addresses) {
      const page = await fetch(address)
      assert.equal(page.status, 200, address)
      await page.arrayBuffer()
    }
    assert.equal(problemCode(await sendRequest(service, 'sitemap/2.xml')), 'unknown-address')
    assert.equal(problemCode(await sendRequest(service, 'sitemap/x')), 'unknown-address')
  })

  test('tells crawlers at the root of the host where its sitemap is, and keeps them from exports', async () => {
    const text = (await sendRequest(service, '/robots.txt', { isWholeTarget: true })).bytes.toString()
    assert.equal(text, await read('robots.txt'))
    assert.match(text, /^User-agent: \*\nDisallow: \/registry\/record\.csv\n/)
    assert.ok(text.endsWith(`\nSitemap: ${service.base}/sitemap.xml\n`))
  })

  test('describes its search to browsers', async () => {
    const xml = await read('opensearch.xml')
    const [shortName = ''] = readElements(xml, 'ShortName')
    const [longName = ''] = readElements(xml, 'LongName')
    // The limits of OpenSearch.
    assert.ok(shortName.length <= 16 && longName.length <= 48)
    assert.ok(longName.startsWith('Registro <de> "urbanismo" & planeamiento'))
    assert.ok(xml.includes(`template="${service.base}/?search={searchTerms}"`))
  })

  test('names a contact for vulnerabilities, valid for less than a year', async () => {
    const response = await sendRequest(service, '/.well-known/security.txt', { isWholeTarget: true })
    assert.equal(response.headers['content-type'], 'text/plain; charset=utf-8')
    const lines = response.bytes.toString().matchAll(/^([\w-]+): (.+)$/gm)
    const fields = new Map([...lines].map(([, name, value]) => [name, value]))
    assert.equal(fields.get('Contact'), 'mailto:datos@example.org')
    // RFC 9116 recommends less than a year. The file is made on request, so more than a month is always left.
    const msPerDay = 86_400_000
    const daysValid = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / msPerDay
    assert.ok(daysValid > 30 && daysValid < 365)
    assert.equal(fields.get('Canonical'), `${new URL(service.base).origin}/.well-known/security.txt`)
  })

  test('describes its MCP server', async () => {
    const body = json(await sendRequest(service, 'server.json'))
    // The host 127.0.0.1 in reverse, like `com.example` for example.com.
    assert.equal(body.name, '1.0.0.127/planning-registry')
    assert.deepEqual(body.remotes, [{ type: 'streamable-http', url: `${service.base}/mcp` }])
  })

  test('names the address of its MCP server only if MCP accepts the host', async () => {
    // The status of an empty request to MCP: 403 for a host that it does not accept.
    const readBoth = async (asked: TestService, host: string): Promise<[remotes: unknown, status: number]> => {
      const { remotes } = json(await sendRequest(asked, 'server.json', { headers: { host } }))
      const headers = { host, 'content-type': 'application/json' }
      return [remotes, (await sendRequest(asked, 'mcp', { method: 'POST', headers })).status]
    }
    // On loopback without --public-url, another name may be that of an attacker (DNS rebinding).
    await using local = await startService([{ code: 'A-1' }], { isMcpOn: true, host: '127.0.0.1' })
    assert.deepEqual(await readBoth(local, 'registry.example'), [undefined, 403])
    const { host } = new URL(local.base)
    const [remotes, status] = await readBoth(local, host)
    assert.deepEqual(remotes, [{ type: 'streamable-http', url: `http://${host}/registry/mcp` }])
    assert.notEqual(status, 403)
    const publicUrl = 'https://registry.example/plans'
    await using published = await startService([{ code: 'A-1' }], { isMcpOn: true, host: '127.0.0.1', publicUrl })
    const [publicRemotes, publicStatus] = await readBoth(published, 'registry.example')
    assert.deepEqual(publicRemotes, [{ type: 'streamable-http', url: `${publicUrl}/mcp` }])
    assert.notEqual(publicStatus, 403)
  })

  test('redirects the root of the host to the search page', async () => {
    const response = await sendRequest(service, '/', { isWholeTarget: true })
    assert.deepEqual([response.status, response.headers.location], [302, `${service.base}/`])
    assert.equal((await sendRequest(service, '/nowhere', { isWholeTarget: true })).status, 404)
  })
})

test('a service with an empty base path has its search page at the root of its host', async () => {
  await using service = await startService([{ code: 'A-1' }], { basePath: '' })
  assert.equal((await sendRequest(service, '/', { isWholeTarget: true })).status, 200)
  assert.match(
    (await sendRequest(service, '/robots.txt', { isWholeTarget: true })).bytes.toString(),
    /: \/record\.csv\n/,
  )
})

test('a service without a contact has no security.txt', async () => {
  await using service = await startService([{ code: 'A-1' }], { basePath: '' })
  const security = await sendRequest(service, '/.well-known/security.txt', { isWholeTarget: true })
  assert.equal(problemCode(security), 'unknown-address')
})

test('crawlers are kept from the fictional sample', async () => {
  await using service = await startService([{ code: 'A-1' }], { fictional: true })
  assert.match((await sendRequest(service, 'robots.txt')).bytes.toString(), /\nDisallow: \/registry\/\n/)
})

test('the sitemap of more than 50,000 pages is an index of parts, which have every record once', async () => {
  const records = Array.from({ length: 50_001 }, (_, index) => ({ code: `A-${index}`, title: 'Plan' }))
  await using service = await startService(records)
  const parts = readElements((await sendRequest(service, 'sitemap.xml')).bytes.toString(), 'loc')
  // The part pages.xml has the search page and the municipalities. Each other part has up to 50,000 records.
  assert.deepEqual(
    parts.map((address) => address.replace(`${service.base}/sitemap/`, '')),
    ['pages.xml', '1.xml', '2.xml'],
  )
  const addresses: string[] = []
  for (const part of parts) addresses.push(...readElements(await (await fetch(part)).text(), 'loc'))
  // The search page, and the page of Ávila, which all records belong to.
  const otherPages = 2
  assert.equal(new Set(addresses).size, records.length + otherPages)
  assert.equal(addresses.length, records.length + otherPages)
})
