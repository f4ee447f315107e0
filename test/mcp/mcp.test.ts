// The tools of MCP (Model Context Protocol), called by a client of its library over every transport, and which methods
// and bodies {base}/mcp accepts.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { WireIncluded } from '../../src/domain/wire.ts'
import { entry, inheritedVariables, runCommand } from '../command.ts'
import { findFreePort } from '../free-port.ts'
import { documentOf } from '../registry/paged-document.ts'
import { publishRecords, startService, type TestService } from '../service.ts'

let service: TestService
let client: Client
before(async () => {
  // More municipalities than the 100 that one result contains.
  const many = Array.from({ length: 120 }, (_, index) => ({
    code: `28079-${index + 1}`,
    title: 'Estudio de Detalle',
    municipality: `Villanueva ${index + 1}`,
    checkinDate: '1999-01-04',
  }))
  service = await startService(
    [
      { code: '05019-1', title: 'Plan Parcial El Soto', checkinDate: '2015-03-02', content: 'edificabilidad' },
      { code: '05019-2', title: 'Plan General', checkinDate: '2016-03-02' },
      {
        code: '05019-3',
        title: 'Normas',
        checkinDate: '1998-01-01',
        // Not in Ávila, where `toRecord` (test/service.ts) puts the two above: the summary of Ávila counts only them.
        municipality: 'Villanueva 1',
        documents: [documentOf(['Portada', 'El suelo rústico.'])],
      },
      ...many,
    ],
    { isMcpOn: true },
  )
  client = await connect(toHttp(service.base))
})
after(async () => {
  await client.close()
  await service[Symbol.asyncDispose]()
})

/** Opens each transport. All must give the same results. */
const transports: Record<string, () => Transport> = {
  'standard input, with a database': () => toStdio('--database', service.database),
  'standard input, with a service': () => toStdio('--url', service.base),
  'streamable HTTP': () => toHttp(service.base),
}

for (const [name, open] of Object.entries(transports)) {
  test(`an assistant finds, reads and counts records over ${name}`, async (t) => {
    const client = await connect(open())
    t.after(() => client.close())
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search_records', 'get_record', 'read_passages', 'list_municipalities', 'summarise'],
    )
    assert.ok(tools.every(({ outputSchema }) => outputSchema?.type === 'object'))
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))

    const found = await call(client, 'search_records', { search: 'edificabilidad', municipality: 'avila' })
    assert.deepEqual(titlesOf(found), ['Plan Parcial El Soto'])
    const [first] = found.records as { cod_archivo: string; place: { province: string } }[]
    assert.deepEqual([first?.cod_archivo, first?.place.province], ['05019-1', 'Ávila'])
    // The text is the content of the record, so it belongs to no document and no page.
    assert.deepEqual((found.records as { passages: unknown }[])[0]?.passages, [
      { document: null, page: null, text: 'edificabilidad', marks: [[0, 14]], href: null, recognised: false },
    ])
    const read = await call(client, 'read_passages', { code: '05019-3', search: '"suelo rústico"' })
    const { passages, documents } = read.record as WireIncluded
    // The address of the document is the default of `documentOf`.
    assert.deepEqual(
      passages?.map(({ page, text, href }) => [page, text, href]),
      [[2, 'El suelo rústico.', 'https://example.org/memoria.pdf#page=2']],
    )
    assert.equal(documents?.[0]?.pages, 2)
    // A record that does not match is returned without passages, but with its documents and the reason.
    const missing = await call(client, 'read_passages', { code: '05019-3', search: '"suelo urbano"' })
    const withoutMatch = missing.record as WireIncluded
    assert.deepEqual([withoutMatch.passages, withoutMatch.documents?.[0]?.pages], [undefined, 2])
    assert.ok(missing.reason, 'an explanation')
    const unknown = await call(client, 'read_passages', { code: '05019-99', search: 'suelo' })
    assert.equal(unknown.record, null)
    assert.ok(unknown.reason, 'an explanation')
    const { record } = (await call(client, 'get_record', { code: '05019-2' })) as { record: { title: string } }
    assert.equal(record.title, 'Plan General')
    const summary = await call(client, 'summarise', { municipality: 'Ávila' })
    assert.equal(summary.total, 2)
    assert.deepEqual(summary.by_year, [
      { year: 2015, records: 1 },
      { year: 2016, records: 1 },
    ])
  })
}

