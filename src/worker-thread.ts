// A worker thread whose failure reaches the caller that waits for its messages. An import analyses texts in threads.
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** The most threads for one kind of work, such as indexing the texts of an import. */
export const threadsMax: number = Math.min(availableParallelism(), 8)

/**
 * The code that a thread starts with. It enables the compile cache, which threads do not inherit, and runs `entry`.
 * Without the cache each thread would turn all TypeScript files into JavaScript again.
 */
const bootstrap = `
  const { entry, compileCache } = require('node:worker_threads').workerData
  if (compileCache !== undefined) require('node:module').enableCompileCache(compileCache)
  import(entry)`

export class Thread<Message> {
  readonly #worker: Worker
  /** Set when the thread has ended: its own error, or an error that says with which status it ended. */
  #failure: Error | undefined
  /** Makes `until` test its condition again; undefined before the first wait. */
  #wake: (() => void) | undefined

  /** Runs the file `entry` in a new thread, which reads its task from `workerData.task`. */
  constructor(entry: URL, task: unknown, onMessage: (message: Message) => void) {
    this.#worker = new Worker(bootstrap, {
      eval: true,
      workerData: { entry: entry.href, compileCache: getCompileCacheDir(), task },
      // In MiB: far more than a thread needs, and low enough that V8 collects garbage before memory runs out.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    })
    this.#worker.on('message', (message: Message) => {
      onMessage(message)
      this.#wake?.()
    })
    this.#worker.on('error', (error: Error) => this.#fail(error))
    // After an `error` there is an `exit` too; `#fail` keeps the first.
    this.#worker.on('exit', (status) => this.#fail(new Error(`the thread ended with status ${status}`)))
  }

  /** Keeps the first failure, and wakes the caller of `until`. */
  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake?.()
  }

  /**
   * Sends a message. The buffers in `transferred` are moved to the thread and are empty here afterwards. Throws if the
   * thread has ended.
   */
  send(message: unknown, transferred: readonly ArrayBuffer[] = []): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(message, transferred)
  }

  /**
   * Resolves when the condition holds, which is tested at once and after each message. Rejects if the thread has ended
   * and the condition does not hold. The condition is tested first, because a thread also ends when its work is done.
   * Only one caller may wait at a time.
   */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Ends the thread, even in the middle of its work. */
  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}
