// Builds the two npm packages: `planning-registry`, the service with its commands and its page, and
// `planning-registry-client`, which has no dependencies. Both are JavaScript, because Node does not run TypeScript
// under node_modules. release.ts checks and packs them.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/**
 * The versions of Node that can start the command; Debian 13 has 20.19. The command needs Node 26. In an older one, it
 * continues in the Node of the npm package `node` (bin/planning-registry.js).
 */
const startNodeVersions = '>=20.19.0'

export interface PackageOptions {
  /**
   * The folder with the part of the web page that browsers load. The code that renders the page in the service is in a
   * folder next to it, whose name has `-server` at its end. Without this option the service has no web page.
   */
  readonly page?: string
}

/** Deletes the folder and writes the package of the service into it. */
export async function buildServicePackage(folder: string, options: PackageOptions = {}): Promise<void> {
  await makeEmptyFolder(folder)
  await compile('-p', 'tsconfig.build.json', '--outDir', folder)
  await rewriteExtensions(folder)
  await copyAssets(folder)
  await copyCommand(folder)
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) await cp(join(root, file), join(folder, file))
  if (options.page !== undefined) {
    await cp(options.page, join(folder, 'dist/web'), { recursive: true })
    await cp(`${options.page}-server`, join(folder, 'dist/web-server'), { recursive: true })
  }
  await bundlePdfjs(folder)
  await writeManifest(folder, toServiceManifest())
}

/** Deletes the folder and writes the package of the client into it. */
export async function buildClientPackage(folder: string): Promise<void> {
  await makeEmptyFolder(folder)
  await compile(...clientFlags, '--outDir', folder, 'src/client/client.ts')
  await rewriteExtensions(folder)
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await cp(join(root, 'docs/client.md'), join(folder, 'README.md'))
  await writeManifest(folder, toClientManifest())
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

async function writeManifest(folder: string, content: Record<string, unknown>): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

/** Flags of the compiler for the client. */
const clientFlags = [
  ...['--declaration', '--rewriteRelativeImportExtensions', '--strict', '--skipLibCheck'],
  // The client may use only what Node 20 has; newer features fail to compile.
  ...['--target', 'es2022', '--lib', 'es2022,es2024.string,dom,dom.iterable', '--types', ''],
  ...['--module', 'nodenext', '--ignoreConfig', '--rootDir', '.'],
]

async function compile(...args: string[]): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  await run(tsc, args, { cwd: root }).catch((error: { stdout: string }) => {
    throw new Error(`Cannot compile the package:\n${error.stdout}`)
  })
}

/** Replaces `.ts` in the URLs of workers and in declarations, which the compiler does not rewrite. */
async function rewriteExtensions(folder: string): Promise<void> {
  for (const file of await listFiles(join(folder, 'src'))) {
    const text = await readFile(file, 'utf8')
    // `new URL('./worker.ts', …)`, then `from './a.ts'` and `import('./a.ts')`.
    const rewritten = text
      .replace(/(new URL\(\s*'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
      .replace(/((?:from|import\() ?'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
    // Looks for a relative path to a `.ts` file that is left. Comments may have such paths.
    const remaining = /^(?!\s*(?:\/\/|\*|\/\*)).*'\.{1,2}\/[^'\s]*\.ts'.*$/m.exec(rewritten)
    if (remaining !== null)
      throw new Error(`Cannot build ${relative(folder, file)}: it still refers to TypeScript: ${remaining[0]}`)
    if (rewritten !== text) await writeFile(file, rewritten)
  }
}

/** Copies the files in src that are not TypeScript: styles, scripts, data. */
async function copyAssets(folder: string): Promise<void> {
  for (const file of await listFiles(join(root, 'src'))) {
    if (file.endsWith('.ts')) continue
    const target = join(folder, relative(root, file))
    await mkdir(dirname(target), { recursive: true })
    await cp(file, target)
  }
}

async function copyCommand(folder: string): Promise<void> {
  const file = join(folder, 'bin/planning-registry.js')
  const entry = await readFile(join(root, 'bin/planning-registry.js'), 'utf8')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, entry.replace('../src/cli/main.ts', '../src/cli/main.js'))
  await chmod(file, 0o755)
}

/** The parts of pdfjs-dist that `src/import/documents` loads: 9 MB of 39. */
const pdfjsFiles = [
  ...['LICENSE', 'legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs'],
  ...['cmaps', 'iccs', 'standard_fonts', 'wasm'],
]

/** Adds pdfjs-dist as a bundled dependency, without the other builds, source maps and types, which nothing loads. */
async function bundlePdfjs(folder: string): Promise<void> {
  const source = join(root, 'node_modules/pdfjs-dist')
  const target = join(folder, 'node_modules/pdfjs-dist')
  for (const file of pdfjsFiles) await cp(join(source, file), join(target, file), { recursive: true })
  const { name, version, license, repository } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  // The manifest leaves out its optional dependency on @napi-rs/canvas, which would be installed a second time.
  await writeManifest(target, { name, version, license, repository })
}

const keywords = ['urban planning', 'urbanismo', 'planeamiento', 'open data', 'registry']

/**
 * The only model for text recognition (OCR) in the package. Models of other languages take 10 MB or more each;
 * `import --ocr-languages` says how to install a missing one.
 */
export const bundledModel = '@tesseract.js-data/spa'

function toServiceManifest(): Record<string, unknown> {
  const { name, version, description, license, type, bin, dependencies } = manifest
  const optionalDependencies = Object.fromEntries(
    Object.entries(manifest.optionalDependencies).filter(
      ([dependency]) => !dependency.startsWith('@tesseract.js-data/') || dependency === bundledModel,
    ),
  )
  return {
    ...{ name, version, description, license, type },
    keywords: [...keywords, 'mcp'],
    engines: { node: startNodeVersions },
    bin,
    exports: { './package.json': './package.json' },
    dependencies,
    bundleDependencies: ['pdfjs-dist'],
    optionalDependencies,
  }
}

function toClientManifest(): Record<string, unknown> {
  const { version, license, type } = manifest
  return {
    name: 'planning-registry-client',
    ...{ version, license, type },
    description: 'Typed client of a planning registry, for browsers and Node.',
    keywords,
    // The oldest version that the client is tested with.
    engines: { node: '>=20.20.0' },
    exports: {
      '.': { types: './src/client/client.d.ts', default: './src/client/client.js' },
      './package.json': './package.json',
    },
    sideEffects: false,
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
