// The command `check`: sound and damaged registries, and dead links.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkLinks, toLinksText, toText } from '../../src/import/check.ts'
import { openStore, saveLinkCheck } from '../../src/registry/open.ts'
import { runCommand } from '../command.ts'
import { damageRecords } from '../registry/damage.ts'
import { publishRecords, type TestRecord } from '../service.ts'
import { makeFolder } from './folder.ts'

/** Publishes the records. Returns the path of the registry, also as a value of `--database`. */
async function publish(t: TestContext, records: readonly TestRecord[]): Promise<{ file: string; database: string }> {
  const folder = await makeFolder(t)
  const file = join(folder.path, 'registry.db')
  await publishRecords(`sqlite:${file}`, records)
  return { file, database: `sqlite:${file}` }
}

test('check reports a sound registry and counts records without text', async (t) => {
  const { database } = await publish(t, [{ code: '03082-1', content: 'texto' }, { code: '03082-2' }])
  const { status, stdout } = await runCommand(['check', '--database', database])
  assert.equal(status, 0)
  assert.match(stdout, /^sqlite:.* is sound\n {2}snapshot {6}[0-9a-f]{32}, published \d{4}-/)
  assert.match(
    stdout,
    /records {7}2\n {2}without text {2}1 record searchable by title and area only\n {2}documents {5}0 pages: 0 read, /,
  )
})

test('check reports a damaged registry and the reason', async (t) => {
  const { file, database } = await publish(t, [{ code: '03082-1' }])
  // Changes one letter in each record, so that its digest no longer matches.
  damageRecords(file)
  const { status, stdout } = await runCommand(['check', '--database', database])
  assert.equal(status, 1)
  assert.match(stdout, /is not sound\n {2}fault {9}\S/)
  assert.match(stdout, / {2}to fix {8}import the registry again with --rebuild, or restore a backup; /)
})

test('check prints a fault once, even if several tables have it', () => {
  const documents = { pages: 0, read: 0, recognised: 0, unread: 0, withoutText: 0 }
  const fault = 'database disk image is malformed'
  const text = toText('sqlite:r.db', { metadata: null, faults: [fault, fault], recordsWithoutText: 0, documents })
  assert.equal(text.split(fault).length, 2)
})

test('check of a missing file, or of one that is not a registry, exits with 2', async (t) => {
  const folder = await makeFolder(t)
  const foreign = join(folder.path, 'foreign.db')
  await writeFile(foreign, 'not a registry')
  for (const file of [join(folder.path, 'missing.db'), foreign]) {
    const { status, stderr } = await runCommand(['check', '--database', `sqlite:${file}`])
    assert.equal(status, 2)
    assert.match(stderr, new RegExp(`^planning-registry: Cannot .*${file}`))
  }
})

/** Starts an HTTP server for the test and returns its address. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Responds as the name of the path says. */
function respondByPath(request: IncomingMessage, response: ServerResponse): ServerResponse {
  switch (request.url) {
    case '/moved':
      return response.writeHead(301, { location: '/here' }).end()
    case '/loop':
      return response.writeHead(302, { location: '/loop' }).end()
    case '/escape':
      return response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    // Refuses HEAD, and responds to a GET of the first byte.
    case '/no-head':
      return response.writeHead(request.method === 'HEAD' ? 405 : 206).end()
    case '/busy':
      return response.writeHead(503).end()
    case '/gone':
      return response.writeHead(410).end()
    case '/disconnect':
      return response.destroy()
    // Requested with HEAD only, so there is no body.
    default:
      return response.writeHead(200, { 'content-length': '1000000' }).end()
  }
}

