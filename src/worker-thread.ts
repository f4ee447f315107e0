// A thread of the import as the main one sees it: what it answers, or that it has failed.
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** At once, for one kind of work. */
export const threadsMax: number = Math.min(availableParallelism(), 8)

/** A thread does not inherit the cache of compiled code; without it each would load what strips types by itself. */
const start = `
  const { entry, compileCache } = require('node:worker_threads').workerData
  if (compileCache !== undefined) require('node:module').enableCompileCache(compileCache)
  import(entry)`

export class Thread<Answer> {
  readonly #worker: Worker
  #failure: Error | undefined
  #wake: (() => void) | undefined

  /** Runs the file, which finds its task as `workerData.task`. */
  constructor(entry: URL, task: unknown, onAnswer: (answer: Answer) => void) {
    this.#worker = new Worker(start, {
      eval: true,
      workerData: { entry: entry.href, compileCache: getCompileCacheDir(), task },
      // Far more than it needs, and near enough to make it collect in good time.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    })
    this.#worker.on('message', (answer: Answer) => {
      onAnswer(answer)
      this.#wake?.()
    })
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
      this.#wake?.()
    })
  }

  /** What is handed over is gone here. */
  send(message: unknown, handedOver: readonly ArrayBuffer[] = []): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(message, handedOver)
  }

  /** Resolves once answers have made it so; throws what the thread has failed with. */
  async until(isSo: () => boolean): Promise<void> {
    while (this.#failure === undefined && !isSo()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}