test('a search returns 10 records by default, and accepts a cursor and a limit of 50', async () => {
  const first = await call(client, 'search_records', { search: 'detalle' })
  assert.equal(codesOf(first).length, 10)
  // The largest limit is 50.
  const second = await call(client, 'search_records', { search: 'detalle', limit: 50, cursor: first.cursor })
  assert.equal(codesOf(second).length, 50)
  // The second page has none of the records of the first.
  assert.equal(new Set([...codesOf(first), ...codesOf(second)]).size, 60)
})

test('the tools limit lists of municipalities, find one by a part of its name, and count by province', async () => {
  // There are 121 municipalities: Ávila and 120 with the name Villanueva and a number. A list has at most 100, and a
  // summary 25.
  const listed = await call(client, 'list_municipalities', {})
  assert.equal((listed.municipalities as unknown[]).length, 100)
  assert.equal(listed.omitted, 21)
  const named = await call(client, 'list_municipalities', { name: 'AVIL' })
  assert.deepEqual(
    (named.municipalities as { name: string }[]).map(({ name }) => name),
    ['Ávila'],
  )
  const summary = await call(client, 'summarise', {})
  assert.equal((summary.by_municipality as unknown[]).length, 25)
  assert.equal(summary.municipalities_omitted, 96)
  // No Villanueva with a number exists, so only the records of Ávila have a province.
  assert.deepEqual((summary.by_province as { name: string }[])[0]?.name, 'Ávila')
  const { total } = await call(client, 'summarise', { province: 'Ávila' })
  assert.ok(Number(total) > 0 && Number(total) < Number(summary.total), `${total} of ${summary.total}`)
  // No record is so old.
  assert.equal((await call(client, 'summarise', { province: 'Ávila', checkin_to: '1900' })).total, 0)
})

test('list_municipalities finds a name with its article in front, at the end or left out', async (t) => {
  await using other = await startService([{ code: '04902-1', municipality: 'Ejido, El' }], { isMcpOn: true })
  const client = await connect(toHttp(other.base))
  t.after(() => client.close())
  for (const name of ['El Ejido', 'ejido', 'Ejido, El', 'Ejido (El)']) {
    const { municipalities } = await call(client, 'list_municipalities', { name })
    assert.equal((municipalities as unknown[]).length, 1, name)
  }
})

test('nothing found is a result with a reason', async () => {
  const found = await call(client, 'search_records', { search: 'inexistente' })
  assert.deepEqual(found.records, [])
  assert.equal(typeof found.reason, 'string')
  const { record, reason } = await call(client, 'get_record', { code: '99999-1' })
  assert.equal(record, null)
  assert.equal(typeof reason, 'string')
  assert.equal((await call(client, 'summarise', { checkin_date: '1900' })).total, 0)
})

test('an invalid call is an error result with the reason', async () => {
  const invalidCalls: [tool: string, args: Record<string, unknown>, message: RegExp][] = [
    ['search_records', { checkin_date: '20x4' }, /checkin_date: expected a year of four digits/],
    ['search_records', { search: 'a '.repeat(41) }, /at most 40 words/],
    ['search_records', { serch: 'plan' }, /Cannot read serch: search_records takes search, municipality/],
    ['search_records', { limit: 51 }, /limit: expected a whole number from 1 to 50/],
    ['search_records', { search: { a: 1 } }, /Cannot read search: expected a string/],
    ['search_records', { cursor: 'nonsense' }, /cursor/],
    ['get_record', {}, /code is missing/],
    ['get_record', { code: 'x' }, /expected <prefix>-<number>/],
  ]
  for (const [name, args, message] of invalidCalls) {
    const result = await client.callTool({ name, arguments: args })
    assert.equal(result.isError, true, name)
    assert.match(JSON.stringify(result.content), message)
  }
  await assert.rejects(client.callTool({ name: 'drop_table', arguments: {} }), /drop_table not found/)
})

test('an argument that is null counts as not given, and a number as its digits', async () => {
  const found = await call(client, 'search_records', { municipality: null, checkin_date: 2015, limit: 1 })
  assert.deepEqual(codesOf(found), ['05019-1'])
})

