// Checks the documents against the code: the tables of settings and dependencies are those of the code, links lead to
// files, commands run (commands.test.ts has more of them), and the responses that the documents show are the real ones.
import assert from 'node:assert/strict'
import { exec } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { exampleRequests, exampleResponses, toExampleProblem } from '../../src/api/examples.ts'
import { settings } from '../../src/cli/commands.ts'
import { type ProblemCode, toProblemBody } from '../../src/problems.ts'
import { type ServeProcess, serve } from '../api/process.ts'
import { runCommand } from '../command.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The text of a file of the project. */
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root })

/** The cells of every row of every table in a document. */
function rowsOf(page: string): string[][] {
  // The cells of a row stand between bars. A backslash before a bar keeps it in its cell.
  const rows = read(page).matchAll(/^\|(.+)\|$/gm)
  return [...rows].map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/** The code blocks of a document, in order. `intro` is the text between a block and the one before it. */
function blocksOf(page: string): { language: string; text: string; intro: string }[] {
  const blocks = read(page).matchAll(/([\s\S]*?)^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(([, intro = '', indent = '', language = '', text = '']) => {
    const lines = text.split('\n').map((line) => line.replace(indent, ''))
    return { language, text: lines.join('\n'), intro: intro.trim() }
  })
}

test('docs/configuration.md has the table of settings, row by row', () => {
  const shown = rowsOf('docs/configuration.md').filter(([flag = '']) => flag.startsWith('`--'))
  const expected = settings.map((setting) => [
    `\`--${setting.flag}${setting.placeholder === undefined ? '' : ` ${setting.placeholder}`}\``,
    setting.variable === undefined ? '–' : `\`${setting.variable}\``,
    setting.default === undefined ? '–' : `\`${setting.default}\``,
    setting.commands.join(', '),
    setting.meaning,
  ])
  assert.deepEqual(shown, expected)
})

test('docs/decisions/dependencies.md has a complete line for every dependency, and no other', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  const rows = rowsOf('docs/decisions/dependencies.md').filter(([name = '']) => name.startsWith('`'))
  assert.deepEqual(rows.map(([name = '']) => name.replaceAll('`', '')).sort(), names.sort())
  for (const [name, ...cells] of rows) {
    assert.equal(cells.length, 3)
    assert.ok(!cells.includes(''), `${name} has an empty cell`)
  }
})

test('every relative link in a document leads to a file', () => {
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`)
    }
  }
})

test('README.md lists every document of docs, but of docs/decisions only its README', () => {
  const listed = [...read('README.md').matchAll(/\]\((docs\/[\w/-]+\.md)\)/g)].map(([, path]) => path)
  const documents = globSync(['docs/*.md', 'docs/es/*.md', 'docs/decisions/README.md'], { cwd: root })
  assert.deepEqual(new Set(listed), new Set(documents))
})

test('README.es.md has the links and the code blocks of README.md', () => {
  const linksOf = (page: string): string[] =>
    [...read(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link).filter((link) => !link.startsWith('README'))
  const codeOf = (page: string): string[] =>
    blocksOf(page).flatMap(({ language, text }) => (language === '' ? [] : [text]))
  assert.deepEqual(new Set(linksOf('README.es.md')), new Set(linksOf('README.md')))
  assert.deepEqual(codeOf('README.es.md'), codeOf('README.md'))
})

test('every npm script that a document names exists', () => {
  const scripts = Object.keys(manifest.scripts)
  for (const page of pages) {
    for (const [, name = ''] of read(page).matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts.includes(name), `${page}: ${name}`)
  }
})

/** The base address in the documents. The sample has another one, because it listens on a free port. */
const shownBase = 'http://127.0.0.1:8080/registry'
let sample: ServeProcess
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  // Without flags, in an empty folder, it serves the bundled sample.
  sample = await serve([], { cwd: folder })
})
after(async () => {
  await sample[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('README.md shows the response to its request byte for byte', async () => {
  const [request, response] = blocksOf('README.md').filter(({ text }) => /^curl|^\{/.test(text))
  const [, address = ''] = /^curl '([^']+)'\n$/.exec(request?.text ?? '') ?? []
  const { status, body } = await fetchSample(address)
  assert.deepEqual([status, `${body}\n`], [200, response?.text])
})

const apiBlocks = blocksOf('docs/api.md')
for (const [index, { language, text }] of apiBlocks.entries()) {
  const [, address] = language === 'sh' ? (/^curl '([^']+)'\n$/.exec(text) ?? []) : []
  if (address === undefined) continue
  test(`docs/api.md shows the response to ${address.slice(shownBase.length)}, indented`, async () => {
    const shown = apiBlocks[index + 1]
    assert.deepEqual([shown?.language, shown?.intro], ['json', ''], 'the response follows the request')
    const { body } = await fetchSample(address)
    assert.equal(JSON.stringify(JSON.parse(body)), JSON.stringify(JSON.parse(shown?.text ?? '')))
  })
}

test('the address of the CSV file in docs/api.md serves the records of Ávila', async () => {
  const [, address = ''] = apiBlocks.map(({ text }) => /^curl -o \S+ '([^']+)'\n$/.exec(text)).find(Boolean) ?? []
  const { status, body } = await fetchSample(address)
  assert.equal(status, 200)
  assert.match(body, /Ávila/)
})

/** Requests an address of the documents from the sample. In the body, `shownBase` replaces the base of the sample. */
async function fetchSample(address: string): Promise<{ status: number; body: string }> {
  const response = await fetch(address.replace(shownBase, sample.base))
  return { status: response.status, body: (await response.text()).replaceAll(sample.base, shownBase) }
}

// The path of `getRecord` is completed by the code of the record.
for (const [path, operation] of [
  ['record', 'searchRecords'],
  ['record/', 'getRecord'],
  ['summary', 'summariseRecords'],
] as const) {
  for (const [name, { cod_archivo: code = '', ...query }] of Object.entries(exampleRequests[operation] ?? {})) {
    test(`openapi.json shows the response to ${operation}, ${name}`, async () => {
      const pairs = Object.entries(query).map(([parameter, value]) => [parameter, String(value)])
      const response = await fetch(`${sample.base}/${path}${code}?${new URLSearchParams(pairs)}`)
      // If `exampleResponses` lacks the example, its response is a problem, whose code is the name of the example.
      const shown =
        exampleResponses[operation]?.[name] ?? toProblemBody(toExampleProblem(name as ProblemCode), sample.base)
      assert.deepEqual(await response.json(), shown)
    })
  }
}

test('openapi.json shows the response to exportRecords, found', async () => {
  const query = Object.entries(exampleRequests.exportRecords?.found ?? {}).map(([name, value]) => [name, String(value)])
  const response = await fetch(`${sample.base}/record.csv?${new URLSearchParams(query)}`)
  // `response.text()` would remove the byte order mark.
  assert.equal(Buffer.from(await response.arrayBuffer()).toString(), exampleResponses.exportRecords?.found)
})

for (const page of ['README.md', 'docs/es/guia.md']) {
  test(`the commands planning-registry and cp in ${page} run in their order`, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'planning-registry-'))
    const blocks = blocksOf(page)
    for (const { language, text, intro } of blocks) {
      // The last name in backquotes before a block may be that of the file in which the reader is told to save it.
      const name = intro
        .matchAll(/`([\w.-]+)`/g)
        .toArray()
        .at(-1)?.[1]
      if (name?.endsWith(`.${language}`)) await writeFile(join(directory, name), text)
    }
    const lines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
    // Certificates have tests of their own. commands.test.ts lists the tests of the other commands.
    const commands = lines.filter((line) => /^(?:npx planning-registry|cp) /.test(line) && !line.includes('--tls-cert'))
    assert.ok(commands.length >= 4, 'the pattern finds the commands')
    for (const command of commands) {
      if (command.startsWith('cp ')) {
        await promisify(exec)(command, { cwd: directory })
        continue
      }
      const [_npx, _program, name = '', ...args] = toWords(command)
      if (name === 'serve') {
        await using served = await serve(args, { cwd: directory })
        assert.equal((await fetch(`${served.base}/record?limit=1`)).status, 200)
      } else {
        const { status, stderr } = await runCommand([name, ...args], { cwd: directory })
        assert.equal(status, 0, `${command}: ${stderr}`)
      }
    }
    await rm(directory, { recursive: true })
  })
}

/** The words of a command line; single quotes keep a word together. */
function toWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
