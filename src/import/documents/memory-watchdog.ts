// Watchdog thread of a worker process. It kills the process if its resident memory exceeds the limit, which V8's heap
// limit does not cover (inflated streams, images), or if the import that started it has ended.
import { workerData } from 'node:worker_threads'

const checkIntervalMs = 50

const { workerBytesMax, parentId } = workerData as { workerBytesMax: number; parentId: number }

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > workerBytesMax
  // A process whose parent has ended gets another parent.
  const isOrphan = process.ppid !== parentId
  // SIGKILL works even if the main thread is blocked. The pool reports it as a lack of memory.
  if (isTooLarge || isOrphan) process.kill(process.pid, 'SIGKILL')
}, checkIntervalMs)
