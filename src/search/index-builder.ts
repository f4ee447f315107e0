// The import's side of the index: takes titles and contents in canonical order, has them inverted on threads, and at
// the end has the runs merged into posting lists. Where a run ends depends on the texts alone, never on timing.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BlockWriter } from './block-writer.ts'
import type { Answer, Task } from './index-worker.ts'
import { Inverter, type RunSizes } from './inverter.ts'
import { readLists } from './list-file.ts'
import { mergeRuns, type Run } from './merge.ts'

/** Characters in one message to a thread: large enough that passing it on costs little beside inverting it. */
const stretchCharactersMax = 64 * 1024
/** Characters in one run: bounds the memory of a thread. */
const runCharactersMax = 4 * 1024 * 1024
/** Messages a thread may have waiting: a whole run and more, so that the next thread gets its own meanwhile. */
const waitingMax = 72

const threadsMax = Math.min(availableParallelism(), 8)

/** A run in its two parts, which are merged apart; in the order of their keys. */
interface Parts {
  readonly forms: Run
  readonly stems: Run
}
const parts = ['forms', 'stems'] as const

export class IndexBuilder {
  readonly #folder: string
  /** Started as they are needed: a small registry needs none. */
  readonly #threads: Thread[] = []
  /** In the order of the records; each known once its thread has written it. */
  readonly #runs: (Parts | undefined)[] = []
  #texts: string[] = []
  #first = 0
  #records = 0
  #stretchCharacters = 0
  #runCharacters = 0
  #turn = 0

  /** Runs are kept in a new folder inside `folder`. */
  constructor(folder: string) {
    this.#folder = mkdtempSync(join(folder, 'runs-'))
  }

  /** Resolves when there is room for more; undefined when there is already. */
  add(title: string, content: string): Promise<void> | undefined {
    this.#texts.push(title, content)
    this.#records++
    this.#stretchCharacters += title.length + content.length
    this.#runCharacters += title.length + content.length + 16
    if (this.#runCharacters >= runCharactersMax) return this.#send(true)
    if (this.#stretchCharacters >= stretchCharactersMax) return this.#send(false)
    return undefined
  }

  /** Writes every posting list. */
  async finish(writer: BlockWriter, onProgress: (done: number, total: number) => void): Promise<void> {
    if (this.#threads.length === 0) this.#invertHere()
    else await this.#send(true)
    await Promise.all(this.#threads.map((thread) => thread.idle()))
    const runs = this.#runs.filter((run) => run !== undefined)
    if (runs.length < this.#runs.length) throw new Error('a run of the index was never written')
    const total = runs.reduce((sum, { forms, stems }) => sum + forms.size + stems.size, 0)
    if (this.#threads.length === 0)
      for (const part of parts)
        this.#mergeHere(
          runs.map((run) => run[part]),
          writer,
        )
    else await this.#mergeOnThreads(runs, writer, (done) => onProgress(done, total))
    onProgress(total, total)
    await this.#stopThreads()
  }

  async close(): Promise<void> {
    await this.#stopThreads()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #send(endsRun: boolean): Promise<void> | undefined {
    const file = join(this.#folder, `thread-${this.#turn}`)
    const thread = this.#threads[this.#turn] ?? new Thread(file)
    this.#threads[this.#turn] = thread
    const run = this.#runs.length
    if (endsRun) {
      this.#runs.push(undefined)
      this.#turn = (this.#turn + 1) % threadsMax
      this.#runCharacters = 0
    }
    const task: Task = { kind: 'stretch', first: this.#first, texts: this.#texts, endsRun }
    const room = thread.send(task, (answer) => {
      if (answer.kind === 'stretch' && answer.run !== null)
        this.#runs[run] = toParts(file, answer.run.start, answer.run)
    })
    this.#texts = []
    this.#first = this.#records
    this.#stretchCharacters = 0
    return room
  }

  /** What fits into one message is inverted sooner than a thread is started. */
  #invertHere(): void {
    const inverter = new Inverter()
    for (let i = 0; i < this.#texts.length; i += 2) inverter.add(i / 2, this.#texts[i] ?? '', this.#texts[i + 1] ?? '')
    const file = join(this.#folder, 'here')
    writeFileSync(file, '')
    const sizes = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    this.#runs.push(toParts(file, 0, sizes))
  }

  #mergeHere(runs: readonly Run[], writer: BlockWriter): void {
    mergeRuns(runs, this.#records, writer, () => {})
  }

  /** Lists are stored in the order of their keys, those of the first part while both are being merged. */
  async #mergeOnThreads(
    runs: readonly Parts[],
    writer: BlockWriter,
    onProgress: (done: number) => void,
  ): Promise<void> {
    const merged = { forms: 0, stems: 0 }
    const merges = parts.map((part, index) => {
      const file = join(this.#folder, part)
      const thread = this.#threads[index % this.#threads.length]
      const task: Task = { kind: 'merge', runs: runs.map((run) => run[part]), recordCount: this.#records, file }
      const sizes = thread?.merge(task, (done) => {
        merged[part] = done
        onProgress(merged.forms + merged.stems)
      })
      return { file, sizes }
    })
    for (const { file, sizes = [] } of merges) {
      const sink = writer.takeOver()
      let read = 0
      for await (const size of sizes) {
        readLists(file, read, size, sink)
        read = size
      }
    }
  }

  async #stopThreads(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()))
  }
}

function toParts(file: string, start: number, { form, stem }: RunSizes): Parts {
  return { forms: { file, start, size: form }, stems: { file, start: start + form, size: stem } }
}

/** A thread does not inherit the cache of compiled code; without it each would load what strips types by itself. */
const start = `
  const { entry, compileCache } = require('node:worker_threads').workerData
  if (compileCache !== undefined) require('node:module').enableCompileCache(compileCache)
  import(entry)`

class Thread {
  readonly #worker: Worker
  readonly #waiting: ((answer: Answer) => void)[] = []
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(runFile: string) {
    this.#worker = new Worker(start, {
      eval: true,
      workerData: {
        runFile,
        entry: new URL('./index-worker.ts', import.meta.url).href,
        compileCache: getCompileCacheDir(),
      },
      // Far more than it needs, and near enough to make it collect in good time.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    })
    this.#worker.on('message', (answer: Answer) => {
      const isEnd = answer.kind === 'stretch' || answer.isEnd
      const onAnswer = isEnd ? this.#waiting.shift() : this.#waiting[0]
      onAnswer?.(answer)
      this.#wake?.()
    })
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
      this.#wake?.()
    })
  }

  send(task: Task, onAnswer: (answer: Answer) => void): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(task)
    this.#waiting.push(onAnswer)
    return this.#waiting.length > waitingMax ? this.#until(() => this.#waiting.length <= waitingMax) : undefined
  }

  idle(): Promise<void> {
    return this.#until(() => this.#waiting.length === 0)
  }

  /** The sizes that the file of lists grows to, until it is whole. Begins at once. */
  merge(task: Task, onProgress: (merged: number) => void): AsyncIterable<number> {
    const sizes: number[] = []
    let isEnd = false
    this.send(task, (answer) => {
      if (answer.kind !== 'merge') return
      sizes.push(answer.written)
      isEnd = answer.isEnd
      onProgress(answer.merged)
    })
    const until = (): Promise<void> => this.#until(() => sizes.length > 0 || isEnd)
    return (async function* () {
      for (;;) {
        await until()
        const size = sizes.shift()
        if (size === undefined) return
        yield size
      }
    })()
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (this.#failure === undefined && !isSo()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
  }
}
