// Downloads of documents: caching, retries, limits, and addresses that are refused.
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { parseRetryAfter, toFailure } from '../../../src/import/documents/download.ts'
import { openHost } from './host.ts'
import { makePdf } from './pdf.ts'
import { openWorkspace, useWorkspace, type Workspace } from './workspace.ts'

const plan = makePdf([{ lines: ['Plan Parcial'] }])
/** A cache that has the text of `plan`. */
const cacheWithPlan = useWorkspace(async ({ cacheFolder, write, prepare }) => {
  await write('plan.pdf', plan)
  const texts = await prepare(['plan.pdf'])
  texts.close()
  return cacheFolder
})

/** A workspace whose cache has the text of `plan`, for tests of downloads that need no worker to read it. */
async function openWorkspaceWithPlan(t: TestContext): Promise<Workspace> {
  const workspace = await openWorkspace(t)
  await cp(cacheWithPlan(), workspace.cacheFolder, { recursive: true })
  return workspace
}

// `host.options` allow downloads from the test host, although its address is not public, and make retries quick.
// `outcomes` counts the documents: `missing` are those that could not be downloaded, `unreadable` those that are too
// large or whose content cannot be read.
describe('a document with an address', () => {
  it('is fetched and read, with the address unchanged', async (t) => {
    const { prepare } = await openWorkspace(t)
    const host = await openHost(t, (_request, response) => response.end(plan))
    // %F3 is ó in Latin-1, as older hosts write it. It is not valid UTF-8.
    const texts = await prepare([host.referenceTo('/Ordenaci%F3n.pdf')], host.options)
    assert.equal(await texts.readAddress(host.referenceTo('/Ordenaci%F3n.pdf').url), 'Plan Parcial')
    assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 0 })
    assert.equal(host.requests[0]?.url, '/Ordenaci%F3n.pdf')
  })

  it('is fetched by host name, after the IP address is checked', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response) => response.end(plan))
    const url = `http://localhost:${host.port}/a.pdf`
    const checked: string[] = []
    const texts = await prepare([{ kind: 'address', url }], {
      ...host.options,
      allowHosts: [`LOCALHOST:${host.port}`],
      isForbiddenAddress: (address) => {
        checked.push(address)
        return false
      },
    })
    assert.equal(await texts.readAddress(url), 'Plan Parcial')
    assert.ok(checked.includes('127.0.0.1'))
  })

  it('is not fetched without --fetch-documents', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response) => response.end(plan))
    // The flag sets the option `withDownloads`, which is true in `host.options`.
    const texts = await prepare([host.referenceTo('/a.pdf')], { ...host.options, withDownloads: false })
    assert.equal(texts.reasonFor(host.referenceTo('/a.pdf').url), 'documents are fetched only with --fetch-documents')
    assert.equal(host.connections(), 0)
  })

  it('is requested again conditionally, and read from the cache if unchanged', async (t) => {
    const { prepare } = await openWorkspace(t)
    let version = '"1"'
    const host = await openHost(t, (request, response) => {
      response.setHeader('etag', version)
      response.setHeader('last-modified', 'Sun, 01 Mar 2020 00:00:00 GMT')
      if (request.headers['if-none-match'] === version) response.writeHead(304).end()
      else response.end(makePdf([{ lines: [`version ${version}`] }]))
    })
    const { url } = host.referenceTo('/a.pdf')
    await prepare([host.referenceTo('/a.pdf')], host.options)
    const second = await prepare([host.referenceTo('/a.pdf')], host.options)
    assert.equal(host.requests[1]?.headers['if-none-match'], '"1"')
    assert.equal(host.requests[1]?.headers['if-modified-since'], 'Sun, 01 Mar 2020 00:00:00 GMT')
    assert.equal(second.pagesRead, 0)
    assert.equal(await second.readAddress(url), 'version "1"')
    version = '"2"'
    const third = await prepare([host.referenceTo('/a.pdf')], host.options)
    assert.equal(await third.readAddress(url), 'version "2"')
  })

  it('keeps the text of an earlier import while the host fails', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    let isDown = false
    let status = 0
    const host = await openHost(t, (_request, response) => {
      if (isDown) response.writeHead(status).end()
      else response.end(plan)
    })
    const { url } = host.referenceTo('/a.pdf')
    await prepare([host.referenceTo('/a.pdf')], host.options)
    isDown = true
    // 522 is the status of a proxy that does not reach its server.
    for (status of [503, 522]) {
      const texts = await prepare([host.referenceTo('/a.pdf')], host.options)
      assert.equal(texts.outcomes.text, 1)
      assert.equal(texts.reasonFor(url), `the host responded with ${status}; the text of an earlier import is used`)
      assert.equal(await texts.readAddress(url), 'Plan Parcial')
    }
  })

  it('keeps the reason of an earlier import that could not read it, while the host fails', async (t) => {
    const { prepare } = await openWorkspace(t)
    const contents = ['<html><p>Documento no encontrado', '%PDF-1.4 cortado']
    let isDown = false
    const host = await openHost(t, ({ url = '' }, response) => {
      if (isDown) response.writeHead(503).end()
      else response.end(contents[Number(url.slice(1))])
    })
    const references = [...contents.keys()].map((number) => host.referenceTo(`/${number}`))
    const first = await prepare(references, host.options)
    isDown = true
    const second = await prepare(references, host.options)
    assert.equal(second.outcomes.unreadable, 2)
    for (const { url } of references) {
      assert.equal(second.reasonFor(url), `${first.reasonFor(url)}; the host responded with 503`)
    }
  })

  it('that was deleted is missing, even if an earlier import had it', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response, requestNumber) => {
      if (requestNumber > 1) response.writeHead(404).end('no')
      else response.end(plan)
    })
    await prepare([host.referenceTo('/a.pdf')], host.options)
    const texts = await prepare([host.referenceTo('/a.pdf')], host.options)
    assert.equal(texts.outcomes.missing, 1)
    assert.equal(texts.reasonFor(host.referenceTo('/a.pdf').url), 'the host responded with 404')
    assert.equal(await texts.readAddress(host.referenceTo('/a.pdf').url), '')
  })

  it('is unreadable if the address leads to a web page', async (t) => {
    const { prepare } = await openWorkspace(t)
    const pages = [
      '<html><p>Documento no encontrado',
      "<script>alert('El documento no existe');history.back()</script>",
      '<br />\n<b>Warning</b>: no such file',
      '<!-- error --> <!-- 404 --><head><title>Error',
    ]
    const host = await openHost(t, ({ url = '' }, response) => response.end(pages[Number(url.slice(1))]))
    const references = [...pages.keys()].map((number) => host.referenceTo(`/${number}`))
    const texts = await prepare(references, host.options)
    assert.equal(texts.outcomes.unreadable, pages.length)
    for (const { url } of references) assert.equal(await texts.readAddress(url), '')
  })

  it('is fetched when it replaces a web page of a later date at its address', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const [fileDate, pageDate] = ['Tue, 01 Mar 2011 00:00:00 GMT', 'Sun, 01 Mar 2020 00:00:00 GMT']
    let isInMaintenance = true
    const host = await openHost(t, ({ headers }, response) => {
      // With the date of the page as If-Modified-Since, the host responds with 304, so the import must not send it.
      const date = isInMaintenance ? pageDate : fileDate
      response.setHeader('last-modified', date)
      const since = headers['if-modified-since']
      if (since !== undefined && Date.parse(date) <= Date.parse(since)) response.writeHead(304).end()
      else response.end(isInMaintenance ? '<html><p>En mantenimiento' : plan)
    })
    const { url } = host.referenceTo('/a.pdf')
    assert.equal((await prepare([host.referenceTo('/a.pdf')], host.options)).outcomes.unreadable, 1)
    isInMaintenance = false
    const texts = await prepare([host.referenceTo('/a.pdf')], host.options)
    assert.equal(await texts.readAddress(url), 'Plan Parcial')
  })

  it('is not downloaded beyond the size limit, with or without Content-Length', async (t) => {
    const { prepare } = await openWorkspace(t)
    const host = await openHost(t, (request, response) => {
      if (request.url === '/announced.pdf') response.setHeader('content-length', 5_000_000)
      response.write(Buffer.alloc(2_000_000))
      response.end(Buffer.alloc(3_000_000))
    })
    const limits = { ...host.options.limits, documentBytesMax: 1024 * 1024 }
    const texts = await prepare([host.referenceTo('/announced.pdf'), host.referenceTo('/unannounced.pdf')], {
      ...host.options,
      limits,
    })
    assert.equal(texts.outcomes.unreadable, 2)
    assert.equal(texts.reasonFor(host.referenceTo('/unannounced.pdf').url), 'larger than 1 MB')
  })

  it('is missing if the download takes too long', async (t) => {
    const { prepare } = await openWorkspace(t)
    // The response never ends.
    const host = await openHost(t, (_request, response) => response.write('%PDF'))
    const limits = { attemptsMax: 1, downloadTimeoutMs: 200 }
    const texts = await prepare([host.referenceTo('/a.pdf')], { ...host.options, limits })
    assert.equal(texts.outcomes.missing, 1)
    assert.equal(texts.reasonFor(host.referenceTo('/a.pdf').url), 'the download took too long')
  })
})

