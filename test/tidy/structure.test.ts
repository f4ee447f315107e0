// Checks the structure of the code: which folder may import which (CONTRIBUTING.md shows the same table), that there
// are no circular imports, where SQL, database drivers, the environment and process.exit are allowed, and the lockfile.
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
  /** The files of the project that it imports, as paths from the root of the project, type-only imports included. */
  readonly imports: readonly { readonly path: string; readonly isType: boolean }[]
}

const sources: readonly SourceFile[] = globSync('{src,web,test,bench,examples,scripts}/**/*.{ts,tsx,js}', {
  cwd: root,
  // The benchmarks store registries there, and install the services that they compare with, whose files are not ours.
  exclude: ['bench/data/**'],
})
  .map((path) => path.split(sep).join('/'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    // `import type { A } from './a.ts'`, `export * from './a.ts'`, `import './a.ts'` and `import('./a.ts')`.
    const found = text.matchAll(/^(?:import|export) (?:(type )?[^'"]*?from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)
    const imports = [...found].map(([, type, staticPath, dynamicPath]) => ({
      path: join(dirname(path), staticPath ?? dynamicPath ?? '')
        .split(sep)
        .join('/'),
      isType: type !== undefined,
    }))
    return { path, text, imports }
  })

const serviceSources = sources.filter(({ path }) => path.startsWith('src/'))

/** For each folder of src, the folders it may import. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  analysis: [],
  domain: ['analysis'],
  registry: ['analysis', 'domain'],
  import: ['analysis', 'cli', 'domain', 'registry'],
  client: ['domain'],
  mcp: ['client', 'domain'],
  http: ['analysis', 'domain'],
  api: ['analysis', 'client', 'domain', 'http', 'mcp', 'registry', 'sample'],
  server: ['api', 'http', 'registry'],
  sample: ['domain', 'registry'],
  desk: ['api', 'cli', 'http', 'import', 'registry'],
  cli: ['analysis', 'api', 'client', 'desk', 'domain', 'import', 'mcp', 'registry', 'sample', 'server'],
}

/** Files that every folder may import. */
const sharedFiles = [
  'src/cli/commands.ts',
  'src/cli/config.ts',
  'src/cli/serve-settings.ts',
  'src/csv.ts',
  'src/limits.ts',
  'src/lower-bound.ts',
  'src/memory.ts',
  'src/language.ts',
  'src/problems.ts',
  'src/system-reason.ts',
  'src/version.ts',
  'src/worker-thread.ts',
]

/** For example `api` for `src/api/routes.ts`; undefined for `src/csv.ts`. */
function folderOf(path: string): string | undefined {
  return /^src\/(\w+)\//.exec(path)?.[1]
}

test('every folder of src imports only the folders that it may import', () => {
  for (const { path, imports } of serviceSources) {
    const folder = folderOf(path)
    if (folder === undefined) continue
    const allowed = allowedImports[folder]
    assert.ok(allowed, `src/${folder} is missing from allowedImports in ${basename(import.meta.url)}`)
    for (const imported of imports) {
      const importedFolder = folderOf(imported.path)
      if (importedFolder === folder) continue
      // The client also runs in browsers, without the code of the service. It may import only types, which are not
      // there at run time.
      if (folder === 'client') assert.ok(imported.isType, `${path} imports more than types from ${imported.path}`)
      if (sharedFiles.includes(imported.path)) continue
      assert.ok(importedFolder !== undefined && allowed.includes(importedFolder), `${path} imports ${imported.path}`)
    }
  }
})

test('CONTRIBUTING.md shows the allowed imports', () => {
  const rows = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\| `(\w+)\/` +\|.*\|([^|]*)\|$/gm)
  const shown = [...rows].map(([, folder = '', cell = '']) => [
    folder,
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ])
  assert.deepEqual(Object.fromEntries(shown), allowedImports)
})

test('there are no circular imports, type-only imports included', () => {
  const graph = new Map(sources.map((file) => [file.path, file.imports.map(({ path }) => path)]))
  /** Files from which no cycle can be reached. */
  const visited = new Set<string>()
  /** `chain` has the files that led to this one, each imported by the one before it. */
  const visit = (path: string, chain: readonly string[]): void => {
    assert.ok(!chain.includes(path), [...chain, path].join(' → '))
    if (visited.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...chain, path])
    visited.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
})

/** What only some files of src may contain, and which files these are. */
const restrictions: readonly [what: string, pattern: RegExp, allowedFiles: RegExp][] = [
  // Three programs: the command line, a process that reads documents, and the builder of the municipality list.
  ['process.exit', /\bprocess\.exit\(/, /^src\/(?:cli\/main|import\/documents\/worker|domain\/data\/build)\.ts$/],
  ['process.env', /\bprocess\.env\b/, /^src\/cli\/config\.ts$/],
  [
    'SQL',
    /\b(?:SELECT|INSERT INTO|CREATE TABLE|DELETE FROM|select \w+ from|insert into|create table)\b/,
    /^src\/(?:registry\/|import\/(?:staging|documents\/cache)\.ts$)/,
  ],
  [
    'a database driver',
    /from '(?:node:sqlite|postgres)'/,
    /^src\/(?:registry\/|import\/sources\/|import\/(?:staging|documents\/cache)\.ts$)/,
  ],
]

for (const [what, pattern, allowedFiles] of restrictions) {
  test(`only the files that need it contain ${what}`, () => {
    for (const { path, text } of serviceSources) {
      assert.ok(allowedFiles.test(path) || !pattern.test(text), path)
    }
  })
}

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
