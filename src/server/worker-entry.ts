// Entry point of a worker. It enables the compile cache before anything is loaded, which halves the start of a
// restarted worker. Only the supervisor's user can write to the folder.
import { rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'

const [folder = ''] = process.argv.splice(2, 1)
enableCompileCache(folder)
const { runWorker } = await import('./worker.ts')
await runWorker(flushCompileCache, () =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
)