describe('a host', () => {
  it('is tried again after a temporary failure', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response, requestNumber) => {
      if (requestNumber === 1) response.destroy()
      else if (requestNumber === 2) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.end(plan)
    })
    const texts = await prepare([host.referenceTo('/a.pdf')], host.options)
    assert.equal(texts.outcomes.text, 1)
    assert.equal(host.requests.length, 3)
  })

  it('that asks for a long pause is not asked again, for this or another document', async (t) => {
    const { prepare } = await openWorkspace(t)
    const host = await openHost(t, (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    const references = Array.from({ length: 8 }, (_, number) => host.referenceTo(`/${number}.pdf`))
    const texts = await prepare(references, host.options)
    // Two requests may be in progress before the first response.
    assert.ok(host.requests.length <= 2, `${host.requests.length} requests`)
    for (const { url } of references) {
      assert.equal(texts.reasonFor(url), 'the host responded with 429 and asks to wait 3600 s')
    }
  })

  it('that never responds is not asked again after twelve requests', async (t) => {
    const { prepare } = await openWorkspace(t)
    const host = await openHost(t, (_request, response) => response.destroy())
    const references = Array.from({ length: 20 }, (_, number) => host.referenceTo(`/${number}.pdf`))
    // By default a host is given up only if it has also not responded for a minute.
    const limits = { ...host.options.limits, hostFailingMsMax: 0 }
    const texts = await prepare(references, { ...host.options, limits })
    assert.equal(texts.outcomes.missing, 20)
    // One more may be in progress when the twelfth fails.
    assert.ok(host.requests.length <= 13, `${host.requests.length} requests`)
  })

  it('that breaks off the bodies of twelve responses in a row is not asked again', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response) => {
      response.writeHead(200, { 'content-length': plan.length })
      response.write(plan.subarray(0, 100), () => response.destroy())
    })
    const references = Array.from({ length: 20 }, (_, number) => host.referenceTo(`/${number}.pdf`))
    const limits = { ...host.options.limits, hostFailingMsMax: 0 }
    const texts = await prepare(references, { ...host.options, limits })
    assert.equal(texts.outcomes.missing, 20)
    // One more may be in progress when the twelfth fails.
    assert.ok(host.requests.length <= 13, `${host.requests.length} requests`)
  })

  it('that responds to twelve requests in a row with a temporary status is not asked again', async (t) => {
    for (const status of [503, 429]) {
      const { prepare } = await openWorkspaceWithPlan(t)
      let isDown = false
      let failures = 0
      // A redirect does not mean that the host works again.
      const host = await openHost(t, ({ url = '' }, response) => {
        if (!isDown) return response.end(plan)
        if (!url.startsWith('/new')) return response.writeHead(302, { location: `/new${url}` }).end()
        failures += 1
        return response.writeHead(status, { 'retry-after': '0' }).end()
      })
      const references = Array.from({ length: 20 }, (_, number) => host.referenceTo(`/${number}.pdf`))
      const options = { ...host.options, limits: { ...host.options.limits, hostFailingMsMax: 0 } }
      await prepare(references.slice(0, 1), options)
      isDown = true
      const texts = await prepare(references, options)
      // One more may be in progress when the twelfth fails.
      assert.ok(failures <= 13, `${failures} requests`)
      // The first import had read the first document, before the host failed.
      assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 0, missing: 19 })
      const reason = `the host responded with ${status}`
      assert.equal(texts.reasonFor(references[0]?.url ?? ''), `${reason}; the text of an earlier import is used`)
      assert.equal(texts.reasonFor(references[19]?.url ?? ''), reason)
    }
  })

  it('that responds with a document or 404 between failures is asked again', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    // Every second response is a failure, after which the document is requested again. The other responses are a
    // document and 404 by turns.
    const host = await openHost(t, (_request, response, requestNumber) => {
      if (requestNumber % 2 === 1) response.writeHead(503).end()
      else if (requestNumber % 4 === 0) response.writeHead(404).end()
      else response.end(plan)
    })
    const references = Array.from({ length: 40 }, (_, number) => host.referenceTo(`/${number}.pdf`))
    const limits = { retryDelayMs: 0, hostFailingMsMax: 0, hostConnectionsMax: 1, attemptsMax: 100 }
    const texts = await prepare(references, { ...host.options, limits })
    assert.deepEqual(texts.outcomes, { text: 20, scan: 0, unreadable: 0, missing: 20 })
  })

  it('receives at most two requests at a time', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const held: ServerResponse[] = []
    let mostAtOnce = 0
    const host = await openHost(t, (_request, response) => {
      held.push(response)
      mostAtOnce = Math.max(mostAtOnce, held.length)
      // The delay gives a third request, which must not come, time to arrive.
      if (held.length === 2) setTimeout(() => held.splice(0).map((each) => each.end(plan)), 50)
    })
    const texts = await prepare(
      Array.from({ length: 8 }, (_, number) => host.referenceTo(`/${number}.pdf`)),
      host.options,
    )
    assert.equal(texts.outcomes.text, 8)
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

/** An error of the system while a file or a request is written. */
function writeErrorOf(code: string): Error {
  return Object.assign(new Error(`write ${code}`), { code, syscall: 'write' })
}

it('a connection that breaks during a request is a temporary failure', () => {
  for (const code of ['EPIPE', 'ECONNRESET']) {
    const reason = { code: 'unreachable', values: { error: code } }
    assert.deepEqual(toFailure(writeErrorOf(code)), { kind: 'unavailable', reason, isRetryable: true })
  }
})

it('a full disk during a download ends the import', () => {
  assert.throws(() => toFailure(writeErrorOf('ENOSPC')), { code: 'ENOSPC' })
})

describe('an address', () => {
  it('that is not public, not of HTTP or not valid is refused without a connection', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response) => response.end(plan))
    // Spellings of the address of this machine (`0` is 0.0.0.0), and the metadata service of cloud providers.
    const hosts = [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'localhost',
      '0',
      '169.254.169.254',
    ]
    const urls = [
      ...hosts.map((each) => `http://${each}:${host.port}/a.pdf`),
      'file:///etc/passwd',
      'ftp://x/y',
      'no address',
    ]
    const texts = await prepare(
      urls.map((url) => ({ kind: 'address', url })),
      // The hosts are allowed by name; the default policy for IP addresses applies.
      { withDownloads: true, allowHosts: hosts.map((each) => `${each}:${host.port}`) },
    )
    assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: urls.length })
    assert.equal(host.connections(), 0)
    assert.match(
      texts.reasonFor(`http://localhost:${host.port}/a.pdf`) ?? '',
      /^resolves to .*, which is not a public address$/,
    )
    assert.equal(texts.reasonFor(`http://0x7f.1:${host.port}/a.pdf`), '127.0.0.1 is not a public address')
    assert.equal(texts.reasonFor('file:///etc/passwd'), 'file: is not supported, only http: and https:')
  })

  it('is refused if its host is not allowed, and the reason names the flag that would allow it', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (_request, response) => response.end(plan))
    // Without a port, only ports 80 and 443 of a host are allowed.
    const texts = await prepare([host.referenceTo('/a.pdf')], { ...host.options, allowHosts: ['127.0.0.1'] })
    assert.equal(
      texts.reasonFor(host.referenceTo('/a.pdf').url),
      `the host is not allowed; allow it with --allow-host ${host.host}`,
    )
    assert.equal(host.connections(), 0)
  })

  it('is refused if it redirects to an address that is not allowed, or redirects endlessly', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const inside = await openHost(t, (_request, response) => response.end(plan), '127.0.0.2')
    const host = await openHost(t, (request, response) => {
      const targets: Readonly<Record<string, string>> = {
        '/inside': `http://${inside.host}/`,
        '/file': 'file:///etc/passwd',
        '/other': 'http://example.org/',
      }
      const location = targets[request.url ?? ''] ?? '/round'
      response.writeHead(302, { location }).end()
    })
    // Both hosts are allowed by name, but `host.options` forbids every IP address except that of `host`.
    const options = { ...host.options, allowHosts: [host.host, inside.host] }
    const paths = ['/inside', '/file', '/other', '/round']
    const texts = await prepare(paths.map(host.referenceTo), options)
    assert.equal(texts.outcomes.missing, 4)
    assert.equal(inside.connections(), 0)
    assert.equal(
      texts.reasonFor(host.referenceTo('/inside').url),
      `redirected to http://${inside.host}/: 127.0.0.2 is not a public address`,
    )
    assert.equal(texts.reasonFor(host.referenceTo('/round').url), 'redirected more than 5 times')
  })

  it('may redirect to an address that is allowed', async (t) => {
    const { prepare } = await openWorkspaceWithPlan(t)
    const host = await openHost(t, (request, response) => {
      if (request.url === '/old.pdf') response.writeHead(301, { location: 'new.pdf' }).end()
      else response.end(plan)
    })
    const texts = await prepare([host.referenceTo('/old.pdf')], host.options)
    assert.equal(await texts.readAddress(host.referenceTo('/old.pdf').url), 'Plan Parcial')
  })
})
