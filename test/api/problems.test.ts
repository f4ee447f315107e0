// The error catalogue (`problemKinds`) agrees with its documentation, and the example request of each problem gets this
// problem.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { problemKinds } from '../../src/problems.ts'
import { startService } from '../service.ts'
import { problemCode, sendRequest } from './send-request.ts'

const docs = new URL('../../docs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8')
/** Markdown without backquotes and line breaks. */
const toPlainText = (text: string): string => text.replaceAll('`', '').replace(/\s+/g, ' ')

const service = await startService([{ code: 'A-1' }])
after(() => service[Symbol.asyncDispose]())

test('docs/problems has exactly one file for each problem', () => {
  const fileNames = readdirSync(new URL('problems/', docs)).map((name) => name.replace(/\.md$/, ''))
  assert.deepEqual(fileNames.sort(), Object.keys(problemKinds).sort())
})

test('docs/problems.md lists exactly the problems with status and title', () => {
  // Rows such as
  // | 400 | [malformed-year](problems/malformed-year.md) | Malformed year |
  const rows = [
    ...read('problems.md').matchAll(/^\| (\d+) +\| \[([\w-]+)\]\(problems\/([\w-]+)\.md\) +\| (.+?) +\|$/gm),
  ]
  assert.deepEqual(
    rows.map(([, status, code, fileName, title]) => [code, fileName, Number(status), title]),
    Object.entries(problemKinds).map(([code, { status, title }]) => [code, code, status, title]),
  )
})

for (const [code, { status, title, explanation, example }] of Object.entries(problemKinds)) {
  test(`docs/problems/${code}.md has the text of the catalogue`, () => {
    const markdown = read(`problems/${code}.md`)
    const exampleText = example === undefined ? '' : ` Example: GET {base}/${example}`
    assert.equal(toPlainText(markdown).trim(), `# ${title} ${code}, status ${status} ${explanation}${exampleText}`)
  })

  test(`{base}/problems/${code} is a page of the service`, async () => {
    const response = await sendRequest(service, `problems/${code}`)
    assert.equal(response.status, 200)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.ok(response.bytes.includes(`<h1>${title}</h1>`))
  })

  if (example === undefined) continue
  test(`the example request of ${code} gets this problem`, async () => {
    const response = await sendRequest(service, example)
    assert.equal(response.status, status)
    assert.equal(problemCode(response), code)
  })
}
