// The table of problems agrees with its documentation, every problem has a page, and the example request of each
// problem gets this problem.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { toInlineHtml } from '../../src/api/html.ts'
import {
  limitMax,
  passageRecordsMax,
  termCharactersMax,
  termWordsMax,
  valueCharactersMax,
} from '../../src/domain/query-limits.ts'
import { headerBytesMax, headersMax, urlCharactersMax } from '../../src/limits.ts'
import { problemKinds, toSentence } from '../../src/problems.ts'
import { startService } from '../service.ts'
import { problemCode, sendRequest } from './send-request.ts'

const service = await startService([{ code: 'A-1' }])
after(() => service[Symbol.asyncDispose]())

test('docs/api.md lists exactly the problems with status and title', () => {
  const text = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  // Rows such as
  // | 400 | `malformed-year` | Malformed year |
  const rows = [...text.matchAll(/^\| (\d+) +\| `([\w-]+)` +\| (.+?) +\|$/gm)]
  assert.deepEqual(
    rows.map(([, status, code, title]) => [code, Number(status), title]),
    Object.entries(problemKinds).map(([code, { status, title }]) => [code, status, title.en]),
  )
})

test('the first sentence of every explanation needs no knowledge of the API, and no code', () => {
  for (const [code, { status, explanation }] of Object.entries(problemKinds)) {
    // The command `search` shows it for every problem that it may get from a service of its own version.
    for (const text of Object.values(explanation)) {
      const sentence = toSentence(text)
      assert.match(sentence, /^\p{Lu}.*[^.]\.$/u, code)
      assert.ok(text === sentence || text.startsWith(`${sentence} `), code)
      if (status === 404) assert.doesNotMatch(sentence, /`/, code)
    }
  }
})

test('texts name the limits with their values', () => {
  for (const [code, limits] of [
    ['malformed-limit', [limitMax]],
    ['passages-unavailable', [passageRecordsMax]],
    ['value-too-long', [termCharactersMax, valueCharactersMax]],
    ['too-many-words', [termWordsMax]],
    ['address-too-long', [urlCharactersMax]],
    ['headers-too-large', [headerBytesMax / 1024, headersMax]],
  ] as const) {
    for (const text of Object.values(problemKinds[code].explanation)) {
      for (const limit of limits) assert.match(text, new RegExp(`\\b${limit}\\b`), code)
    }
  }
})

for (const [code, { status, title, explanation, example }] of Object.entries(problemKinds)) {
  test(`{base}/problems/${code} is a page of the service`, async () => {
    for (const language of ['en', 'es'] as const) {
      const response = await sendRequest(service, `problems/${code}?lang=${language}`)
      assert.equal(response.status, 200)
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      const html = response.bytes.toString()
      assert.ok(html.includes(`<h1>${title[language]}</h1>`))
      assert.ok(html.includes(`<p>${toInlineHtml(explanation[language])}</p>`))
    }
  })

  if (example === undefined) continue
  test(`the example request of ${code} gets this problem`, async () => {
    const response = await sendRequest(service, example)
    assert.equal(response.status, status)
    assert.equal(problemCode(response), code)
  })
}
