// Pool of worker processes (worker.ts) that read documents, at most one per core. It passes each request to an idle or
// new worker, kills a worker that takes too long, and replaces workers that were killed or have grown too large.
import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Reason } from '../../domain/document-reason.ts'
import { t } from '../../language.ts'
import { Slots } from './concurrent.ts'
import type { DocumentLimits } from './limits.ts'
import type { OcrModels } from './ocr-languages.ts'
import { DocumentFault } from './reference.ts'
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts'

/** A worker that uses a larger share of its memory limit is replaced, so that the next document has enough memory. */
const reusableMemoryShare = 0.7

export type RequestResult =
  | { readonly kind: 'done' }
  /** `isFinal` if the content of the document is the cause, so that another attempt would fail too. */
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[]; readonly isFinal: boolean }
  /** The worker took too long, used too much memory or crashed. Messages received before that are valid. */
  | { readonly kind: 'failed'; readonly fault: Reason }

export class WorkerPool {
  readonly #limits: DocumentLimits
  readonly #ocrModels: OcrModels | undefined
  /** Workers without a request. */
  readonly #idle = new Set<ChildProcess>()
  /** Idle or busy, without those that this pool has killed. */
  readonly #workers = new Set<ChildProcess>()
  readonly #slots: Slots
  #isClosed = false

  /** `ocrModels` is undefined without OCR. */
  constructor(limits: DocumentLimits, ocrModels: OcrModels | undefined) {
    this.#limits = limits
    this.#ocrModels = ocrModels
    this.#slots = new Slots(limits.workersMax)
  }

  /**
   * Waits until fewer than `workersMax` workers are busy, then sends the request to an idle or new one. The worker is
   * killed if its next message takes longer than `openTimeoutMs` before the document is open, or `pageTimeoutMs` after
   * that. `onMessage` receives the results; it returns false to end the request early, which then counts as done.
   * Throws `DocumentFault` if a new worker cannot start.
   */
  run(
    request: WorkerRequest,
    pageTimeoutMs: number,
    onMessage: (message: WorkerMessage) => boolean,
  ): Promise<RequestResult> {
    return this.#slots.run(async () => {
      // The import has ended, so the cause does not matter.
      if (this.#isClosed) return { kind: 'failed', fault: { code: 'fault.crashed' } }
      const [idle] = this.#idle
      const worker = idle ?? this.#start()
      this.#idle.delete(worker)
      const result = await this.#send(worker, request, pageTimeoutMs, onMessage, { isNew: idle === undefined })
      if (this.#workers.has(worker)) this.#idle.add(worker)
      return result
    })
  }

  /** Kills all workers, busy ones included. Requests that are running or waiting fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    const exits = [...this.#workers].map((worker) => once(worker, 'exit'))
    for (const worker of this.#workers) worker.kill('SIGKILL')
    await Promise.all(exits)
  }

  async #send(
    worker: ChildProcess,
    request: WorkerRequest,
    pageTimeoutMs: number,
    onMessage: (message: WorkerMessage) => boolean,
    { isNew }: { readonly isNew: boolean },
  ): Promise<RequestResult> {
    const { openTimeoutMs, workerBytesMax } = this.#limits
    let isReady = !isNew
    let isTimedOut = false
    const onTimeout = (): void => {
      isTimedOut = true
      worker.kill('SIGKILL')
    }
    let timer = setTimeout(onTimeout, openTimeoutMs)
    const messages = on(worker, 'message', { close: ['exit'] })
    // An error of `send` is ignored: the worker has just exited, and its exit ends the request.
    worker.send(request, () => {})
    try {
      for await (const [received] of messages) {
        const message = received as WorkerMessage
        clearTimeout(timer)
        timer = setTimeout(onTimeout, message.kind === 'ready' ? openTimeoutMs : pageTimeoutMs)
        isReady = true
        if (message.kind === 'refused') return message
        if (message.kind === 'done') {
          if (message.residentBytes > workerBytesMax * reusableMemoryShare) this.#retire(worker)
          return { kind: 'done' }
        }
        if (message.kind !== 'ready' && !onMessage(message)) {
          // The worker is still busy with the request; only killing it stops the work.
          this.#retire(worker)
          return { kind: 'done' }
        }
      }
    } finally {
      clearTimeout(timer)
    }
    // The worker has exited.
    if (isTimedOut) return { kind: 'failed', fault: { code: 'fault.slow' } }
    if (isOutOfMemory(worker)) return { kind: 'failed', fault: { code: 'fault.memory' } }
    // A crash before `ready` does not depend on the document: every worker would fail, so the import ends.
    if (!isReady && !this.#isClosed) throw toStartFault(worker)
    return { kind: 'failed', fault: { code: 'fault.crashed' } }
  }

  #start(): ChildProcess {
    const script = fileURLToPath(new URL('./worker.ts', import.meta.url))
    const { folder = '', languages = [] } = this.#ocrModels ?? {}
    const worker = fork(script, [String(this.#limits.workerBytesMax), folder, ...languages], {
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
    // A message could not be sent, because the worker has just exited, or it could not be spawned.
    worker.on('error', () => {})
    // Memory or descriptors are used up. Such a worker never exits.
    if (worker.pid === undefined) throw toStartFault(worker)
    this.#workers.add(worker)
    worker.once('exit', () => {
      this.#workers.delete(worker)
      this.#idle.delete(worker)
    })
    // If the machine runs out of memory, Linux kills the process with the highest score, 1000: a worker, and not the
    // import. Other systems lack this file.
    writeFile(`/proc/${worker.pid}/oom_score_adj`, '1000').catch(() => {})
    return worker
  }

  /** Kills a worker, which is then not used again. */
  #retire(worker: ChildProcess): void {
    this.#workers.delete(worker)
    worker.kill('SIGKILL')
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
function isOutOfMemory({ signalCode, exitCode }: ChildProcess): boolean {
  return ['SIGKILL', 'SIGABRT', 'SIGTRAP'].includes(signalCode ?? '') || exitCode === abortedExitCode
}
