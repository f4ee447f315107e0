// The import's side of the index: takes titles and contents in canonical order, has them inverted on threads, and at
// the end merges the runs into posting lists. Where a run ends depends on the texts alone, never on timing.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BlockWriter } from './block-writer.ts'
import type { Inverted, Stretch } from './invert-worker.ts'
import { Inverter } from './inverter.ts'
import { mergeRuns, type Run } from './merge.ts'

/** Characters in one message to a thread: large enough that passing it on costs little beside inverting it. */
const stretchCharactersMax = 128 * 1024
/** Characters in one run: bounds the memory of a thread. */
const runCharactersMax = 2 * 1024 * 1024
/** Messages a thread may have waiting: a whole run and more, so that the next thread gets its own meanwhile. */
const waitingMax = 20

const threadsMax = Math.min(availableParallelism(), 8)

export class IndexBuilder {
  readonly #folder: string
  /** Started as they are needed: a small registry needs none. */
  readonly #threads: Thread[] = []
  /** In the order of the records; each known once its thread has written it. */
  readonly #runs: (Run | undefined)[] = []
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
    await this.#stopThreads()
    const runs = this.#runs.filter((run) => run !== undefined)
    if (runs.length < this.#runs.length) throw new Error('a run of the index was never written')
    mergeRuns(runs, this.#records, writer, onProgress)
  }

  async close(): Promise<void> {
    await this.#stopThreads()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #send(endsRun: boolean): Promise<void> | undefined {
    const thread = this.#threads[this.#turn] ?? new Thread(join(this.#folder, `thread-${this.#turn}`))
    this.#threads[this.#turn] = thread
    const run = this.#runs.length
    if (endsRun) {
      this.#runs.push(undefined)
      this.#turn = (this.#turn + 1) % threadsMax
      this.#runCharacters = 0
    }
    const room = thread.send({ first: this.#first, texts: this.#texts, endsRun }, (written) => {
      this.#runs[run] = written
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
    const size = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    this.#runs.push({ file, start: 0, size })
  }

  async #stopThreads(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()))
  }
}

class Thread {
  readonly #file: string
  readonly #worker: Worker
  readonly #waiting: ((run: Run) => void)[] = []
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(file: string) {
    this.#file = file
    this.#worker = new Worker(new URL('./invert-worker.ts', import.meta.url), {
      workerData: { runFile: file },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    })
    this.#worker.on('message', (inverted: Inverted) => {
      const onRun = this.#waiting.shift()
      if (inverted !== null) onRun?.({ file: this.#file, ...inverted })
      this.#wake?.()
    })
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
      this.#wake?.()
    })
  }

  send(stretch: Stretch, onRun: (run: Run) => void): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(stretch)
    this.#waiting.push(onRun)
    return this.#waiting.length > waitingMax ? this.#untilWaiting(waitingMax) : undefined
  }

  idle(): Promise<void> {
    return this.#untilWaiting(0)
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  async #untilWaiting(most: number): Promise<void> {
    while (this.#waiting.length > most) {
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
  }
}
