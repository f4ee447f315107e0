// Entry point of a worker process (worker.ts). It enables the compile cache before anything is loaded, which halves the
// start-up time of a restarted worker. The supervisor makes the folder of the cache, to which no other user can write,
// and removes it at the end; a worker removes it if the supervisor has died.
import { rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'

// Removes the first argument, which is the folder. The other arguments are for runWorker.
const [cacheFolder = ''] = process.argv.splice(2, 1)
enableCompileCache(cacheFolder)
const { runWorker } = await import('./worker.ts')
// The first function runs when the worker listens, and so has loaded its modules: it writes their compiled code to the
// folder. The second one runs if the supervisor has died; it tries several times, as other workers may still write.
await runWorker(flushCompileCache, () =>
  rmSync(cacheFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
)
