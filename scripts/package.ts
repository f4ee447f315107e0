// Builds the package for npm: JavaScript, since Node strips no types under node_modules, with declarations for the
// client, which is what others import. release.ts checks and packs what comes out.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** The oldest Node that the client runs on; the service needs the one that bin/planning-registry.js names. */
export const clientNodes = '>=20.20.0'

export interface PackageOptions {
  /** The built page; without it the service says that there is none. */
  readonly page?: string
}

/** Writes the whole package into the folder, which is emptied first. */
export async function buildPackage(folder: string, options: PackageOptions = {}): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await compile('-p', 'tsconfig.build.json', '--outDir', folder)
  await compile(...declarationFlags, '--outDir', folder, 'src/client/client.ts')
  await rewriteAddresses(folder)
  await copyAssets(folder)
  await copyEntry(folder)
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
    if (existsSync(join(root, file))) await cp(join(root, file), join(folder, file))
  }
  if (options.page !== undefined) await cp(options.page, join(folder, 'dist/web'), { recursive: true })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(toPackageManifest(), null, 2)}\n`)
}

const declarationFlags = [
  ...['--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions', '--strict', '--skipLibCheck'],
  // The least that the client may rely on: anything newer than Node 20 fails here.
  ...['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--types', ''],
  ...['--module', 'nodenext', '--ignoreConfig', '--rootDir', '.'],
]

async function compile(...args: string[]): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  await run(tsc, args, { cwd: root }).catch((error: { stdout: string }) => {
    throw new Error(`Cannot compile the package:\n${error.stdout}`)
  })
}

/** The compiler rewrites imports; addresses of workers and children, and those in declarations, are left to us. */
async function rewriteAddresses(folder: string): Promise<void> {
  for (const file of await listFiles(join(folder, 'src'))) {
    const text = await readFile(file, 'utf8')
    const rewritten = text
      .replace(/(new URL\(\s*'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
      .replace(/((?:from|import\() ?'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
    const left = /^(?!\s*(?:\/\/|\*|\/\*)).*'\.{1,2}\/[^'\s]*\.ts'.*$/m.exec(rewritten)
    if (left !== null) throw new Error(`Cannot build ${relative(folder, file)}: it still names TypeScript: ${left[0]}`)
    if (rewritten !== text) await writeFile(file, rewritten)
  }
}

/** Whatever in src is no TypeScript: styles, scripts, data. */
async function copyAssets(folder: string): Promise<void> {
  for (const file of await listFiles(join(root, 'src'))) {
    if (file.endsWith('.ts')) continue
    const target = join(folder, relative(root, file))
    await mkdir(dirname(target), { recursive: true })
    await cp(file, target)
  }
}

async function copyEntry(folder: string): Promise<void> {
  const file = join(folder, 'bin/planning-registry.js')
  const entry = await readFile(join(root, 'bin/planning-registry.js'), 'utf8')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, entry.replace('../src/cli/main.ts', '../src/cli/main.js'))
  await chmod(file, 0o755)
}

function toPackageManifest(): Record<string, unknown> {
  const { name, version, description, license, type, bin, dependencies } = manifest
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['urban planning', 'urbanismo', 'planeamiento', 'open data', 'registry', 'mcp'],
    engines: { node: clientNodes },
    bin,
    exports: {
      './client': { types: './src/client/client.d.ts', default: './src/client/client.js' },
      './package.json': './package.json',
    },
    sideEffects: false,
    dependencies,
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
