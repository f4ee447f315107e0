// Builds the page into dist/web where it is missing or older than its sources: run by `npm ci` (prepare), `npm start`
// and `npm test`, so that nobody builds by hand. Plain JavaScript that any Node reads: where the development
// dependencies are left out, the pinned runtime and Vite are too, and then there is nothing to do but say so.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['web', 'src/analysis', 'src/domain', 'vite.config.ts', 'package-lock.json']

if (process.argv.includes('--always') || isStale()) await build()

async function build() {
  if (!existsSync(`${root}node_modules/vite`)) {
    const state = existsSync(`${root}dist/web/index.html`) ? 'stays as it is' : 'is left out'
    process.stderr.write(`planning-registry: the page ${state}: Vite, which builds it, is not installed\n`)
    return
  }
  const vite = await import('vite')
  await vite.build({ root: `${root}web`, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
}

function isStale() {
  if (!existsSync(`${root}dist/web/index.html`)) return true
  const builtAt = statSync(`${root}dist/web/index.html`).mtimeMs
  return sources.some((source) => newest(`${root}${source}`) > builtAt)
}

/** A source that is missing, as in a package, is not newer than anything. */
function newest(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  const times = readdirSync(path, { recursive: true }).map((name) => statSync(`${path}/${name}`).mtimeMs)
  return Math.max(0, ...times)
}
