// Every command in the documents is run by a test, or its document says that no test runs it. This file runs commands
// of docs/command-line.md and docs/import.md.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type ServeProcess, serve } from '../api/process.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { makePdf } from '../import/documents/pdf.ts'
import { toSheetRow, toWorkbook } from '../import/workbook.ts'

const root = join(import.meta.dirname, '../..')
/** Instead of a file: no test runs the command, and its page says so. */
const notRun = 'not run'

/** For each page, how its commands begin, and the file that runs them. The first beginning that matches counts. */
const testsOfCommands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm ci && npm start': 'test/server/npm-start.test.ts',
    'npm ci && npm test': '.github/workflows/test.yml',
    curl: 'test/tidy/docs.test.ts',
    'npx planning-registry': 'test/tidy/docs.test.ts',
  },
  'docs/api.md': { curl: 'test/tidy/docs.test.ts' },
  'docs/client.md': { 'npm install': notRun, 'curl -sG': notRun },
  'docs/command-line.md': {
    'npx planning-registry search': 'test/tidy/commands.test.ts',
    'npx planning-registry check': 'test/tidy/commands.test.ts',
    'eval "$(npx planning-registry completion bash)"': 'test/tidy/commands.test.ts',
    'eval "$(npx planning-registry completion zsh)"': notRun,
    'npx planning-registry completion fish': notRun,
  },
  'docs/containers.md': {
    'docker build': notRun,
    'docker run': notRun,
    'docker compose': notRun,
    'export POSTGRES_PASSWORD': notRun,
  },
  'docs/es/guia.md': {
    'npm ci': '.github/workflows/test.yml',
    'npx planning-registry serve --database sqlite:registro.db --host': notRun,
    'npx planning-registry': 'test/tidy/docs.test.ts',
    cp: 'test/tidy/docs.test.ts',
  },
  'docs/import.md': {
    'npx planning-registry import postgres:': notRun,
    'npx planning-registry': 'test/tidy/commands.test.ts',
    zcat: 'test/tidy/commands.test.ts',
  },
  'docs/operating.md': {
    'planning-registry serve': notRun,
    'systemctl reload': notRun,
  },
  'docs/postgres.md': { 'planning-registry': notRun },
  'docs/production.md': {
    'apt-get': notRun,
    git: notRun,
    systemctl: notRun,
    certbot: notRun,
    'nginx -t': notRun,
    sed: notRun,
    promtool: 'test/faults/prometheus.faults.ts',
    curl: notRun,
    cd: 'test/faults/systemd.faults.ts',
    'npm ci': '.github/workflows/test.yml',
    sh: 'test/faults/systemd.faults.ts',
    cp: 'test/faults/systemd.faults.ts',
    chown: 'test/faults/systemd.faults.ts',
    mv: 'test/faults/systemd.faults.ts',
    pg_dump: 'test/faults/postgres-dump.faults.ts',
    createdb: 'test/faults/postgres-dump.faults.ts',
    pg_restore: 'test/faults/postgres-dump.faults.ts',
    'npx planning-registry check --database postgres:': 'test/faults/postgres-dump.faults.ts',
    'npx planning-registry check': 'test/faults/systemd.faults.ts',
    'npx planning-registry sample /tmp/demo': 'test/faults/systemd.faults.ts',
    npm: 'test/release/installation.ts',
    'npx planning-registry': 'test/release/installation.ts',
  },
  'docs/scaling.md': { 'planning-registry import': notRun },
  'docs/schema.md': { sqlite3: notRun },
}
// README.es.md has the commands of README.md; docs.test.ts compares them.
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root }).filter(
  (page) => page !== 'README.es.md',
)

test('every command in the documents is run by a test, or named as not run', () => {
  const unused = new Set(
    Object.entries(testsOfCommands).flatMap(([page, tests]) =>
      Object.keys(tests).map((beginning) => `${page}: ${beginning}`),
    ),
  )
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    // The commands that the page itself names as not run, as a list in its text.
    const [, namedAsNotRun = ''] = /(?:Not run by a test|Sin prueba automática): ([\s\S]*?)\n\n/.exec(`${text}\n`) ?? []
    for (const command of commandsOf(text)) {
      const found = Object.entries(testsOfCommands[page] ?? {}).find(([beginning]) => command.startsWith(beginning))
      assert.ok(found !== undefined, `${page}: no test runs ${command}; add it to testsOfCommands`)
      const [beginning, file] = found
      unused.delete(`${page}: ${beginning}`)
      if (file !== notRun) assert.ok(existsSync(join(root, file)), file)
      else
        assert.ok(
          toOneLine(namedAsNotRun).includes(`\`${beginning}\``),
          `${page} does not say that ${beginning} is not run`,
        )
    }
  }
  assert.deepEqual([...unused], [])
})

/** The commands in the blocks of a page, each on one line. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block)
  // A line that ends with a backslash or a pipe continues.
  const lines = blocks.flatMap((block) => block.replace(/(?:\\|(?<=\|))\n\s*/g, '').split('\n'))
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

let sample: ServeProcess
const folder = await makeTemporaryFolder({ after })

before(async () => {
  // Without flags, in an empty folder, it serves the bundled sample.
  sample = await serve([], { cwd: folder })
})
after(() => sample?.[Symbol.asyncDispose]())

test('the commands of docs/command-line.md run', async () => {
  for (const command of commandsToRun('docs/command-line.md')) {
    const { stdout } = await runInBash(command)
    const printsOutput = !/>|eval/.test(command)
    if (printsOutput) assert.notEqual(stdout, '', command)
  }
  // One of the commands writes this file.
  assert.match(readFileSync(join(folder, 'plans.csv'), 'utf8'), /Ávila/)
})

test('the commands of docs/import.md run on files of the names that they use', async () => {
  const columns = ['id', 'code', 'title', 'municipality', 'checkin_date', 'document']
  const row = ['1', '05019-1', 'Plan Parcial', 'Ávila', '2004-03-12', 'plan.pdf']
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
    // The page imports this file with `--code-pattern`, for codes of another form.
    ['export.json', toJson('135/2025/00019')],
  ] as const)
    await writeFile(join(folder, name), content)
  // Each command has a registry of its own. In one registry, an import would refuse to remove the records of another.
  for (const [index, command] of commandsToRun('docs/import.md').entries())
    await runInBash(command, { DATABASE_URL: `sqlite:import-${index}.db` })
})

/** The commands of the page that this file runs. */
function commandsToRun(page: string): string[] {
  const tests = Object.entries(testsOfCommands[page] ?? {})
  const commands = commandsOf(readFileSync(join(root, page), 'utf8')).filter((command) => {
    const [, file] = tests.find(([beginning]) => command.startsWith(beginning)) ?? []
    return file === 'test/tidy/commands.test.ts'
  })
  assert.ok(commands.length > 0)
  return commands
}

/** Runs a command of the documents. The address of the service in it is replaced by that of the sample. */
async function runInBash(command: string, variables: Record<string, string> = {}): Promise<{ stdout: string }> {
  const script = command
    .replaceAll('npx planning-registry', '"$NODE" "$ROOT/bin/planning-registry.js"')
    .replaceAll('http://127.0.0.1:8080/registry', sample.base)
  const env = { ...process.env, ...variables, NODE: process.execPath, ROOT: root }
  return await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })
}
