// Watchdog thread of a worker process. It kills the process before its resident memory exceeds the limit, or if the
// import that started it has ended. The limit of the V8 heap is not enough, because inflated streams and images are
// outside the heap.
import { workerData } from 'node:worker_threads'

/** A process can fill some 20 MB in this time; a check takes 20 microseconds. */
const checkIntervalMs = 10
/** The process is killed at this share of its limit, because a check may come late on a busy machine. */
const killShare = 0.9

const { workerBytesMax, parentId } = workerData as { workerBytesMax: number; parentId: number }

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > workerBytesMax * killShare
  // A process whose parent has ended gets another parent.
  const isOrphan = process.ppid !== parentId
  // SIGKILL works even if the main thread is blocked. running-request.ts reports it as a lack of memory.
  if (isTooLarge || isOrphan) process.kill(process.pid, 'SIGKILL')
}, checkIntervalMs)
