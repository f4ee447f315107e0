// Downloads of documents: caching, retries, limits, and addresses that are refused.
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { DocumentOptions } from '../../../src/import/documents/documents.ts'
import { parseRetryAfter, toFailure } from '../../../src/import/documents/download.ts'
import type { DocumentLimits } from '../../../src/import/documents/limits.ts'
import { openHost } from './host.ts'
import { makePdf } from './pdf.ts'
import { openWorkspace, type Prepared, useWorkspace } from './workspace.ts'

const plan = makePdf([{ lines: ['Plan Parcial'] }])
/** A cache that has the text of `plan`. */
const cacheWithPlan = useWorkspace(async ({ cacheFolder, write, prepare }) => {
  await write('plan.pdf', plan)
  const texts = await prepare(['plan.pdf'])
  texts.close()
  return cacheFolder
})

/**
 * A host, and imports that fetch `paths` from it, although its address is not public, and retry quickly. The cache has
 * the text of `plan`, so that no worker is needed to read it.
 */
async function openDownloads(t: TestContext, respond: Parameters<typeof openHost>[1], paths = ['/a.pdf']) {
  const { prepare, cacheFolder } = await openWorkspace(t)
  await cp(cacheWithPlan(), cacheFolder, { recursive: true })
  const host = await openHost(t, respond)
  const references = paths.map(host.referenceTo)
  const urls = references.map(({ url }) => url)
  const run = (limits: Partial<DocumentLimits> = {}, options: Partial<DocumentOptions> = {}): Promise<Prepared> =>
    prepare(references, { ...host.options, ...options, limits: { ...host.options.limits, ...limits } })
  return { prepare, host, urls, url: urls[0] ?? '', run }
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `/${number}.pdf`)
}

const sendPlan: Parameters<typeof openHost>[1] = (_request, response) => response.end(plan)