test('an assistant is told to try again if the registry cannot be reached, but not if the address is wrong', async (t) => {
  const summarise = async (url: string): Promise<unknown> => {
    const client = await connect(toStdio('--url', url))
    t.after(() => client.close())
    const { content, isError } = await client.callTool({ name: 'summarise', arguments: {} })
    assert.equal(isError, true)
    return content
  }
  const tryAgain = [{ type: 'text', text: 'Cannot reach the registry; try again later' }]
  // A proxy whose registry is down. It asks for a delay that is too long for the client to wait.
  const proxy = createServer((_, response) => response.writeHead(502, { 'retry-after': '600' }).end('<html>'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  assert.deepEqual(await summarise(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`), tryAgain)
  assert.deepEqual(await summarise(`http://127.0.0.1:${await findFreePort()}`), tryAgain)
  const wrong = await summarise(new URL('/nothing', service.base).href)
  assert.match(JSON.stringify(wrong), /There is nothing at this address/)
})

test('an assistant is told that the sample is fictional', async (t) => {
  await using fictional = await startService([{ code: '05019-1' }], { fictional: true, isMcpOn: true })
  const http = toHttp(fictional.base)
  for (const transport of [http, toStdio('--database', fictional.database), toStdio('--url', fictional.base)]) {
    const client = await connect(transport)
    t.after(() => client.close())
    assert.match(client.getInstructions() ?? '', /every record in it is fictional/)
  }
})

test('calls in progress get their responses after standard input has ended', async () => {
  const clientInfo = { name: 'test', version: '1' }
  const toCall = (id: number): object => ({
    id,
    method: 'tools/call',
    params: { name: 'search_records', arguments: { search: 'detalle' } },
  })
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    toCall(2),
    toCall(3),
    toCall(4),
    // A cancelled call gets no response, and the command must not wait for it.
    { method: 'notifications/cancelled', params: { requestId: 4 } },
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  for (const flags of [
    ['--database', service.database],
    ['--url', service.base],
  ]) {
    const { status, stdout, stderr } = await runCommand(['mcp', ...flags], { input })
    assert.deepEqual([status, stderr], [0, ''])
    const responses = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: object })
    assert.deepEqual(responses.map(({ id }) => id).sort(), [1, 2, 3])
    assert.ok(responses.every(({ result }) => result !== undefined))
  }
})

test('the MCP endpoint accepts only preflight requests, and POST with one valid message of limited size', async () => {
  const address = `${service.base}/mcp`
  const get = await fetch(address)
  assert.equal(get.status, 405)
  assert.equal(get.headers.get('allow'), 'POST')
  await get.text()
  const { origin } = new URL(address)
  const preflight = await fetch(address, { method: 'OPTIONS', headers: { origin } })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.equal(preflight.headers.get('access-control-allow-headers'), '*')
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  // A body may have 64 KB, also one whose length is not announced.
  for (const [body, status] of [
    [ping, 200],
    ['x'.repeat(5_000_000), 413],
    ['{', 400],
    ['{"a":1}', 400],
    [`[${ping}]`, 400],
    ['[]', 400],
  ] as const) {
    for (const sent of [body, new Blob([body]).stream()]) {
      const response = await fetch(address, { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit)
      assert.equal(response.status, status, body.slice(0, 9))
      if (status !== 200) assert.ok('error' in ((await response.json()) as object))
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
    }
  }
})

test('the MCP endpoint does not exist unless --mcp is given', async () => {
  await using withoutMcp = await startService([{ code: '05019-1' }])
  const response = await fetch(`${withoutMcp.base}/mcp`)
  assert.equal(response.status, 404)
})

/** A transport that runs the command `mcp` with these flags and uses its standard input and output. */
function toStdio(...args: string[]): Transport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', ...args],
    env: inheritedVariables,
    stderr: 'ignore',
  })
}

function toHttp(base: string): Transport {
  return new StreamableHTTPClientTransport(new URL(`${base}/mcp`))
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

/** Calls a tool and returns its structured result, which must equal the JSON in its text. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args })
  assert.ok(!result.isError, JSON.stringify(result.content))
  const [content] = result.content as { type: string; text: string }[]
  assert.deepEqual(JSON.parse(content?.text ?? ''), result.structuredContent)
  return result.structuredContent as Record<string, unknown>
}

function titlesOf(response: Record<string, unknown>): string[] {
  return (response.records as { title: string }[]).map(({ title }) => title)
}

function codesOf(response: Record<string, unknown>): string[] {
  return (response.records as { cod_archivo: string }[]).map(({ cod_archivo }) => cod_archivo)
}

test('in a registry without passages, read_passages tells whether the record matches', async (t) => {
  await using withoutPassages = await startService([], { isMcpOn: true })
  await publishRecords(withoutPassages.database, [{ code: 'A-1', content: 'molino' }], { withPassages: false })
  await withoutPassages.store.refresh()
  const client = await connect(toHttp(withoutPassages.base))
  t.after(() => client.close())
  const read = async (search: string): Promise<unknown> =>
    (await call(client, 'read_passages', { code: 'A-1', search })).reason
  assert.equal(await read('molino'), 'The record matches, but this registry stores no passages')
  assert.match(String(await read('noria')), /does not match/)
})
