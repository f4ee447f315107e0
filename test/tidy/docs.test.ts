// Checks the documents against the code: the tables of settings and dependencies agree with the code, links lead to
// files, the responses that the documents show are the real ones, and the commands of the guides run.
import assert from 'node:assert/strict'
import { exec, execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import manifest from '../../package.json' with { type: 'json' }
import { documentsWithTables, withTables } from '../../scripts/write-tables.ts'
import { examples, toExampleProblem } from '../../src/api/examples.ts'
import { type ProblemCode, toProblemBody } from '../../src/problems.ts'
import { type ServeProcess, serve } from '../api/process.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { runCommand } from '../command.ts'
import { makePdf } from '../import/documents/pdf.ts'
import { toSheetRow, toWorkbook } from '../import/workbook.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The text of a file of the project. */
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root })

/** The cells of every row of every table in a document. */
function rowsOf(document: string): string[][] {
  // The cells of a row stand between bars. A backslash before a bar keeps it in its cell.
  const rows = read(document).matchAll(/^\|(.+)\|$/gm)
  return [...rows].map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/** The code blocks of a document, in order. `intro` is the text between a block and the one before it. */
function blocksOf(document: string): { language: string; text: string; intro: string }[] {
  const blocks = read(document).matchAll(/([\s\S]*?)^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(([, intro = '', indent = '', language = '', text = '']) => {
    const lines = text.split('\n').map((line) => line.replace(indent, ''))
    return { language, text: lines.join('\n'), intro: intro.trim() }
  })
}

test('the tables of parameters and settings are those of the code; npm run format writes them', () => {
  for (const document of documentsWithTables) {
    const text = read(document)
    assert.equal(text, withTables(document, text), document)
  }
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
  for (const document of documents) {
    for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert.ok(existsSync(join(root, dirname(document), target)), `${document} links to ${target}`)
    }
  }
})

test('docs/README.md lists every document in docs and docs/es, and the README of docs/decisions', () => {
  const listed = [...read('docs/README.md').matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, path]) => `docs/${path}`)
  const existing = globSync(['docs/*.md', 'docs/es/*.md', 'docs/decisions/README.md'], { cwd: root })
  assert.deepEqual(new Set([...listed, 'docs/README.md']), new Set(existing))
})

test('README.es.md has the links and the code blocks of README.md', () => {
  const linksOf = (document: string): string[] =>
    [...read(document).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('README'))
  const codeOf = (document: string): string[] =>
    blocksOf(document).flatMap(({ language, text }) => (language === '' ? [] : [text]))
  assert.deepEqual(new Set(linksOf('README.es.md')), new Set(linksOf('README.md')))
  assert.deepEqual(codeOf('README.es.md'), codeOf('README.md'))
})

test('every npm script that a document names exists', () => {
  const scripts = Object.keys(manifest.scripts)
  for (const document of documents) {
    for (const [, name = ''] of read(document).matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts.includes(name), `${document}: ${name}`)
  }
})

/** The base address in the documents. `sample` has another one, because it listens on a free port. */
const shownBase = 'http://127.0.0.1:8080/registry'
/** A service with the bundled sample, a registry of generated records that are the same each time. */
let sample: ServeProcess
const folder = await makeTemporaryFolder({ after })

before(async () => {
  // In an empty folder without a registry, `serve` without flags serves the bundled sample.
  sample = await serve([], { cwd: folder })
})
after(() => sample?.[Symbol.asyncDispose]())

test('without a database at the default path serve builds the fictional sample, and says so', async () => {
  assert.match(sample.output.stderr, /fictional/)
  const summary = await (await fetch(`${sample.base}/summary`)).json()
  // The size of the bundled sample.
  assert.equal(summary.total, 3000)
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
    // Compared as text, because `deepEqual` ignores the order of properties.
    assert.equal(JSON.stringify(JSON.parse(body)), JSON.stringify(JSON.parse(shown?.text ?? '')))
  })
}

