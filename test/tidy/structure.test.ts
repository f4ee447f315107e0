// The rules of the house that no compiler knows: which folder may use which, where a thing may stand, what a line may
// hold.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface SourceFile {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
  readonly imports: readonly { readonly path: string; readonly isType: boolean }[]
}

const sources: readonly SourceFile[] = globSync('{src,web,test,bench,examples,scripts}/**/*.{ts,tsx,js}', {
  cwd: root,
  // What benchmarks keep for the next run: registries, and contestants with their own packages.
  exclude: ['bench/data/**'],
})
  .map((path) => path.split(sep).join('/'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const found = text.matchAll(/^(?:import|export) (type )?[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)
    const imports = [...found].map(([, type, fixed, late]) => ({
      path: join(dirname(path), fixed ?? late ?? '')
        .split(sep)
        .join('/'),
      isType: type !== undefined,
    }))
    return { path, text, imports }
  })

/** What is served, shown or run by others; tests quote all sorts of things. */
const written = sources.filter(({ path }) => !path.startsWith('test/'))

/** The folders of the house and what each may use; the files beside them (main, config, …) are free to all or above. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  domain: ['analysis'],
  analysis: [],
  index: ['analysis', 'domain'],
  snapshot: ['index', 'analysis', 'domain'],
  import: ['snapshot', 'cli', 'analysis', 'domain'],
  sample: ['snapshot', 'cli', 'analysis', 'domain'],
  client: ['domain'],
  mcp: ['client'],
  api: ['snapshot', 'mcp', 'client', 'analysis', 'domain'],
  operate: ['api', 'snapshot'],
  cli: ['operate', 'api', 'mcp', 'client', 'import', 'sample', 'snapshot', 'analysis', 'domain'],
}

/** Files that every folder may use. */
const shared = [
  'src/cli/commands.ts',
  'src/cli/config.ts',
  'src/lower-bound.ts',
  'src/maybe-promise.ts',
  'src/memory.ts',
  'src/version.ts',
  'src/worker-thread.ts',
]

const folderOf = (path: string): string | undefined => /^src\/(\w+)\//.exec(path)?.[1]

test('every folder of src has its arrows, and the imports keep to them', () => {
  for (const { path, imports } of sources.filter((file) => file.path.startsWith('src/'))) {
    const folder = folderOf(path)
    if (folder === undefined) continue
    const allowed = arrows[folder]
    assert.ok(allowed, `src/${folder} has no arrows in ${basename(import.meta.url)}`)
    for (const used of imports) {
      const other = folderOf(used.path)
      if (other === folder || shared.includes(used.path)) continue
      assert.ok(other !== undefined && allowed.includes(other), `${path} uses ${used.path}`)
      if (folder === 'client') assert.ok(used.isType, `${path} takes more than types from ${used.path}`)
    }
  }
})

test('no import makes a circle', () => {
  const graph = new Map(sources.map((file) => [file.path, file.imports.filter(({ isType }) => !isType)]))
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    assert.ok(!way.includes(path), [...way, path].join(' → '))
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next.path, [...way, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
})

/** What may stand in some places of src only, and where. */
const places: readonly [what: string, form: RegExp, where: RegExp][] = [
  // The child that reads documents and the builder of the municipality list are programs of their own.
  ['process.exit', /\bprocess\.exit\(/, /^src\/(?:cli\/main|import\/documents\/\w+|domain\/data\/build)\.ts$/],
  ['the environment', /\bprocess\.env\b/, /^src\/cli\/config\.ts$/],
  [
    'SQL',
    /\b(?:SELECT|INSERT INTO|CREATE TABLE|DELETE FROM|select \w+ from|insert into|create table)\b/,
    /^src\/(?:snapshot\/|import\/staging\.ts$)/,
  ],
  [
    'a driver of a database',
    /from '(?:node:sqlite|postgres)'/,
    /^src\/(?:snapshot\/|import\/sources\/|import\/staging\.ts$)/,
  ],
]

for (const [what, form, where] of places) {
  test(`${what} stands only where it belongs`, () => {
    for (const { path, text } of sources.filter((file) => file.path.startsWith('src/'))) {
      assert.ok(where.test(path) || !form.test(text), path)
    }
  })
}

test('no comment is wider than the code, which the formatter holds at 120 characters', () => {
  for (const { path, text } of sources) {
    for (const [index, line] of text.split('\n').entries()) {
      const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
      assert.ok(!isComment || [...line].length <= 120, `${path}:${index + 1} has ${[...line].length} characters`)
    }
  }
})

test('no file bears a name that says nothing', () => {
  for (const { path } of sources.filter((file) => file.path.startsWith('src/'))) {
    assert.doesNotMatch(basename(path), /^(?:utils?|helpers?|common|manager|service|index|misc)\.\w+$/, path)
  }
})

test('every file opens by saying what it is for', () => {
  for (const { path, text } of written) assert.ok(/^(?:#!.*\n)?\/[/*]/.test(text), path)
})

test('nothing is left for later', () => {
  const later = new RegExp(['TO', 'DO|FIX', 'ME|not imple', 'mented|@ts-(?:ignore|nocheck|expect-error)'].join(''))
  for (const { path, text } of written) assert.ok(!later.test(text), path)
})

test('every test runs', () => {
  const idle = /\b(?:test|it|describe)\.(?:only|skip|todo)\b|\b(?:skip|only|todo): ?true/
  for (const { path, text } of sources) {
    if (path.startsWith('test/') && path !== 'test/tidy/house.test.ts') assert.ok(!idle.test(text), path)
  }
})

test('the lockfile pins every package by a SHA-512 checksum', () => {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const unpinned = Object.entries(lockfile.packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  )
  assert.deepEqual(unpinned, [])
})

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>
}
