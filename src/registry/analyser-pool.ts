// Makes the tokens of records in worker threads, which takes most of the time of an import, while the calling thread
// writes the index. Batches of records go to the threads in turn, and their tokens come back in the order of the
// records.
import { Thread, threadsMax } from '../worker-thread.ts'
import {
  forgetWords,
  type Inflection,
  type RecordTexts,
  type RecordTokens,
  takeInflections,
  toRecordTokens,
} from './tokens.ts'

/** A batch is full when its texts have this many characters. */
const batchCharacters = 64 * 1024
/** A record counts as this many characters in addition to its texts: a title takes long to analyse. */
const recordCharacters = 256
/** Batches that a thread has or that wait for it. */
const batchesPerThread = 4
/** The calling thread has work of its own. */
const threadCount = Math.max(1, threadsMax - 1)

/** Receives the tokens of some records, in the order in which these were added. */
type TakeTokens = (tokens: readonly RecordTokens[], inflections: readonly Inflection[]) => void

export class AnalyserPool {
  readonly #takeTokens: TakeTokens
  readonly #threads: Thread<AnalysedBatch>[] = []
  #batch: RecordTexts[] = []
  #batchCharacters = 0
  /** By thread: batches that it has not answered yet. */
  readonly #unanswered: number[] = []
  /** Number of batches sent, and of those whose tokens were taken. */
  #sent = 0
  #taken = 0
  /** The tokens that came before those of an earlier batch, by the number of their batch. */
  readonly #early = new Map<number, AnalysedBatch>()

  constructor(takeTokens: TakeTokens) {
    this.#takeTokens = takeTokens
  }

  /** Returns a promise if the caller must wait before it adds more. */
  add(texts: RecordTexts): Promise<void> | undefined {
    this.#batch.push(texts)
    this.#batchCharacters += texts.title.length + texts.area.length + recordCharacters
    for (const text of [...texts.fields, ...texts.pages]) this.#batchCharacters += text.length
    return this.#batchCharacters >= batchCharacters ? this.#send() : undefined
  }

  #send(): Promise<void> | undefined {
    const index = this.#sent % threadCount
    this.#threads[index] ??= this.#startThread(index)
    const thread = this.#threads[index]
    thread.send({ number: this.#sent++, records: this.#batch })
    this.#batch = []
    this.#batchCharacters = 0
    this.#unanswered[index] = this.#countUnanswered(index) + 1
    const isFull = (): boolean => this.#countUnanswered(index) > batchesPerThread
    return isFull() ? thread.until(() => !isFull()) : undefined
  }

  #countUnanswered(index: number): number {
    return this.#unanswered[index] ?? 0
  }

  #startThread(index: number): Thread<AnalysedBatch> {
    return new Thread(new URL('./analyser-thread.ts', import.meta.url), undefined, (batch) => {
      this.#unanswered[index] = this.#countUnanswered(index) - 1
      this.#early.set(batch.number, batch)
      this.#takeInOrder()
    })
  }

  #takeInOrder(): void {
    for (let next = this.#early.get(this.#taken); next !== undefined; next = this.#early.get(this.#taken)) {
      this.#early.delete(this.#taken++)
      this.#takeTokens(next.tokens, next.inflections)
    }
  }

  /** Takes the tokens of all records that were added. */
  async finish(): Promise<void> {
    if (this.#threads.length === 0) {
      // A single batch is analysed faster than a thread starts.
      forgetWords()
      this.#takeTokens(this.#batch.splice(0).map(toRecordTokens), takeInflections())
      return
    }
    if (this.#batch.length > 0) await this.#send()
    for (const [index, thread] of this.#threads.entries()) {
      await thread.until(() => this.#countUnanswered(index) === 0)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()))
  }
}

/** What a thread is sent, and what it answers. */
export interface TextBatch {
  readonly number: number
  readonly records: readonly RecordTexts[]
}
export interface AnalysedBatch {
  readonly number: number
  readonly tokens: readonly RecordTokens[]
  readonly inflections: readonly Inflection[]
}