test('the address of the CSV file in docs/api.md serves the records of Ávila', async () => {
  const [, address = ''] = apiBlocks.map(({ text }) => /^curl -o \S+ '([^']+)'\n$/.exec(text)).find(Boolean) ?? []
  const { status, body } = await fetchSample(address)
  assert.equal(status, 200)
  assert.match(body, /Ávila/)
})

test('docs/api.md shows the bodies of municipality and changes with one element each', async () => {
  /** The body in docs/api.md that has this property. */
  const shownBodyWith = (property: string) =>
    JSON.parse(
      apiBlocks.find(({ language, text }) => language === 'json' && text.includes(`"${property}"`))?.text ?? '',
    )
  const shown = shownBodyWith('municipalities')
  const served = JSON.parse((await fetchSample(`${shownBase}/municipality`)).body)
  assert.deepEqual(Object.keys(served), Object.keys(shown))
  const [{ name }] = shown.municipalities
  const found = served.municipalities.filter((each: { name: string }) => each.name === name)
  assert.deepEqual(found, shown.municipalities)
  // The sample has one record of Ávila with the word `Bardevel`.
  const { changes } = JSON.parse((await fetchSample(`${shownBase}/changes?municipality=avila&search=bardevel`)).body)
  const [shownChange] = shownBodyWith('changes').changes
  // The sample is published when the test starts, so the time of its changes differs from the time in the document.
  const [{ at }] = changes
  assert.equal(at.length, shownChange.at.length)
  assert.deepEqual(changes, [{ ...shownChange, at }])
})

test('every statement of SQL in docs/schema.md selects rows of the sample', () => {
  using database = new DatabaseSync(join(folder, 'data/registry.db'), { readOnly: true })
  const [block] = blocksOf('docs/schema.md').filter(({ language }) => language === 'sql')
  const statements = (block?.text ?? '').split(/(?<=;\n)/)
  assert.ok(statements.length > 1)
  for (const statement of statements) assert.ok(database.prepare(statement).get() !== undefined, statement)
})

/** Requests an address of the documents from the sample. In the body, `shownBase` replaces the base of the sample. */
async function fetchSample(address: string): Promise<{ status: number; body: string }> {
  const response = await fetch(address.replace(shownBase, sample.base))
  return { status: response.status, body: (await response.text()).replaceAll(sample.base, shownBase) }
}

// The operations of openapi.json whose examples are checked, with their paths. The code of the record completes the
// path of `getRecord`.
for (const [path, operation] of [
  ['record', 'searchRecords'],
  ['record/', 'getRecord'],
  ['summary', 'summariseRecords'],
] as const) {
  for (const [name, { request, response: shown }] of Object.entries(examples[operation] ?? {})) {
    test(`openapi.json shows the response to the example ${name} of ${operation}`, async () => {
      const { cod_archivo: code = '', ...query } = request
      const pairs = Object.entries(query).map(([parameter, value]) => [parameter, String(value)])
      const response = await fetch(`${sample.base}/${path}${code}?${new URLSearchParams(pairs)}`)
      assert.deepEqual(
        await response.json(),
        shown ?? toProblemBody(toExampleProblem(name as ProblemCode), sample.base),
      )
    })
  }
}

test('openapi.json shows the response to the example found of exportRecords', async () => {
  const { request = {}, response: shown } = examples.exportRecords?.found ?? {}
  const query = Object.entries(request).map(([name, value]) => [name, String(value)])
  const response = await fetch(`${sample.base}/record.csv?${new URLSearchParams(query)}`)
  // `response.text()` would remove the byte order mark.
  assert.equal(Buffer.from(await response.arrayBuffer()).toString(), shown)
})

/** The commands in the blocks of a document, each on one line. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block)
  // A line that ends with a backslash or a pipe continues.
  const lines = blocks.flatMap((block) => block.replace(/(?:\\|(?<=\|))\n\s*/g, '').split('\n'))
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