test('check lists each dead link once, and keeps the last result of a link that it cannot check', async (t) => {
  const requested: string[] = []
  let requestsInProgress = 0
  let mostAtOnce = 0
  let areAllBusy = false
  const base = await serve(t, (request, response) => {
    if (areAllBusy) {
      response.writeHead(429).end()
      return
    }
    requested.push(`${request.method} ${request.url}`)
    mostAtOnce = Math.max(mostAtOnce, ++requestsInProgress)
    // Responds a moment later, so that requests sent at the same time overlap.
    setImmediate(() => {
      requestsInProgress -= 1
      respondByPath(request, response)
    })
  })
  const paths = ['here', 'moved', 'loop', 'escape', 'no-head', 'busy', 'gone', 'disconnect', 'here']
  const { database } = await publish(
    t,
    paths.map((path, index) => ({
      code: `03082-${index}`,
      id: String(index),
      links: `${base}/${path}`,
      agreementLink: index === 0 ? `${base}/gone` : null,
    })),
  )
  // The address of the test host is not public, so without `isForbidden` all links would be dead.
  const options = { isForbidden: () => false, timeoutMs: 2000 }
  // The links that were dead at the last check. A link that cannot be checked now keeps its result.
  const deadBefore = [`${base}/busy`, `${base}/here`]
  await saveLinkCheck(database, { checkedAt: new Date(0), dead: deadBefore })
  const findings = await checkLinks(database, options)
  // There are eight addresses: of the nine paths, `here` occurs twice. All but `busy` could be checked.
  assert.equal(findings.checked, 7)
  // A host that responds with 503 may serve the document later.
  assert.deepEqual(findings.notChecked, [{ id: '5', address: `${base}/busy` }])
  // In the order of the records: `gone` is also the agreement of the first record, whose id is 0.
  assert.deepEqual(
    findings.dead.map(({ id, address, reason }) => [
      id,
      address.slice(base.length),
      reason.replace(/no response: .*/, 'no response'),
    ]),
    [
      ['0', '/gone', 'the host responded with 410'],
      ['2', '/loop', 'it redirects more than 5 times'],
      ['3', '/escape', 'file: is not supported, only http: and https:'],
      ['5', '/busy', 'dead at the last check, and not checked now'],
      ['7', '/disconnect', 'no response'],
    ],
  )
  // At most two requests at a time are sent to one host.
  assert.ok(mostAtOnce <= 2, `${mostAtOnce} concurrent requests`)
  // Some hosts refuse HEAD, so an error in response to it is checked with GET, unless the host is busy (503).
  assert.deepEqual(requested.filter((line) => line.startsWith('GET')).sort(), ['GET /gone', 'GET /no-head'])
  assert.match(toLinksText(findings), /^ {2}links {9}7 checked, 5 dead, 1 not checked \(.*\)\n {4}0 {2}http/)

  // `busy` could not be checked, so it stays dead. `here` was dead at the last check and works now.
  const store = await openStore(database)
  t.after(() => store.close())
  assert.deepEqual((await store.readLinkCheck(deadBefore))?.dead, [`${base}/busy`])
  // If no link can be checked, the command fails before it saves anything.
  areAllBusy = true
  await assert.rejects(checkLinks(database, options), { name: 'UsageFault', message: /^Cannot check links: / })
})

test('a host that never responds does not hold up the links of other hosts', async (t) => {
  // More links than are checked at the same time. The host responds once the link of the other host was requested.
  const waiting: (() => void)[] = []
  let isOtherRequested = false
  const slow = await serve(t, (_request, response) => {
    if (isOtherRequested) response.end()
    else waiting.push(() => response.end())
  })
  const other = await serve(t, (_request, response) => {
    isOtherRequested = true
    response.end()
    for (const respond of waiting) respond()
  })
  const links = [...Array.from({ length: 40 }, (_, index) => `${slow}/${index}`), `${other}/`]
  // The records of a day are in the order of their codes, so the link of the other host is the last.
  const { database } = await publish(
    t,
    links.map((address, index) => ({ code: `03082-${100 + index}`, links: address })),
  )
  const findings = await checkLinks(database, { isForbidden: () => false, timeoutMs: 60_000 })
  assert.deepEqual([findings.checked, findings.dead], [41, []])
})

test('check does not connect to addresses that are not public', async (t) => {
  let requests = 0
  const base = await serve(t, (_request, response) => {
    requests += 1
    response.end()
  })
  const port = new URL(base).port
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '169.254.169.254']
  const { database } = await publish(
    t,
    hosts.map((host, index) => ({ code: `03082-${index}`, links: `http://${host}:${port}/` })),
  )
  const { status, stdout } = await runCommand(['check', '--database', database, '--links'])
  assert.equal(status, 1)
  assert.match(stdout, /links {9}6 checked, 6 dead/)
  assert.equal(stdout.match(/not a public address/g)?.length, 6, stdout)
  assert.equal(requests, 0)
})

test('check saves the dead links also if the reader of its output has gone', async (t) => {
  // The address is not public, so the link is dead.
  const address = 'http://127.0.0.1:1/'
  const { database } = await publish(t, [{ code: '03082-1', links: address }])
  const { status, stderr } = await runCommand(['check', '--database', database, '--links'], {
    onStart: (child) => child.stdout?.destroy(),
  })
  assert.equal(status, 1)
  assert.doesNotMatch(stderr, /EPIPE/)
  const store = await openStore(database)
  t.after(() => store.close())
  assert.deepEqual([...((await store.readLinkCheck([address]))?.dead ?? [])], [address])
})
