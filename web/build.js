// Builds the page into dist/web and dist/web-server if it is missing or older than its sources; with `--always`, in any
// case. Scripts of package.json run it, for example on `npm ci` (prepare), `npm start` and `npm test`. It is plain
// JavaScript so that any Node can run it: without the development dependencies neither the pinned Node nor Vite is
// installed, and the build is skipped with a message.
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The files and folders that the page is built from. */
const sources = [
  'web',
  'src/api/page-renderer.ts',
  'src/domain',
  'src/problem-kinds.ts',
  'vite.config.ts',
  'package-lock.json',
]

if (process.argv.includes('--always') || isStale()) await build()

/** Builds the files of the browser and those of the server. */
async function build() {
  if (!existsSync(`${root}node_modules/vite`)) {
    const state = existsSync(`${root}dist/web/index.html`) ? 'is not rebuilt' : 'is not built'
    process.stderr.write(`planning-registry: the page ${state}, because Vite is not installed\n`)
    return
  }
  const vite = await import('vite')
  const options = { root: `${root}web`, configFile: `${root}vite.config.ts`, logLevel: 'warn' }
  await vite.build({ ...options, build: { ssr: 'server.tsx' } })
  // index.html is written last, so that it is the newest file: its age tells whether the build is stale.
  await vite.build(options)
  compressFiles(`${root}dist/web/`)
}

/** Compresses the files that are worth it, once and as far as possible: the service sends them as they are. */
function compressFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(?:js|css|svg|json|webmanifest|txt|ico)$/.test(name)) continue
    const body = readFileSync(folder + name)
    // A smaller file fits into one packet anyway.
    if (body.length < 1024) continue
    // The service reads these endings (src/http/files.ts). Brotli's default quality is its best.
    writeFileSync(`${folder}${name}.br`, brotliCompressSync(body))
    writeFileSync(`${folder}${name}.gz`, gzipSync(body, { level: 9 }))
  }
  // The newest file, by whose age `isStale` decides.
  const now = new Date()
  utimesSync(`${folder}index.html`, now, now)
}

/** Whether a built file is missing, or a source is newer than the build. */
function isStale() {
  if (!existsSync(`${root}dist/web/index.html`) || !existsSync(`${root}dist/web-server/server.js`)) return true
  const builtAt = statSync(`${root}dist/web/index.html`).mtimeMs
  return sources.some((source) => newestMtimeMs(`${root}${source}`) > builtAt)
}

/** When the file, or the newest file in the folder, was changed; 0 if there is no such path. */
function newestMtimeMs(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  const mtimes = readdirSync(path, { recursive: true }).map((name) => statSync(`${path}/${name}`).mtimeMs)
  return Math.max(0, ...mtimes)
}