// `outcomes` counts the documents: `missing` are those that could not be downloaded, `unreadable` those that are too
// large or whose content cannot be read.
describe('a document with an address', () => {
  it('is fetched and read, with the address unchanged', async (t) => {
    // %F3 is ó in Latin-1, as older hosts write it. It is not valid UTF-8.
    const { host, url, run } = await openDownloads(t, sendPlan, ['/Ordenaci%F3n.pdf'])
    const texts = await run()
    assert.equal(await texts.readAddress(url), 'Plan Parcial')
    assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 0 })
    assert.equal(host.requests[0]?.url, '/Ordenaci%F3n.pdf')
  })

  it('is fetched by host name, after the IP address is checked', async (t) => {
    const { prepare, host } = await openDownloads(t, sendPlan)
    const url = `http://localhost:${host.port}/a.pdf`
    const checked: string[] = []
    const isForbiddenAddress = (address: string): boolean => {
      checked.push(address)
      return false
    }
    const options = { ...host.options, allowHosts: [`LOCALHOST:${host.port}`], isForbiddenAddress }
    assert.equal(await (await prepare([{ kind: 'address', url }], options)).readAddress(url), 'Plan Parcial')
    assert.ok(checked.includes('127.0.0.1'))
  })

  it('is not fetched without --fetch-documents', async (t) => {
    const { host, url, run } = await openDownloads(t, sendPlan)
    const texts = await run({}, { withDownloads: false })
    assert.equal(texts.reasonFor(url), 'documents are fetched only with --fetch-documents')
    assert.equal(host.connections(), 0)
  })

  it('is requested again conditionally, and read from the cache if unchanged', async (t) => {
    let version = '"1"'
    const { host, url, run } = await openDownloads(t, (request, response) => {
      response.setHeader('etag', version)
      response.setHeader('last-modified', 'Sun, 01 Mar 2020 00:00:00 GMT')
      if (request.headers['if-none-match'] === version) response.writeHead(304).end()
      else response.end(makePdf([{ lines: [`version ${version}`] }]))
    })
    await run()
    const second = await run()
    assert.equal(host.requests[1]?.headers['if-none-match'], '"1"')
    assert.equal(host.requests[1]?.headers['if-modified-since'], 'Sun, 01 Mar 2020 00:00:00 GMT')
    assert.equal(second.pagesRead, 0)
    assert.equal(await second.readAddress(url), 'version "1"')
    version = '"2"'
    assert.equal(await (await run()).readAddress(url), 'version "2"')
  })

  it('keeps the text of an earlier import while the host fails', async (t) => {
    let status = 200
    const { url, run } = await openDownloads(t, (_request, response) => response.writeHead(status).end(plan))
    await run()
    // 522 is the status of a proxy that does not reach its server.
    for (status of [503, 522]) {
      const texts = await run()
      assert.equal(texts.outcomes.text, 1)
      assert.equal(texts.reasonFor(url), `the host responded with ${status}; the text of an earlier import is used`)
      assert.equal(await texts.readAddress(url), 'Plan Parcial')
    }
  })

  it('keeps the reason of an earlier import that could not read it, while the host fails', async (t) => {
    const contents = ['<html><p>Documento no encontrado', '%PDF-1.4 cortado']
    let status = 200
    const respond = ({ url = '' }, response: ServerResponse) =>
      response.writeHead(status).end(contents[Number(url.slice(1))])
    const { urls, run } = await openDownloads(t, respond, ['/0', '/1'])
    const first = await run()
    status = 503
    const second = await run()
    assert.equal(second.outcomes.unreadable, 2)
    for (const url of urls) assert.equal(second.reasonFor(url), `${first.reasonFor(url)}; the host responded with 503`)
  })

  it('that was deleted is missing, even if an earlier import had it', async (t) => {
    const { url, run } = await openDownloads(t, (_request, response, requestNumber) =>
      response.writeHead(requestNumber > 1 ? 404 : 200).end(plan),
    )
    await run()
    const texts = await run()
    assert.equal(texts.outcomes.missing, 1)
    assert.equal(texts.reasonFor(url), 'the host responded with 404')
    assert.equal(await texts.readAddress(url), '')
  })

  it('is unreadable if the address leads to a web page', async (t) => {
    const pages = [
      '<html><p>Documento no encontrado',
      "<script>alert('El documento no existe');history.back()</script>",
      '<br />\n<b>Warning</b>: no such file',
      '<!-- error --> <!-- 404 --><head><title>Error',
    ]
    const respond = ({ url = '' }, response: ServerResponse) => response.end(pages[Number(url.slice(1))])
    const { urls, run } = await openDownloads(t, respond, ['/0', '/1', '/2', '/3'])
    const texts = await run()
    assert.equal(texts.outcomes.unreadable, pages.length)
    for (const url of urls) assert.equal(await texts.readAddress(url), '')
  })

  it('is fetched when it replaces a web page of a later date at its address', async (t) => {
    const [fileDate, pageDate] = ['Tue, 01 Mar 2011 00:00:00 GMT', 'Sun, 01 Mar 2020 00:00:00 GMT']
    let isInMaintenance = true
    const { url, run } = await openDownloads(t, ({ headers }, response) => {
      // With the date of the page as If-Modified-Since, the host responds with 304, so the import must not send it.
      const date = isInMaintenance ? pageDate : fileDate
      response.setHeader('last-modified', date)
      const since = headers['if-modified-since']
      if (since !== undefined && Date.parse(date) <= Date.parse(since)) response.writeHead(304).end()
      else response.end(isInMaintenance ? '<html><p>En mantenimiento' : plan)
    })
    assert.equal((await run()).outcomes.unreadable, 1)
    isInMaintenance = false
    assert.equal(await (await run()).readAddress(url), 'Plan Parcial')
  })

  it('is not downloaded beyond the size limit, with or without Content-Length', async (t) => {
    const respond = ({ url = '' }, response: ServerResponse) => {
      if (url === '/announced.pdf') response.setHeader('content-length', 5_000_000)
      response.write(Buffer.alloc(2_000_000))
      response.end(Buffer.alloc(3_000_000))
    }
    const { urls, run } = await openDownloads(t, respond, ['/announced.pdf', '/unannounced.pdf'])
    const texts = await run({ documentBytesMax: 1024 * 1024 })
    assert.equal(texts.outcomes.unreadable, 2)
    for (const url of urls) assert.equal(texts.reasonFor(url), 'larger than 1 MB')
  })

  it('is missing if the download takes too long', async (t) => {
    // The response never ends.
    const { url, run } = await openDownloads(t, (_request, response) => response.write('%PDF'))
    const texts = await run({ attemptsMax: 1, downloadTimeoutMs: 200 })
    assert.equal(texts.outcomes.missing, 1)
    assert.equal(texts.reasonFor(url), 'the download took too long')
  })
})

