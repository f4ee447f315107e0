// The import's side of the index: takes titles and contents in canonical order, has them inverted on threads, and at
// the end has the runs merged into posting lists. Where a run ends depends on the texts alone, never on timing.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Thread, threadsMax } from '../worker-thread.ts'
import type { Inverted, InvertMessage } from './invert-worker.ts'
import { Inverter, type RunSizes } from './inverter.ts'
import { mergeRuns, type Run } from './merge.ts'
import type { Merge, Merged } from './merge-worker.ts'
import { readLists } from './posting-file.ts'
import type { BlockWriter } from './posting-writer.ts'
import { invertStretch, StretchWriter } from './text-batch.ts'

/** Of texts in one run: bounds the memory of a thread. */
const runBytesMax = 4 * 1024 * 1024
/** What a record takes beside its texts. */
const recordBytes = 16
/** Messages a thread may have waiting: a whole run and more, so that the next thread gets its own meanwhile. */
const waitingMax = 72

/** A run in its two parts, which are merged apart; in the order of their keys. */
interface Parts {
  readonly forms: Run
  readonly stems: Run
  readonly hasTitlesAlone: boolean
}
const parts = ['forms', 'stems'] as const

export class IndexBuilder {
  readonly #folder: string
  /** Started as they are needed: a small registry needs none. */
  readonly #inverting: InvertingThread[] = []
  readonly #merging: Thread<Merged>[] = []
  /** In the order of the records; each known once its thread has written it. */
  readonly #runs: (Parts | undefined)[] = []
  readonly #stretch = new StretchWriter()
  #runBytes = 0
  #turn = 0

  /** Runs are kept in a new folder inside `folder`. */
  constructor(folder: string) {
    this.#folder = mkdtempSync(join(folder, 'runs-'))
  }

  /** Resolves when there is room for more; undefined when there is already. */
  add(title: string, content: string): Promise<void> | undefined {
    return this.#taken(this.#stretch.add(title, content))
  }

  #taken(bytes: number): Promise<void> | undefined {
    this.#runBytes += bytes + recordBytes
    if (this.#runBytes >= runBytesMax) return this.#send(true)
    return this.#stretch.isFull ? this.#send(false) : undefined
  }

  /** Writes every posting list. */
  async finish(writer: BlockWriter, onProgress: (done: number, total: number) => void): Promise<void> {
    const isSmall = this.#inverting.length === 0
    if (isSmall) this.#invertHere()
    else await this.#send(true)
    await Promise.all(this.#inverting.map((thread) => thread.idle()))
    const written = this.#runs.filter((run) => run !== undefined)
    if (written.length < this.#runs.length) throw new Error('a run of the index was never written')
    const runs = { forms: toReadings(written, 'forms'), stems: toReadings(written, 'stems') }
    const total = [...runs.forms, ...runs.stems].reduce((sum, { size }) => sum + size, 0)
    await this.#stopThreads()
    const merges = isSmall ? [] : this.#startMerging(runs, (done) => onProgress(done, total))
    if (isSmall) for (const part of parts) mergeRuns(runs[part], this.#stretch.records, writer, () => {})
    for (const merge of merges) await takeMerged(merge, writer)
    onProgress(total, total)
    await this.#stopThreads()
  }

  async close(): Promise<void> {
    await this.#stopThreads()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #send(endsRun: boolean): Promise<void> | undefined {
    const file = join(this.#folder, `thread-${this.#turn}`)
    const thread = this.#inverting[this.#turn] ?? new InvertingThread(file)
    this.#inverting[this.#turn] = thread
    const run = this.#runs.length
    if (endsRun) {
      this.#runs.push(undefined)
      this.#turn = (this.#turn + 1) % threadsMax
      this.#runBytes = 0
    }
    return thread.send({ stretch: this.#stretch.take(), endsRun }, (inverted) => {
      if (inverted !== null) this.#runs[run] = toParts(file, inverted.start, inverted)
    })
  }

  /** What fits into one message is inverted sooner than a thread is started. */
  #invertHere(): void {
    const inverter = new Inverter()
    invertStretch(this.#stretch.take(), inverter)
    const file = join(this.#folder, 'here')
    writeFileSync(file, '')
    const sizes = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    this.#runs.push(toParts(file, 0, sizes))
  }

  /** A thread for each part, in the order of their keys. */
  #startMerging(
    runs: Readonly<Record<(typeof parts)[number], readonly Run[]>>,
    onProgress: (done: number) => void,
  ): Merging[] {
    const merged = { forms: 0, stems: 0 }
    return parts.map((part) => {
      const file = join(this.#folder, part)
      const sizes: number[] = []
      let isEnd = false
      const task: Merge = { runs: runs[part], recordCount: this.#stretch.records, file }
      const thread = new Thread<Merged>(new URL('./merge-worker.ts', import.meta.url), task, (answer) => {
        sizes.push(answer.written)
        isEnd = answer.isEnd
        merged[part] = answer.merged
        onProgress(merged.forms + merged.stems)
      })
      this.#merging.push(thread)
      return { file, sizes, more: () => thread.until(() => sizes.length > 0 || isEnd) }
    })
  }

  async #stopThreads(): Promise<void> {
    const threads = [...this.#inverting.splice(0), ...this.#merging.splice(0)]
    await Promise.all(threads.map((thread) => thread.stop()))
  }
}

interface Merging {
  readonly file: string
  /** To which the file has grown, those that were not looked at yet. */
  readonly sizes: number[]
  /** Resolves once there is one more, or the end is reached. */
  more(): Promise<void>
}

/** Lists are stored in the order of their keys, those of the first part while both are being merged. */
async function takeMerged({ file, sizes, more }: Merging, writer: BlockWriter): Promise<void> {
  const sink = writer.takeOver()
  let read = 0
  for (await more(); sizes.length > 0; await more()) {
    const size = sizes.shift() ?? read
    readLists(file, read, size, sink)
    read = size
  }
}

function toParts(file: string, start: number, { form, stem, hasTitlesAlone }: RunSizes): Parts {
  return { forms: { file, start, size: form }, stems: { file, start: start + form, size: stem }, hasTitlesAlone }
}

/** Where some runs have texts, those that have none are read a second time, for the lists of whole records. */
function toReadings(runs: readonly Parts[], part: (typeof parts)[number]): Run[] {
  const haveTitlesAlone = runs.every((run) => run.hasTitlesAlone)
  return runs.flatMap((run) =>
    run.hasTitlesAlone && !haveTitlesAlone ? [run[part], { ...run[part], isForWholeRecords: true }] : [run[part]],
  )
}

/** Takes stretches, and answers each in turn. */
class InvertingThread {
  readonly #thread: Thread<Inverted>
  readonly #waiting: ((inverted: Inverted) => void)[] = []

  constructor(runFile: string) {
    this.#thread = new Thread(new URL('./invert-worker.ts', import.meta.url), runFile, (inverted) =>
      this.#waiting.shift()?.(inverted),
    )
  }

  /** Resolves when there is room for more; undefined when there is already. */
  send(message: InvertMessage, onInverted: (inverted: Inverted) => void): Promise<void> | undefined {
    this.#thread.send(message, [message.stretch.bytes.buffer])
    this.#waiting.push(onInverted)
    return this.#waiting.length > waitingMax ? this.#thread.until(() => this.#waiting.length <= waitingMax) : undefined
  }

  idle(): Promise<void> {
    return this.#thread.until(() => this.#waiting.length === 0)
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}
