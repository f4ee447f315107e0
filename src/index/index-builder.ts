// Builds the inverted index of an import: takes the texts of records in canonical order, has worker threads invert them
// into sorted runs, and has the runs merged into posting lists (an external merge sort). Where a run ends depends on
// the texts and not on timing, so the same texts give the same index.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Thread, threadsMax } from '../worker-thread.ts'
import type { InvertMessage, InvertResult } from './invert-worker.ts'
import { Inverter, type RecordTexts, type RunLayout, type RunPart, runParts } from './inverter.ts'
import { mergeRuns, type Run } from './merge.ts'
import type { MergeProgress, MergeTask } from './merge-worker.ts'
import { readPostingFile } from './posting-file.ts'
import type { PostingWriter } from './posting-writer.ts'
import { invertBatch, TextBatchWriter } from './text-batch.ts'

/** A run ends when its texts have this size. Bounds the memory of a thread. */
const runBytesMax = 4 * 1024 * 1024
/** What a record adds to the size of a run besides its texts. */
const recordBytes = 16
/**
 * Batches that may wait for a thread. A run has fewer (about 64, text-batch.ts), so a whole run can wait for one thread
 * while the next thread gets its run.
 */
const queuedBatchesMax = 72

/**
 * A run, with each of its two parts as a run of its own. The keys of all forms come before those of the stems, so the
 * parts are merged separately and written in this order.
 */
type DividedRun = Readonly<Record<RunPart, Run>> & { readonly hasTitlesOnly: boolean }

export class IndexBuilder {
  readonly #folder: string
  /** Threads start when they are needed; a small registry needs none. */
  readonly #invertThreads: InvertThread[] = []
  readonly #mergeThreads: Thread<MergeProgress>[] = []
  /** In the order of the records. Undefined until the thread has written the run. */
  readonly #runs: (DividedRun | undefined)[] = []
  /** The texts that are not yet sent to a thread. */
  readonly #batch = new TextBatchWriter()
  /** Size of the texts of the current run. */
  #runBytes = 0
  /** The thread that inverts the current run. */
  #threadIndex = 0

  /** Writes the runs to a new folder inside `folder`. */
  constructor(folder: string) {
    this.#folder = mkdtempSync(join(folder, 'runs-'))
  }