describe('a host', () => {
  it('is tried again after a temporary failure', async (t) => {
    const { host, run } = await openDownloads(t, (_request, response, requestNumber) => {
      if (requestNumber === 1) response.destroy()
      else if (requestNumber === 2) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.end(plan)
    })
    assert.equal((await run()).outcomes.text, 1)
    assert.equal(host.requests.length, 3)
  })

  it('that asks for a long pause is not asked again, for this or another document', async (t) => {
    const respond = (_request: unknown, response: ServerResponse) =>
      response.writeHead(429, { 'retry-after': '3600' }).end()
    const { host, urls, run } = await openDownloads(t, respond, numbered(8))
    const texts = await run()
    // Two requests may be in progress before the first response.
    assert.ok(host.requests.length <= 2, `${host.requests.length} requests`)
    for (const url of urls) assert.equal(texts.reasonFor(url), 'the host responded with 429 and asks to wait 3600 s')
  })

  const failures: [name: string, fail: (response: ServerResponse) => void][] = [
    ['never responds', (response) => response.destroy()],
    [
      'breaks off the body of every response',
      (response) => {
        response.writeHead(200, { 'content-length': plan.length })
        response.write(plan.subarray(0, 100), () => response.destroy())
      },
    ],
  ]
  for (const [name, fail] of failures) {
    it(`that ${name} is not asked again after twelve requests`, async (t) => {
      const { host, run } = await openDownloads(t, (_request, response) => fail(response), numbered(20))
      // By default a host is given up only if it has also failed for a minute.
      assert.equal((await run({ hostFailingMsMax: 0 })).outcomes.missing, 20)
      // One more may be in progress when the twelfth fails.
      assert.ok(host.requests.length <= 13, `${host.requests.length} requests`)
    })
  }

  for (const status of [503, 429]) {
    it(`that responds to twelve requests in a row with ${status} is not asked again`, async (t) => {
      let isDown = false
      let failures = 0
      // A redirect does not mean that the host works again.
      const respond = ({ url = '' }, response: ServerResponse) => {
        if (!isDown) return response.writeHead(url === '/0.pdf' ? 200 : 404).end(plan)
        if (!url.startsWith('/new')) return response.writeHead(302, { location: `/new${url}` }).end()
        failures += 1
        return response.writeHead(status, { 'retry-after': '0' }).end()
      }
      const { urls, run } = await openDownloads(t, respond, numbered(20))
      await run()
      isDown = true
      const texts = await run({ hostFailingMsMax: 0 })
      // One more may be in progress when the twelfth fails.
      assert.ok(failures <= 13, `${failures} requests`)
      // The first import had read the first document, before the host failed.
      assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 19 })
      const reason = `the host responded with ${status}`
      assert.equal(texts.reasonFor(urls[0] ?? ''), `${reason}; the text of an earlier import is used`)
      assert.equal(texts.reasonFor(urls[19] ?? ''), reason)
    })
  }

  it('that responds with a document or 404 between failures is asked again', async (t) => {
    // Every second response is a failure, after which the document is requested again. The other responses are a
    // document and 404 by turns.
    const respond = (_request: unknown, response: ServerResponse, requestNumber: number) =>
      response.writeHead([404, 503, 200, 503][requestNumber % 4] ?? 0).end(plan)
    const { run } = await openDownloads(t, respond, numbered(40))
    const texts = await run({ retryDelayMs: 0, hostFailingMsMax: 0, hostConnectionsMax: 1, attemptsMax: 100 })
    assert.deepEqual(texts.outcomes, { text: 20, scan: 0, unreadable: 0, missing: 20 })
  })

  it('receives at most two requests at a time', async (t) => {
    const held: ServerResponse[] = []
    let mostAtOnce = 0
    const respond = (_request: unknown, response: ServerResponse) => {
      held.push(response)
      mostAtOnce = Math.max(mostAtOnce, held.length)
      // The delay gives a third request, which must not come, time to arrive.
      if (held.length === 2) setTimeout(() => held.splice(0).map((each) => each.end(plan)), 50)
    }
    const { run } = await openDownloads(t, respond, numbered(8))
    assert.equal((await run()).outcomes.text, 8)
    assert.equal(mostAtOnce, 2)
  })
})