for (const document of ['README.md', 'docs/es/guia.md']) {
  test(`the commands planning-registry and cp in ${document} run in their order`, async (t) => {
    const guideFolder = await makeTemporaryFolder(t)
    const blocks = blocksOf(document)
    for (const { language, text, intro } of blocks) {
      // The last name in backquotes before a block may name the file in which the reader is told to save the block.
      const name = intro
        .matchAll(/`([\w.-]+)`/g)
        .toArray()
        .at(-1)?.[1]
      if (name?.endsWith(`.${language}`)) await writeFile(join(guideFolder, name), text)
    }
    // After its example, the guide goes on with a file of the reader.
    if (document === 'docs/es/guia.md') {
      await copyFile(join(guideFolder, 'prueba.csv'), join(guideFolder, 'expedientes.csv'))
    }
    const lines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
    // Certificates have tests of their own.
    const commands = lines.filter((line) => /^(?:npx planning-registry|cp) /.test(line) && !line.includes('--tls-cert'))
    assert.ok(commands.length >= 4, 'the pattern finds the commands')
    for (const command of commands) {
      if (command.startsWith('cp ')) {
        await promisify(exec)(command, { cwd: guideFolder })
        continue
      }
      const [_npx, _program, name = '', ...args] = toWords(command)
      if (name === 'serve') {
        await using served = await serve(args, { cwd: guideFolder })
        assert.equal((await fetch(`${served.base}/record?limit=1`)).status, 200)
      } else {
        const { status, stderr } = await runCommand([name, ...args], { cwd: guideFolder })
        assert.equal(status, 0, `${command}: ${stderr}`)
      }
    }
  })
}

test('the commands of docs/command-line.md run', async () => {
  const commands = commandsOf(read('docs/command-line.md')).filter((command) => command.startsWith('npx'))
  for (const command of commands) {
    const { stdout } = await runInBash(command)
    // A command that writes a file prints nothing.
    if (!command.includes('>')) assert.notEqual(stdout, '', command)
  }
  // One of the commands writes this file.
  assert.match(readFileSync(join(folder, 'plans.csv'), 'utf8'), /Ávila/)
})

test('the commands of docs/import.md run on files of the names that they use', async () => {
  const columns = ['id', 'code', 'title', 'municipality', 'checkin_date', 'document', 'Tipo', 'BOP']
  const row = ['1', '05019-1', 'Plan Parcial', 'Ávila', '2004-03-12', 'plan.pdf', 'Plan Parcial', 'BOP 33']
  const toRow = (code: string): string[] => row.with(columns.indexOf('code'), code)
  /** A CSV source with one record of this code. */
  const toCsv = (code: string): string => [columns, toRow(code)].map((cells) => cells.join(',')).join('\n')
  /** The same as JSON. */
  const toJson = (code: string): string =>
    JSON.stringify([Object.fromEntries(columns.map((name, index) => [name, toRow(code)[index]]))])
  await mkdir(join(folder, 'scans'))
  for (const [name, content] of [
    ['records.csv', toCsv('05019-1')],
    ['records.xlsx', toWorkbook({ rows: toSheetRow(1, columns) + toSheetRow(2, row) })],
    ['scans/plan.pdf', makePdf([{ lines: ['Normas de edificabilidad del sector'] }])],
    ['old.csv', toCsv('05019-1')],
    ['new.csv', toCsv('05019-2')],
    ['records.json.gz', gzipSync(toJson('05019-1'))],
    // The document imports this file with `--code-pattern`, for codes of another form.
    ['export.json', toJson('135/2025/00019')],
  ] as const)
    await writeFile(join(folder, name), content)
  // Each command has a registry of its own. In a registry for all, an import would be refused because it would remove
  // the records of the one before.
  const commands = commandsOf(read('docs/import.md')).filter((command) => !command.includes(' import postgres:'))
  for (const [index, command] of commands.entries())
    await runInBash(command, { DATABASE_URL: `sqlite:import-${index}.db` })
})

/** Runs a command of the documents, with the address of the sample instead of the address of the service. */
async function runInBash(command: string, variables: Record<string, string> = {}): Promise<{ stdout: string }> {
  const script = command
    .replaceAll(/(?:npx )?planning-registry(?= )/g, '"$NODE" "$ROOT/bin/planning-registry.js"')
    .replaceAll(shownBase, sample.base)
  const env = { ...process.env, ...variables, NODE: process.execPath, ROOT: root }
  return await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })
}

/** The words of a command line; single quotes keep a word together. */
function toWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
