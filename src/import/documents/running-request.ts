// A request that a worker process is working on: receives the messages of the worker, kills it if it takes too long or
// has grown too large, and says how the request ended.
import type { ChildProcess } from 'node:child_process'
import type { Reason } from '../../domain/document-reason.ts'
import { t } from '../../language.ts'
import type { DocumentLimits } from './limits.ts'
import { DocumentFault } from './reference.ts'
import type { WorkerMessage } from './worker-messages.ts'

/** A worker that uses a larger share of its memory limit is replaced, so that the next document has enough memory. */
const reusableMemoryShare = 0.7

/** Why a worker ended early: it took too long, used too much memory, or crashed. */
export type WorkerFailure = 'timeout' | 'memory' | 'crash'

export type RequestResult =
  | { readonly kind: 'done' }
  /** `isFinal` if the content of the document is the cause, so that another attempt would fail too. */
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[]; readonly isFinal: boolean }
  /** The worker ended early. Messages received before that are valid. */
  | { readonly kind: 'failed'; readonly cause: WorkerFailure }

export interface PoolWorker {
  readonly process: ChildProcess
  /** Undefined while the worker is idle. */
  running: RunningRequest | undefined
  /** False once the process has exited or was killed (`retire`); it then gets no further request. */
  isAlive: boolean
  /** Whether the worker has loaded its libraries, which its first message says. */
  isReady: boolean
}

/** A request that a worker has received. A timer kills the worker if its next message takes too long. */
export class RunningRequest {
  /** Resolves when the request has ended; rejects if the worker crashed while it started. */
  readonly result: Promise<RequestResult>
  readonly #resolve: (result: RequestResult) => void
  readonly #reject: (fault: DocumentFault) => void
  readonly #worker: PoolWorker
  readonly #limits: DocumentLimits
  readonly #pageTimeoutMs: number
  readonly #onMessage: (message: WorkerMessage) => boolean
  #timer: NodeJS.Timeout | undefined
  #isTimedOut = false

  constructor(
    worker: PoolWorker,
    limits: DocumentLimits,
    pageTimeoutMs: number,
    onMessage: (message: WorkerMessage) => boolean,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<RequestResult>()
    this.result = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#worker = worker
    this.#limits = limits
    this.#pageTimeoutMs = pageTimeoutMs
    this.#onMessage = onMessage
    this.#restartTimer(limits.openTimeoutMs)
  }

  onWorkerMessage(message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#restartTimer(this.#limits.openTimeoutMs)
        return
      case 'refused':
        this.#stopListening()
        this.#resolve(message)
        return
      case 'done': {
        const isReusable = message.residentBytes < this.#limits.workerBytesMax * reusableMemoryShare
        if (!isReusable) retire(this.#worker)
        this.#stopListening()
        this.#resolve({ kind: 'done' })
        return
      }
      default: {
        this.#restartTimer(this.#pageTimeoutMs)
        const isMoreWanted = this.#onMessage(message)
        if (isMoreWanted) return
        // The worker is still busy with the request; only killing it stops the work.
        retire(this.#worker)
        this.#stopListening()
        this.#resolve({ kind: 'done' })
      }
    }
  }

  /** `isClosed` is whether the pool was closed, which kills the worker. */
  onWorkerExit(isClosed: boolean): void {
    this.#stopListening()
    const cause = this.#isTimedOut ? 'timeout' : toFailureCause(this.#worker.process)
    // A crash before `ready` does not depend on the document: every worker would fail, so the import ends.
    const cannotStart = cause === 'crash' && !this.#worker.isReady && !isClosed
    if (cannotStart) this.#reject(toStartFault(this.#worker.process))
    else this.#resolve({ kind: 'failed', cause })
  }

  #restartTimer(timeoutMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true
      this.#worker.process.kill('SIGKILL')
    }, timeoutMs)
  }

  #stopListening(): void {
    clearTimeout(this.#timer)
    this.#worker.running = undefined
  }
}

/** Kills a worker, which is then not used again. */
function retire(worker: PoolWorker): void {
  worker.isAlive = false
  worker.process.kill('SIGKILL')
}

export function toStartFault({ exitCode, signalCode }: ChildProcess): DocumentFault {
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
