// Pool of worker processes (worker.ts) that read documents, at most one per core. It passes each request to an idle or
// new worker (running-request.ts), and replaces workers that were killed or exited.
import { fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DocumentLimits } from './limits.ts'
import type { OcrModels } from './ocr-languages.ts'
import { type PoolWorker, type RequestResult, RunningRequest, toStartFault } from './running-request.ts'
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts'

export class WorkerPool {
  readonly #limits: DocumentLimits
  readonly #ocrModels: OcrModels | undefined
  /** Workers without a request. */
  readonly #idle: PoolWorker[] = []
  /** Each function wakes one call of `run` that waits for a worker, in order of arrival. */
  readonly #waiting: (() => void)[] = []
  /** All worker processes, idle or busy. */
  readonly #workers = new Set<PoolWorker>()
  #busyCount = 0
  #isClosed = false

  /** `ocrModels` is undefined without OCR. */
  constructor(limits: DocumentLimits, ocrModels: OcrModels | undefined) {
    this.#limits = limits
    this.#ocrModels = ocrModels
  }

  /**
   * Waits until fewer than `workersMax` workers are busy, then sends the request to an idle or new one. The worker is
   * killed if its next message takes longer than `openTimeoutMs` before the document is open, or `pageTimeoutMs` after
   * that. `onMessage` receives the results; it returns false to end the request early, which then counts as done.
   * Throws `DocumentFault` if a new worker cannot start.
   */
  async run(
    request: WorkerRequest,
    pageTimeoutMs: number,
    onMessage: (message: WorkerMessage) => boolean,
  ): Promise<RequestResult> {
    while (this.#busyCount >= this.#limits.workersMax && !this.#isClosed)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    // The import has ended, so the cause does not matter.
    if (this.#isClosed) return { kind: 'failed', cause: 'crash' }
    this.#busyCount += 1
    let worker: PoolWorker | undefined
    try {
      worker = this.#idle.pop() ?? this.#start()
      const running = new RunningRequest(worker, this.#limits, pageTimeoutMs, onMessage)
      worker.running = running
      // An error of `send` is ignored: the worker has just exited, and its exit ends the request.
      worker.process.send(request, () => {})
      return await running.result
    } finally {
      if (worker?.isAlive) this.#idle.push(worker)
      this.#busyCount -= 1
      this.#waiting.shift()?.()
    }
  }

  /** Kills all workers, busy ones included. Requests that are running or waiting fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of this.#waiting.splice(0)) wake()
    const exits = [...this.#workers].map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)))
    for (const worker of this.#workers) worker.process.kill('SIGKILL')
    await Promise.all(exits)
  }

  #start(): PoolWorker {
    const script = fileURLToPath(new URL('./worker.ts', import.meta.url))
    const { folder = '', languages = [] } = this.#ocrModels ?? {}
    const child = fork(script, [String(this.#limits.workerBytesMax), folder, ...languages], {
      // Node's permission model: a malicious document gets no network, no writing and no further processes. The
      // environment is empty, because it may contain passwords.
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        // The canvas that renders pages for OCR is an addon; the memory watchdog and the OCR engine are worker threads.
        '--allow-addons',
        '--allow-worker',
        '--no-warnings',
        // Half of the limit, in mebibytes. The other half is for images and inflated streams, which are outside the
        // heap.
        `--max-old-space-size=${Math.floor(this.#limits.workerBytesMax / 2 / 1024 / 1024)}`,
      ],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    if (child.pid === undefined) {
      // It could not be spawned, because memory or descriptors are used up. It emits an error and never exits.
      child.on('error', () => {})
      throw toStartFault(child)
    }
    const worker: PoolWorker = { process: child, running: undefined, isAlive: true, isReady: false }
    this.#workers.add(worker)
    // If the machine runs out of memory, Linux kills the process with the highest score, 1000: a worker, and not the
    // import. Other systems lack this file.
    writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
    child.on('message', (message: WorkerMessage) => {
      worker.isReady = true
      worker.running?.onWorkerMessage(message)
    })
    child.on('exit', () => {
      worker.isAlive = false
      this.#workers.delete(worker)
      const idleIndex = this.#idle.indexOf(worker)
      if (idleIndex >= 0) this.#idle.splice(idleIndex, 1)
      worker.running?.onWorkerExit(this.#isClosed)
    })
    // The event means that a message could not be sent, because the worker has just exited.
    child.on('error', () => {})
    return worker
  }
}
