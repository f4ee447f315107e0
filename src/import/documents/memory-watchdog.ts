// Watchdog thread of a worker process. It kills the process if its resident memory exceeds the limit, which V8's heap
// limit does not cover (inflated streams, images), or if the import that started it has ended.
import { workerData } from 'node:worker_threads'

const { workerBytesMax, parentId } = workerData as { workerBytesMax: number; parentId: number }

setInterval(() => {
  // SIGKILL works even if the main thread is blocked. The pool reports it as a lack of memory.
  if (process.memoryUsage.rss() > workerBytesMax || process.ppid !== parentId) process.kill(process.pid, 'SIGKILL')
}, 50)