it('Retry-After is parsed into milliseconds, from seconds or from a date', () => {
  assert.equal(parseRetryAfter('7'), 7000)
  // A date in the past asks for no pause.
  assert.equal(parseRetryAfter('Thu, 01 Jan 1970 00:00:00 GMT'), 0)
  assert.equal(parseRetryAfter('soon'), undefined)
  assert.equal(parseRetryAfter(undefined), undefined)
})

it('a connection that breaks is a temporary failure, and a full disk ends the import', () => {
  const writeErrorOf = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'write' })
  for (const code of ['EPIPE', 'ECONNRESET']) {
    const reason = { code: 'unreachable', values: { error: code } }
    assert.deepEqual(toFailure(writeErrorOf(code)), { kind: 'unavailable', reason, isRetryable: true })
  }
  assert.throws(() => toFailure(writeErrorOf('ENOSPC')), { code: 'ENOSPC' })
})

describe('an address', () => {
  it('that is not public, not of HTTP or not valid is refused without a connection', async (t) => {
    const { host, prepare } = await openDownloads(t, sendPlan)
    // Spellings of the address of this machine (`0` is 0.0.0.0), and the metadata service of cloud providers.
    const local = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost', '0']
    const hosts = [...local, '169.254.169.254'].map((each) => `${each}:${host.port}`)
    const urls = [...hosts.map((each) => `http://${each}/a.pdf`), 'file:///etc/passwd', 'ftp://x/y', 'no address']
    const references = urls.map((url) => ({ kind: 'address', url }) as const)
    // The hosts are allowed by name; the default policy for IP addresses applies.
    const texts = await prepare(references, { withDownloads: true, allowHosts: hosts })
    assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: urls.length })
    assert.equal(host.connections(), 0)
    const reasonFor = (name: string): string => texts.reasonFor(`http://${name}:${host.port}/a.pdf`) ?? ''
    assert.match(reasonFor('localhost'), /^resolves to .*, which is not a public address$/)
    assert.equal(reasonFor('0x7f.1'), '127.0.0.1 is not a public address')
    assert.equal(texts.reasonFor('file:///etc/passwd'), 'file: is not supported, only http: and https:')
  })

  it('is refused if its host is not allowed, and the reason names the flag that would allow it', async (t) => {
    const { host, url, run } = await openDownloads(t, sendPlan)
    // Without a port, only ports 80 and 443 of a host are allowed.
    const texts = await run({}, { allowHosts: ['127.0.0.1'] })
    assert.equal(texts.reasonFor(url), `the host is not allowed; allow it with --allow-host ${host.host}`)
    assert.equal(host.connections(), 0)
  })

  it('is refused if it redirects to an address that is not allowed, or redirects endlessly', async (t) => {
    const inside = await openHost(t, sendPlan, '127.0.0.2')
    const targets: Readonly<Record<string, string>> = {
      '/inside': `http://${inside.host}/`,
      '/file': 'file:///etc/passwd',
      '/other': 'http://example.org/',
    }
    const respond = ({ url = '' }, response: ServerResponse) =>
      response.writeHead(302, { location: targets[url] ?? '/round' }).end()
    const { host, urls, run } = await openDownloads(t, respond, ['/inside', '/file', '/other', '/round'])
    // Both hosts are allowed by name, but `host.options` forbids every IP address except that of `host`.
    const texts = await run({}, { allowHosts: [host.host, inside.host] })
    assert.equal(texts.outcomes.missing, 4)
    assert.equal(inside.connections(), 0)
    const [toInside = '', , , round = ''] = urls
    assert.equal(texts.reasonFor(toInside), `redirected to http://${inside.host}/: 127.0.0.2 is not a public address`)
    assert.equal(texts.reasonFor(round), 'redirected more than 5 times')
  })

  it('may redirect to an address that is allowed', async (t) => {
    const respond = ({ url = '' }, response: ServerResponse) =>
      url === '/old.pdf' ? response.writeHead(301, { location: 'new.pdf' }).end() : response.end(plan)
    const { url, run } = await openDownloads(t, respond, ['/old.pdf'])
    assert.equal(await (await run()).readAddress(url), 'Plan Parcial')
  })
})
