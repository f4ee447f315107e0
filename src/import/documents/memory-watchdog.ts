// The guard thread of a reading child. It ends the process when memory runs over (inflated streams and pictures
// escape the limit on the JavaScript heap) or when the import that started it is gone.
import { workerData } from 'node:worker_threads'

const { childBytesMax, parent } = workerData as { childBytesMax: number; parent: number }

setInterval(() => {
  // Only SIGKILL is sure to end a process whose main thread is busy; the import takes it for want of memory.
  if (process.memoryUsage.rss() > childBytesMax || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 50)