  /** Adds the texts of the next record. Returns a promise if the caller must wait before it adds more. */
  add(texts: RecordTexts): Promise<void> | undefined {
    this.#runBytes += this.#batch.add(texts) + recordBytes
    if (this.#runBytes >= runBytesMax) return this.#sendBatch({ endsRun: true })
    return this.#batch.isFull ? this.#sendBatch({ endsRun: false }) : undefined
  }

  /** Writes all posting lists. The progress is in bytes of the runs. */
  async finish(writer: PostingWriter, onProgress: (doneBytes: number, totalBytes: number) => void): Promise<void> {
    const isSmall = this.#invertThreads.length === 0
    if (isSmall) this.#invertInThisThread()
    else await this.#sendBatch({ endsRun: true })
    await Promise.all(this.#invertThreads.map((thread) => thread.idle()))
    const written = this.#runs.filter((run) => run !== undefined)
    assert.equal(written.length, this.#runs.length, 'every run was written')
    const runs = { forms: toRuns(written, 'forms'), stems: toRuns(written, 'stems') }
    const totalBytes = [...runs.forms, ...runs.stems].reduce((sum, { size }) => sum + size, 0)
    // Frees the memory of the inverters before the merge.
    await this.#stopThreads()
    if (isSmall) {
      for (const part of runParts) mergeRuns(runs[part], this.#batch.totalRecordCount, writer, () => {})
    } else {
      const merges = this.#startMerges(runs, (doneBytes) => onProgress(doneBytes, totalBytes))
      // One after the other, because each part continues the chunk numbers of the part before.
      for (const merge of merges) await copyMerged(merge, writer)
    }
    onProgress(totalBytes, totalBytes)
    await this.#stopThreads()
  }

  /** Deletes the runs. To be called even if `finish` fails. */
  async close(): Promise<void> {
    await this.#stopThreads()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Sends the texts added so far to the thread of the current run. Returns a promise if its queue is full. */
  #sendBatch({ endsRun }: { endsRun: boolean }): Promise<void> | undefined {
    const file = join(this.#folder, `thread-${this.#threadIndex}`)
    const thread = this.#invertThreads[this.#threadIndex] ?? new InvertThread(file)
    this.#invertThreads[this.#threadIndex] = thread
    const runIndex = this.#runs.length
    if (endsRun) {
      this.#runs.push(undefined)
      this.#threadIndex = (this.#threadIndex + 1) % threadsMax
      this.#runBytes = 0
    }
    return thread.send({ batch: this.#batch.take(), endsRun }, (run) => {
      // Null if the batch does not end its run.
      if (run !== null) this.#runs[runIndex] = toDividedRun(file, run.start, run)
    })
  }

  /** A single batch is inverted faster than a thread starts. */
  #invertInThisThread(): void {
    const inverter = new Inverter()
    invertBatch(this.#batch.take(), inverter)
    const file = join(this.#folder, 'main-thread')
    writeFileSync(file, '')
    const layout = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    this.#runs.push(toDividedRun(file, 0, layout))
  }

  /** Starts a thread for each part. */
  #startMerges(runs: Readonly<Record<RunPart, readonly Run[]>>, onProgress: (doneBytes: number) => void): Merge[] {
    const mergedBytes = { forms: 0, stems: 0 }
    return runParts.map((part) => {
      const file = join(this.#folder, part)
      const fileSizes: number[] = []
      let isEnd = false
      const task: MergeTask = { runs: runs[part], recordCount: this.#batch.totalRecordCount, file }
      const thread = new Thread<MergeProgress>(new URL('./merge-worker.ts', import.meta.url), task, (progress) => {
        fileSizes.push(progress.fileSize)
        isEnd = progress.isEnd
        mergedBytes[part] = progress.mergedBytes
        onProgress(mergedBytes.forms + mergedBytes.stems)
      })
      this.#mergeThreads.push(thread)
      return { file, fileSizes, more: () => thread.until(() => fileSizes.length > 0 || isEnd) }
    })
  }

  async #stopThreads(): Promise<void> {
    const threads = [...this.#invertThreads.splice(0), ...this.#mergeThreads.splice(0)]
    await Promise.all(threads.map((thread) => thread.stop()))
  }
}

/** A merge in a thread, which writes a file of posting lists. */
interface Merge {
  readonly file: string
  /** Queue of the sizes to which the file has grown, ascending. */
  readonly fileSizes: number[]
  /** Resolves when the queue has an element or the merge is finished. */
  more(): Promise<void>
}

/** Copies the posting lists from the file of the merge to the writer while the file grows. */
async function copyMerged({ file, fileSizes, more }: Merge, writer: PostingWriter): Promise<void> {
  const sink = writer.toAppendSink()
  let copiedBytes = 0
  for (await more(); fileSizes.length > 0; await more()) {
    const fileSize = fileSizes.shift() ?? copiedBytes
    readPostingFile(file, copiedBytes, fileSize, sink)
    copiedBytes = fileSize
  }
}

/** `start` is where the run starts in the file, in bytes. */
function toDividedRun(file: string, start: number, { partBytes, hasTitlesOnly }: RunLayout): DividedRun {
  const forms = { file, start, size: partBytes.forms }
  const stems = { file, start: start + partBytes.forms, size: partBytes.stems }
  return { forms, stems, hasTitlesOnly }
}

/**
 * The runs to merge for a part. A run without contents has posting lists of titles only. If other runs have contents,
 * it is read twice: its posting lists of titles are also those of whole records. If no run has contents, the index has
 * posting lists of titles only.
 */
function toRuns(runs: readonly DividedRun[], part: RunPart): Run[] {
  const allHaveTitlesOnly = runs.every((run) => run.hasTitlesOnly)
  return runs.flatMap((run) =>
    run.hasTitlesOnly && !allHaveTitlesOnly ? [run[part], { ...run[part], asWholeRecords: true }] : [run[part]],
  )
}

/** Worker thread that inverts batches (invert-worker.ts). It answers its messages in the order of sending. */
class InvertThread {
  readonly #thread: Thread<InvertResult>
  /** One for each message that is not answered yet, in the order of sending. */
  readonly #callbacks: ((result: InvertResult) => void)[] = []

  constructor(runFile: string) {
    this.#thread = new Thread(new URL('./invert-worker.ts', import.meta.url), runFile, (result) =>
      this.#callbacks.shift()?.(result),
    )
  }

  /** Calls `onResult` with the answer. Returns a promise if the queue is full. */
  send(message: InvertMessage, onResult: (result: InvertResult) => void): Promise<void> | undefined {
    // The buffer of the texts is transferred, not copied.
    this.#thread.send(message, [message.batch.bytes.buffer])
    this.#callbacks.push(onResult)
    return this.#callbacks.length > queuedBatchesMax
      ? this.#thread.until(() => this.#callbacks.length <= queuedBatchesMax)
      : undefined
  }

  /** Resolves when the queue is empty. */
  idle(): Promise<void> {
    return this.#thread.until(() => this.#callbacks.length === 0)
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}
