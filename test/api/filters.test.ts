// Every filter works the same wherever the registry is searched: each operation, the page, the client, the command
// `search` and MCP. A new filter (src/domain/parameters.ts) needs a row in `cases` and, if it has a token, in `tokens`.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toInlineHtml } from '../../src/api/html.ts'
import { createClient, type SearchFilters } from '../../src/client/client.ts'
import {
  type FilterName,
  filterNames,
  filters,
  parameters,
  toDescription,
  toFlag,
  tokenFilters,
} from '../../src/domain/parameters.ts'
import { toWireRecord } from '../../src/domain/record.ts'
import { tools } from '../../src/mcp/tools.ts'
import { gap, kinds, toValueTokens } from '../../src/registry/tokens.ts'
import { runCommand } from '../command.ts'
import { startService, type TestRecord, toRecord } from '../service.ts'
import { json, problemCode, sendRequest } from './send-request.ts'

const agreed: TestRecord = {
  code: '05019-1',
  id: 'X-1',
  registrationNumber: '7/B',
  title: 'Plan Parcial El Soto',
  checkinDate: '2004-05-17',
  municipality: 'Ávila',
  agreementLink: 'https://documents.example/acuerdo.pdf',
}
const others: readonly TestRecord[] = [
  { code: '15030-2', id: 'X-2', title: 'Estudio de Detalle', checkinDate: '2010-01-02', municipality: 'A Coruña' },
  { code: '15030-3', id: 'X-3', title: 'Normas', checkinDate: '1999-01-02', municipality: 'A Coruña' },
]
const service = await startService([agreed, ...others])
after(() => service[Symbol.asyncDispose]())

/** A value that finds only `agreed`, and one that is malformed; null if any text is a value. */
const cases: Readonly<Record<FilterName, readonly [value: string, malformed: string | null]>> = {
  cod_archivo: ['05019-1', 'x'],
  municipality: ['avila', null],
  province: ['05', null],
  community: ['Castilla y León', null],
  checkin_date: ['2004', '20x4'],
  checkin_from: ['2004-05', '2004-13'],
  checkin_to: ['2004', '2009-02-30'],
  registration_number: ['7/b', null],
  id: ['x-1', null],
  agreement: ['yes', 'Yes'],
  search: ['soto', null],
}

/** These are given too: one end of a period finds more than `agreed`. */
const furtherFilters: Partial<Record<FilterName, Partial<Record<FilterName, string>>>> = {
  checkin_from: { checkin_to: '2004' },
  checkin_to: { checkin_from: '2004' },
}

/** The tokens of `agreed`, by filter. If the value of a record changes, raise baseVersion in src/registry/schema.ts. */
const tokens: Partial<Record<FilterName, string>> = {
  registration_number: 'r7\u00822f\u0081b',
  id: 'i\u0081x\u00822d1',
  agreement: 'l\u0081y\u0081e\u0081s',
}

