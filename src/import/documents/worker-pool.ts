// Pool of worker processes (worker.ts) that read documents, at most one per core. It passes each request to an idle or
// new worker, enforces timeouts, and replaces workers that failed or have grown too large.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { t } from '../../language.ts'
import type { DocumentLimits } from './limits.ts'
import type { OcrModels } from './ocr-languages.ts'
import { DocumentFault } from './reference.ts'
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts'

/** A worker that uses a larger share of its memory limit is replaced, so that the next document has enough memory. */
const reusableMemoryShare = 0.7

/** Why a worker ended early: it took too long, used too much memory, or crashed. */
export type WorkerFailure = 'timeout' | 'memory' | 'crash'

export type RequestResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string; readonly isFinal: boolean }
  /** The worker ended early. Messages received before that are valid. */
  | { readonly kind: 'failed'; readonly cause: WorkerFailure }

interface PoolWorker {
  readonly process: ChildProcess
  /** Receives the messages of the worker, and undefined when it exits. Set while the worker has a request. */
  listener: ((message: WorkerMessage | undefined) => void) | undefined
  /** False once the process has exited or was killed (`#retire`); it then gets no further request. */
  isAlive: boolean
  /** Whether the worker has loaded its libraries, which its first message says. */
  isReady: boolean
}

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
      return await this.#send(worker, request, pageTimeoutMs, onMessage)
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

  /**
   * Resolves when the worker has finished the request, was killed or exited; rejects if it crashed while it started.
   * Until then `worker.listener` handles its messages, and a timer kills it if the next message takes too long.
   */
  #send(
    worker: PoolWorker,
    request: WorkerRequest,
    pageTimeoutMs: number,
    onMessage: (message: WorkerMessage) => boolean,
  ): Promise<RequestResult> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let isTimedOut = false
      const restartTimer = (timeoutMs: number): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          isTimedOut = true
          worker.process.kill('SIGKILL')
        }, timeoutMs)
      }
      const stopListening = (): void => {
        clearTimeout(timer)
        worker.listener = undefined
      }
      const end = (result: RequestResult): void => {
        stopListening()
        resolve(result)
      }
      worker.listener = (message) => {
        if (message === undefined) {
          const cause = isTimedOut ? 'timeout' : toFailureCause(worker.process)
          // A crash before `ready` does not depend on the document: every worker would fail, so the import ends.
          const cannotStart = cause === 'crash' && !worker.isReady && !this.#isClosed
          if (!cannotStart) return end({ kind: 'failed', cause })
          stopListening()
          return reject(toStartFault(worker.process))
        }
        if (message.kind === 'ready') return restartTimer(this.#limits.openTimeoutMs)
        if (message.kind === 'refused') return end(message)
        if (message.kind === 'done') {
          const isReusable = message.residentBytes < this.#limits.workerBytesMax * reusableMemoryShare
          if (!isReusable) this.#retire(worker)
          return end({ kind: 'done' })
        }
        restartTimer(pageTimeoutMs)
        const isMoreWanted = onMessage(message)
        if (isMoreWanted) return
        // The worker is still busy with the request; only killing it stops the work.
        this.#retire(worker)
        end({ kind: 'done' })
      }
      restartTimer(this.#limits.openTimeoutMs)
      // An error of `send` is ignored: the worker has just exited, and its exit ends the request.
      worker.process.send(request, () => {})
    })
  }

  /** Kills a worker, which is then not used again. */
  #retire(worker: PoolWorker): void {
    worker.isAlive = false
    worker.process.kill('SIGKILL')
  }

  #start(): PoolWorker {
    const script = fileURLToPath(new URL('./worker.ts', import.meta.url))
    const { folder = '', languages = [] } = this.#ocrModels ?? {}
    const process = fork(script, [String(this.#limits.workerBytesMax), folder, ...languages], {
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
    if (process.pid === undefined) {
      // It could not be spawned, because memory or descriptors are used up. It emits an error and never exits.
      process.on('error', () => {})
      throw toStartFault(process)
    }
    const worker: PoolWorker = { process, listener: undefined, isAlive: true, isReady: false }
    this.#workers.add(worker)
    // If the machine runs out of memory, Linux kills the process with the highest score, 1000: a worker, and not the
    // import. Other systems lack this file.
    writeFile(`/proc/${process.pid}/oom_score_adj`, '1000').catch(() => {})
    process.on('message', (message: WorkerMessage) => {
      worker.isReady = true
      worker.listener?.(message)
    })
    const onExit = (): void => {
      worker.isAlive = false
      this.#workers.delete(worker)
      const idleIndex = this.#idle.indexOf(worker)
      if (idleIndex >= 0) this.#idle.splice(idleIndex, 1)
      worker.listener?.(undefined)
    }
    process.on('exit', onExit)
    // The event means that a message could not be sent, because the worker has just exited.
    process.on('error', () => {})
    return worker
  }
}

function toStartFault({ exitCode, signalCode }: ChildProcess): DocumentFault {
  const cause = signalCode ?? `exit status ${exitCode}`
  return new DocumentFault(
    t`Cannot read documents: the reader does not start (${cause}); reinstall the packages with npm ci`,
  )
}

/** A process that SIGABRT (signal 6) ends may report this exit status, 128 + 6, instead of the signal. */
const abortedExitCode = 134

/**
 * A SIGKILL that the timeout did not send comes from the memory watchdog or the kernel, or from `close`, after which
 * the cause does not matter. V8 aborts, with SIGABRT or SIGTRAP, if its heap is full.
 */
function toFailureCause({ signalCode, exitCode }: ChildProcess): 'memory' | 'crash' {
  const isKilled = signalCode === 'SIGKILL'
  const isAborted = signalCode === 'SIGABRT' || signalCode === 'SIGTRAP' || exitCode === abortedExitCode
  return isKilled || isAborted ? 'memory' : 'crash'
}
