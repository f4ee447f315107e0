// The documentation is true: its tables are those of the code, its links lead somewhere, its commands run, and what
// they are shown to answer is what they answer.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { answers, problem, requests } from '../../src/api/examples.ts'
import { settings } from '../../src/cli/commands.ts'
import { type ProblemCode, toProblemBody } from '../../src/problems.ts'
import { run, type Served, serve } from '../api/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root })

/** The cells of every row of every table of a page. */
function rowsOf(page: string): string[][] {
  const rows = read(page).matchAll(/^\|(.+)\|$/gm)
  return [...rows].map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/** Blocks of code in their order: language, text, and the text between them and the one before. */
function blocksOf(page: string): { language: string; text: string; before: string }[] {
  const blocks = read(page).matchAll(/([\s\S]*?)^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(([, before = '', indent = '', language = '', text = '']) => {
    const lines = text.split('\n').map((line) => line.replace(indent, ''))
    return { language, text: lines.join('\n'), before: before.trim() }
  })
}

test('docs/configuration.md has the table of settings, row by row', () => {
  const shown = rowsOf('docs/configuration.md').filter(([flag = '']) => flag.startsWith('`--'))
  const expected = settings.map((setting) => [
    `\`--${setting.flag}${setting.value === undefined ? '' : ` ${setting.value}`}\``,
    setting.variable === undefined ? '–' : `\`${setting.variable}\``,
    setting.default === undefined ? '–' : `\`${setting.default}\``,
    setting.commands.join(', '),
    setting.meaning,
  ])
  assert.deepEqual(shown, expected)
})

test('every dependency has its line in docs/decisions.md, and every line there is a dependency', () => {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const rows = rowsOf('docs/decisions.md').filter(
    ([name = '', , , last]) => /^`@?[\w./-]+`$/.test(name) && last !== undefined,
  )
  assert.deepEqual(rows.map(([name = '']) => name.replaceAll('`', '')).sort(), names.sort())
  for (const [name, ...cells] of rows)
    assert.ok(
      cells.every((cell) => cell !== ''),
      `${name} lacks a word`,
    )
})

test('every link between pages leads to a file', () => {
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`)
    }
  }
})

test('the handler shown in docs/architecture.md is the one in the code', () => {
  const code = read('src/api/records.ts')
  const [shown] = blocksOf('docs/architecture.md').filter(({ language }) => language === 'ts')
  for (const line of shown?.text.split('\n') ?? []) assert.ok(code.includes(line.trim()), line)
})

test('every npm script that a page names exists', () => {
  const scripts = Object.keys(manifest.scripts)
  for (const page of pages) {
    for (const [, name = ''] of read(page).matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts.includes(name), `${page}: ${name}`)
  }
})

/** What the pages say the service is at. */
const shownBase = 'http://127.0.0.1:8080/registry'
let sample: Served
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  sample = await serve([], { cwd: folder })
})
after(async () => {
  await sample[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

for (const page of ['README.md', 'docs/api.md']) {
  const blocks = blocksOf(page)
  for (const [index, { language, text }] of blocks.entries()) {
    const [, address] = language === 'sh' ? (/^curl '([^']+)'\n$/.exec(text) ?? []) : []
    if (address === undefined) continue
    test(`${page} shows the true answer to ${address.slice(shownBase.length)}`, async () => {
      const answer = blocks[index + 1]
      assert.deepEqual([answer?.language, answer?.before], ['json', ''], 'the answer follows the command')
      const response = await fetch(address.replace(shownBase, sample.base))
      const body = JSON.parse((await response.text()).replaceAll(sample.base, shownBase))
      assert.equal(JSON.stringify(body, null, 2), JSON.stringify(JSON.parse(answer?.text ?? ''), null, 2))
    })
  }
}

for (const [path, operation] of [
  ['record', 'searchRecords'],
  ['record/', 'getRecord'],
  ['summary', 'summariseRecords'],
] as const) {
  for (const [name, { cod_archivo: code = '', ...query }] of Object.entries(requests[operation] ?? {})) {
    test(`openapi.json shows the true answer to ${operation}, ${name}`, async () => {
      const pairs = Object.entries(query).map(([parameter, value]) => [parameter, String(value)])
      const response = await fetch(`${sample.base}/${path}${code}?${new URLSearchParams(pairs)}`)
      const shown = answers[operation]?.[name] ?? toProblemBody(problem(name as ProblemCode), sample.base)
      assert.deepEqual(await response.json(), shown)
    })
  }
}

test('the README shows three answers', () => {
  assert.equal(blocksOf('README.md').filter(({ language }) => language === 'json').length, 3)
})

test('the commands of the README run, in their order', async () => {
  await copyFile(join(root, 'test/api/certificates/first.cert.pem'), join(folder, 'chain.pem'))
  await copyFile(join(root, 'test/api/certificates/first.key.pem'), join(folder, 'key.pem'))
  const lines = blocksOf('README.md').flatMap(({ text }) => text.split('\n'))
  const commands = lines.filter((line) => line.startsWith('npx planning-registry '))
  assert.equal(commands.length, 4)
  for (const command of commands) {
    const [, , name = '', ...args] = command.split(' ')
    if (name === 'serve') {
      await using served = await serve(args, { cwd: folder })
      assert.match(served.base, /^https:/)
    } else {
      const { status, stderr } = await run([name, ...args], { cwd: folder })
      assert.equal(status, 0, `${command}: ${stderr}`)
    }
  }
})
