// The entry of a worker: turns on the cache of compiled code before anything is loaded, so that the successor of a
// worker that died is there in less than half the time. The folder is the first process's own, which nobody else can
// write to.
import { rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'

const [folder = ''] = process.argv.splice(2, 1)
enableCompileCache(folder)
const { runWorker } = await import('./worker.ts')
await runWorker(flushCompileCache, () =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
)