for (const name of filterNames) {
  const [value, malformed] = cases[name]
  const given = { [name]: value, ...furtherFilters[name] }
  const query = new URLSearchParams(given).toString()
  const isCode = name === 'cod_archivo'

  test(`${name} selects records in every operation and on the page`, async () => {
    if (isCode) return assert.equal((await sendRequest(service, `record/${value}`)).status, 200)
    const read = async (path: string) => (await sendRequest(service, path)).bytes.toString()
    const { total, by_year: byYear } = JSON.parse(await read(`summary?${query}`))
    assert.deepEqual([total, byYear], [1, [{ year: 2004, records: 1 }]])
    const { changes } = JSON.parse(await read(`changes?${query}`))
    assert.deepEqual(
      changes.map(({ cod_archivo: code }: { cod_archivo: string }) => code),
      [agreed.code],
    )
    assert.equal((await sendRequest(service, `record/${agreed.code}?${query}`)).status, 200)
    for (const path of [`record?${query}`, `record.csv?${query}`, `feed?${query}`, `?${query}`]) {
      const text = await read(path)
      const shown = [agreed, ...others].map(({ title = '' }) => title).filter((title) => text.includes(title))
      assert.deepEqual(shown, [agreed.title], path)
    }
  })

  test(`${name} is a filter of the client, a flag of search and an argument of MCP`, async () => {
    const client = createClient(service.base)
    const found: string[] = []
    const clientFilters = (isCode ? { code: value } : given) as SearchFilters
    for await (const { title } of client.search(clientFilters)) found.push(title)
    assert.deepEqual(found, [agreed.title])
    const args = Object.entries(given).flatMap(([each, text]) => {
      const flag = toFlag(each as FilterName)
      return flag === null ? [text] : [`--${flag}`, text]
    })
    const { stdout } = await runCommand(['search', ...args, '--ndjson', '--url', service.base])
    const printed = stdout.trim().split('\n')
    assert.deepEqual(
      printed.map((line) => JSON.parse(line).title),
      [agreed.title],
    )
    const tool = tools.find((each) => each.name === (isCode ? 'get_record' : 'search_records')) ?? assert.fail()
    const result = await tool.call(client, isCode ? { code: value } : given, {})
    assert.ok(Object.hasOwn(tool.arguments, isCode ? 'code' : name), 'an argument of the tool')
    const { records, record } = result as { records?: { title: string }[]; record?: { title: string } }
    assert.deepEqual(
      (records ?? [record]).map((each) => each?.title),
      [agreed.title],
    )
  })

  if (malformed !== null) {
    test(`${name} refuses ${malformed}, and the problem says what was expected`, async () => {
      const malformedQuery = new URLSearchParams({ [name]: malformed }).toString()
      const paths = isCode
        ? [`record/${malformed}`]
        : ['record', 'record.csv', 'summary', 'feed', 'changes'].map((path) => `${path}?${malformedQuery}`)
      for (const path of paths) {
        const response = await sendRequest(service, path)
        assert.equal(response.status, 400, path)
        const { parameter, detail } = json(response) as { parameter: string; detail: string }
        assert.equal(parameter, name)
        assert.match(detail, new RegExp(`^Cannot read ${name}: expected .*, got "${malformed}"$`))
      }
    })
  }

  test(`${name} is described in openapi.json and, in both languages, in the reference`, async () => {
    const operation = isCode ? '/record/{cod_archivo}' : '/record'
    const { paths } = JSON.parse((await sendRequest(service, 'openapi.json')).bytes.toString())
    const described = paths[operation].get.parameters.find((each: { name: string }) => each.name === name)
    assert.equal(described.description, toDescription(filters[name], 'en'))
    for (const language of ['en', 'es'] as const) {
      const html = (await sendRequest(service, `docs?lang=${language}`)).bytes.toString()
      const [, shown] = new RegExp(`id="getRecord-${name}-meaning">([^\\n]*)</span>`).exec(html) ?? []
      assert.equal(shown, toInlineHtml(toDescription(filters[name], language)))
    }
  })
}

test('another name for a parameter is refused with the right one', async () => {
  for (const [name, { synonyms = [] }] of Object.entries(parameters)) {
    for (const synonym of synonyms) {
      const operation = name === 'facets' ? 'summary' : 'record'
      const response = await sendRequest(service, `${operation}?${synonym}=1`)
      const { suggestions } = json(response) as { suggestions?: string[] }
      assert.deepEqual(suggestions, [name], synonym)
    }
  }
})

test('a value that no record has is 404, and the problem names the filter', async () => {
  await using empty = await startService(others)
  for (const [query, detail] of [
    ['agreement=yes', 'There is no record with an agreement'],
    ['id=X-1', 'There is no record with the id "X-1"'],
  ] as const) {
    const response = await sendRequest(empty, `record?${query}`)
    assert.equal(problemCode(response), 'no-match')
    const problem = json(response) as { detail: string; parameter: string }
    assert.deepEqual([problem.detail, problem.parameter], [detail, query.split('=')[0]])
  }
  assert.equal((await sendRequest(empty, 'record?agreement=no')).status, 200)
})

test('a feed and the page say in words what a filter with fixed values means', async () => {
  assert.match((await sendRequest(service, 'feed?agreement=no')).bytes.toString(), /<title>[^<]*: sin acuerdo<\/title>/)
  assert.match((await sendRequest(service, '?agreement=no')).bytes.toString(), /<title>[^<]*sin acuerdo/)
  assert.match(
    (await sendRequest(service, '?agreement=no&lang=en')).bytes.toString(),
    /<title>[^<]*without an agreement/,
  )
})

test('every kind of token has a letter of its own', () => {
  const letters = [gap, ...Object.values(kinds), ...tokenFilters.map(({ letter }) => letter)]
  assert.equal(new Set(letters).size, letters.length, letters.join(' '))
})

test('the tokens of filters stay the same, so that registries need not be imported again', () => {
  const found = toValueTokens(toWireRecord(toRecord(agreed)))
  for (const [name, token] of Object.entries(tokens)) assert.ok(found.includes(token), `${name}: ${found.join(' ')}`)
})
