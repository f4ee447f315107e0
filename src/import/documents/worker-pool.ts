// A pool of reading children, one a core. It gives each request to a free child, watches the clock, replaces a child
// that was lost or has grown, and says how the request ended; what the messages mean is left to the reader.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DocumentLimits } from './limits.ts'
import { DocumentFault } from './reference.ts'
import type { ReadMessage, ReadRequest } from './worker-messages.ts'

/** A child that has grown beyond this part of its limit is replaced: the next document needs room. */
const keptChildShare = 0.7

export type RequestEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string; readonly isFinal: boolean }
  /** The child was ended; what had been said before still holds. */
  | { readonly kind: 'lost'; readonly cause: 'time' | 'memory' | 'crash' }

interface Child {
  readonly process: ChildProcess
  /** Receives what the child says and, as undefined, its end. */
  listener: ((message: ReadMessage | undefined) => void) | undefined
  isAlive: boolean
  /** It has loaded its libraries. */
  isReady: boolean
}

export class ReadingPool {
  readonly #limits: DocumentLimits
  readonly #idle: Child[] = []
  readonly #waiting: (() => void)[] = []
  readonly #children = new Set<Child>()
  #busy = 0
  #isClosed = false

  constructor(limits: DocumentLimits) {
    this.#limits = limits
  }

  /** `pageTimeoutMs` runs anew with every message; `onMessage` returns false when it has heard enough. */
  async run(
    request: ReadRequest,
    pageTimeoutMs: number,
    onMessage: (message: ReadMessage) => boolean,
  ): Promise<RequestEnd> {
    while (this.#busy >= this.#limits.childrenMax) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#isClosed) return { kind: 'lost', cause: 'crash' }
    this.#busy += 1
    const child = this.#idle.pop() ?? this.#start()
    try {
      return await this.#converse(child, request, pageTimeoutMs, onMessage)
    } finally {
      if (child.isAlive) this.#idle.push(child)
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }

  /** Ends every child at once, also those at work. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of this.#waiting.splice(0)) wake()
    const ends = [...this.#children].map((child) => new Promise((resolve) => child.process.once('exit', resolve)))
    for (const child of this.#children) child.process.kill('SIGKILL')
    await Promise.all(ends)
  }

  #converse(
    child: Child,
    request: ReadRequest,
    pageTimeoutMs: number,
    onMessage: (message: ReadMessage) => boolean,
  ): Promise<RequestEnd> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let overtime = false
      const watch = (timeoutMs: number): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          overtime = true
          child.process.kill('SIGKILL')
        }, timeoutMs)
      }
      const end = (result: RequestEnd, keepChild: boolean): void => {
        clearTimeout(timer)
        child.listener = undefined
        if (!keepChild) this.#retire(child)
        resolve(result)
      }
      child.listener = (message) => {
        if (message === undefined) {
          const cause = overtime ? 'time' : causeOf(child.process)
          // Whatever the document, the next child would fare no better.
          if (cause === 'crash' && !child.isReady && !this.#isClosed) reject(cannotStart(child.process))
          return end({ kind: 'lost', cause }, true)
        }
        if (message.kind === 'ready') return watch(this.#limits.openTimeoutMs)
        if (message.kind === 'refused') return end(message, true)
        if (message.kind === 'done') {
          return end({ kind: 'done' }, message.residentBytes < this.#limits.childBytesMax * keptChildShare)
        }
        watch(pageTimeoutMs)
        if (!onMessage(message)) end({ kind: 'done' }, false)
      }
      watch(this.#limits.openTimeoutMs)
      // Where the child has just died, its exit ends the conversation.
      child.process.send(request, () => {})
    })
  }

  #retire(child: Child): void {
    child.isAlive = false
    child.process.kill('SIGKILL')
  }

  #start(): Child {
    const process = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [String(this.#limits.childBytesMax)], {
      // The permission model leaves a hostile document nothing to do: no network, no writing, no further processes.
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        '--allow-addons',
        '--allow-worker',
        '--no-warnings',
        `--max-old-space-size=${Math.floor(this.#limits.childBytesMax / 2 / 1024 / 1024)}`,
      ],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const child: Child = { process, listener: undefined, isAlive: true, isReady: false }
    this.#children.add(child)
    // Should the machine itself run out of memory, Linux is to end a child and not the import; elsewhere there is no
    // such file.
    writeFile(`/proc/${process.pid}/oom_score_adj`, '1000').catch(() => {})
    process.on('message', (message: ReadMessage) => {
      child.isReady = true
      child.listener?.(message)
    })
    const onEnd = (): void => {
      child.isAlive = false
      this.#children.delete(child)
      const place = this.#idle.indexOf(child)
      if (place >= 0) this.#idle.splice(place, 1)
      child.listener?.(undefined)
    }
    process.on('exit', onEnd)
    process.on('error', () => {
      // A child that could not even be started never exits.
      if (process.pid === undefined) onEnd()
    })
    return child
  }
}

function cannotStart({ exitCode, signalCode }: ChildProcess): DocumentFault {
  const end = signalCode ?? `exit status ${exitCode}`
  return new DocumentFault(
    `Cannot read documents: the reader does not start (${end}); install the packages anew: npm ci`,
  )
}

/** SIGKILL that the clock did not send comes from the guard or the system's own want of memory; V8 aborts. */
function causeOf(process: ChildProcess): 'memory' | 'crash' {
  const { signalCode, exitCode } = process
  return signalCode === 'SIGKILL' || signalCode === 'SIGABRT' || signalCode === 'SIGTRAP' || exitCode === 134
    ? 'memory'
    : 'crash'
}
