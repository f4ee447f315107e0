// Builds the inverted index of an import by an external merge sort. It takes the texts of records in canonical order
// (newest first) and sends them in batches to worker threads (invert-worker.ts). These write sorted runs to files: a
// run has the posting lists of some consecutive records. Then other threads (merge-worker.ts) merge the runs into the
// posting lists of all records. Where a run ends depends on the texts and not on timing, so the same texts give the
// same index.
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

/** A run ends when its texts have this size, which bounds the memory of a thread. */
const runBytesMax = 4 * 1024 * 1024
/**
 * A record counts as this many bytes in addition to its texts: analysing a title takes as long as analysing 256 bytes
 * of content. Without this, a single run, and so a single thread, would get most of a registry without content.
 */
const recordBytes = 256
/**
 * Batches that may wait for a thread. It is more than the batches of a run (about 64: 4 MiB in batches of 64 KiB), so
 * that a whole run can wait for one thread while the next thread gets its run.
 */
const queuedBatchesMax = 72

/**
 * A run, with each of its two parts as a run of its own. All keys of forms (folded words) come before all keys of
 * stems, so the parts can be merged at the same time, and the merged forms are written before the merged stems. The
 * run has titles only if none of its records has content (text other than its title).
 */
type DividedRun = Readonly<Record<RunPart, Run>> & { readonly hasTitlesOnly: boolean }

export class IndexBuilder {
  /** The folder of the runs. */
  readonly #folder: string
  /** Threads start when they are needed. A registry whose texts fit in one batch needs none. */
  readonly #invertThreads: InvertThread[] = []
  readonly #mergeThreads: MergeThread[] = []
  /**
   * The runs whose last batch was sent, in the order of the records. An element is undefined until a thread has written
   * the run.
   */
  readonly #runs: (DividedRun | undefined)[] = []
  /** The texts that are not yet sent to a thread. */
  readonly #batch = new TextBatchWriter()
  /** Size of the texts of the current run so far, sent or not, with `recordBytes` for each record. */
  #runBytes = 0
  /** The index of the thread that inverts the current run. The runs go to the threads in turn. */
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

  /**
   * Ends the last run, merges all runs, and writes all posting lists. The progress is in bytes of the runs: the bytes
   * of postings count as they are merged, those of all keys at the end. To be called once, after the last `add`.
   */
  async finish(writer: PostingWriter, onProgress: (doneBytes: number, totalBytes: number) => void): Promise<void> {
    const isSingleBatch = this.#invertThreads.length === 0
    if (isSingleBatch) this.#invertInThisThread()
    else await this.#finishThreads()
    const runs = this.#toRunsOfParts()
    const totalBytes = [...runs.forms, ...runs.stems].reduce((sum, { size }) => sum + size, 0)
    if (isSingleBatch) {
      for (const part of runParts) mergeRuns(runs[part], this.#batch.totalRecordCount, writer, () => {})
    } else {
      const merges = this.#startMerges(runs, (doneBytes) => onProgress(doneBytes, totalBytes))
      // One after the other: blocks and position chunks are numbered through all posting lists, so the second part
      // continues the numbers of the first.
      for (const merge of merges) await copyMergedLists(merge, writer)
    }
    onProgress(totalBytes, totalBytes)
    await this.#stopThreads()
  }

  /** Stops the threads and deletes the runs. To be called in any case, after `finish` or instead of it. */
  async close(): Promise<void> {
    await this.#stopThreads()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Ends the last run, waits until the threads have written all runs, and stops them to free memory for the merge. */
  async #finishThreads(): Promise<void> {
    await this.#sendBatch({ endsRun: true })
    await Promise.all(this.#invertThreads.map((thread) => thread.waitUntilIdle()))
    await this.#stopThreads()
  }

  /** The runs to merge for each part. To be called when all runs are written. */
  #toRunsOfParts(): Readonly<Record<RunPart, readonly Run[]>> {
    const written = this.#runs.filter((run) => run !== undefined)
    assert.equal(written.length, this.#runs.length, 'every run was written')
    return { forms: toRunsOfPart(written, 'forms'), stems: toRunsOfPart(written, 'stems') }
  }

  /**
   * Sends the texts of `#batch` to the thread of the current run. With `endsRun`, the next record starts a new run on
   * the next thread. Returns a promise if the queue of the thread is full.
   */
  #sendBatch({ endsRun }: { endsRun: boolean }): Promise<void> | undefined {
    const path = join(this.#folder, `thread-${this.#threadIndex}`)
    const thread = this.#invertThreads[this.#threadIndex] ?? new InvertThread(path)
    this.#invertThreads[this.#threadIndex] = thread
    const runIndex = this.#runs.length
    if (endsRun) {
      // Reserves the place of the run, because the threads finish their runs in any order.
      this.#runs.push(undefined)
      this.#threadIndex = (this.#threadIndex + 1) % threadsMax
      this.#runBytes = 0
    }
    return thread.send({ batch: this.#batch.take(), endsRun }, (run) => {
      if (run !== null) this.#runs[runIndex] = toDividedRun(path, run.start, run)
    })
  }

  /** Writes the only run without a thread: a single batch is inverted faster than a thread starts. */
  #invertInThisThread(): void {
    const inverter = new Inverter()
    invertBatch(this.#batch.take(), inverter)
    const path = join(this.#folder, 'main-thread')
    writeFileSync(path, '')
    const layout = inverter.writeRun((bytes) => appendFileSync(path, bytes))
    this.#runs.push(toDividedRun(path, 0, layout))
  }

  /** Starts a thread for each part. Returns them in the order of `runParts`. */
  #startMerges(
    runs: Readonly<Record<RunPart, readonly Run[]>>,
    onProgress: (mergedBytes: number) => void,
  ): readonly MergeThread[] {
    const merges = runParts.map((part) => {
      const task = { runs: runs[part], recordCount: this.#batch.totalRecordCount, path: join(this.#folder, part) }
      return new MergeThread(task, () => onProgress(merges.reduce((sum, { mergedBytes }) => sum + mergedBytes, 0)))
    })
    this.#mergeThreads.push(...merges)
    return merges
  }

  async #stopThreads(): Promise<void> {
    const threads = [...this.#invertThreads.splice(0), ...this.#mergeThreads.splice(0)]
    await Promise.all(threads.map((thread) => thread.stop()))
  }
}

/** Copies the posting lists from the file of the merge to the writer while the file grows, until it is complete. */
async function copyMergedLists(merge: MergeThread, writer: PostingWriter): Promise<void> {
  const sink = writer.toAppendSink()
  let copiedBytes = 0
  for await (const fileSize of merge.fileSizes()) {
    readPostingFile(merge.path, copiedBytes, fileSize, sink)
    copiedBytes = fileSize
  }
}

/** `start` is where the run starts in the file, in bytes. Its forms come first, then its stems. */
function toDividedRun(path: string, start: number, { partBytes, hasTitlesOnly }: RunLayout): DividedRun {
  const forms = { path, start, size: partBytes.forms }
  const stems = { path, start: start + partBytes.forms, size: partBytes.stems }
  return { forms, stems, hasTitlesOnly }
}

/**
 * The runs to merge for a part. A run in which no record has content has posting lists of titles only (`g`, `s`, `t`).
 * If another run has content, the index has posting lists of whole records too (`f`, `w`). For these the run is read a
 * second time, with `g` as `f` and `t` as `w`, because the title of each of its records is the whole record.
 */
function toRunsOfPart(runs: readonly DividedRun[], part: RunPart): Run[] {
  const indexHasTitlesOnly = runs.every((run) => run.hasTitlesOnly)
  return runs.flatMap((run) => {
    const isReadTwice = run.hasTitlesOnly && !indexHasTitlesOnly
    return isReadTwice ? [run[part], { ...run[part], asWholeRecords: true }] : [run[part]]
  })
}

/** Worker thread that inverts batches (invert-worker.ts). It answers each message, in the order of sending. */
class InvertThread {
  readonly #thread: Thread<InvertResult>
  /** The queue: one callback for each message that is not answered yet, in the order of sending. */
  readonly #callbacks: ((result: InvertResult) => void)[] = []

  /** `runPath` is the path of the file that the thread writes its runs to. */
  constructor(runPath: string) {
    this.#thread = new Thread(new URL('./invert-worker.ts', import.meta.url), runPath, (result) =>
      this.#callbacks.shift()?.(result),
    )
  }

  /** Calls `onResult` with the answer. If the queue is full, returns a promise, which resolves when it is not full. */
  send(message: InvertMessage, onResult: (result: InvertResult) => void): Promise<void> | undefined {
    // The buffer of the texts is transferred, not copied.
    this.#thread.send(message, [message.batch.bytes.buffer])
    this.#callbacks.push(onResult)
    return this.#callbacks.length > queuedBatchesMax
      ? this.#thread.until(() => this.#callbacks.length <= queuedBatchesMax)
      : undefined
  }

  /** Resolves when the queue is empty. */
  waitUntilIdle(): Promise<void> {
    return this.#thread.until(() => this.#callbacks.length === 0)
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}

/** Worker thread that merges the runs of a part (merge-worker.ts) into a file of posting lists (posting-file.ts). */
class MergeThread {
  readonly path: string
  /** The bytes of postings that are merged so far. */
  mergedBytes = 0
  readonly #thread: Thread<MergeProgress>
  /** The queue: the file sizes that the thread has reported and `fileSizes` has not yet yielded. */
  readonly #reportedSizes: number[] = []
  #isComplete = false

  constructor(task: MergeTask, onProgress: () => void) {
    this.path = task.path
    this.#thread = new Thread(new URL('./merge-worker.ts', import.meta.url), task, (progress) => {
      this.mergedBytes = progress.mergedBytes
      this.#reportedSizes.push(progress.fileSize)
      this.#isComplete = progress.isComplete
      onProgress()
    })
  }

  /** Yields the size of the file each time it has grown. Ends when the file is complete. */
  async *fileSizes(): AsyncGenerator<number, void, undefined> {
    for (;;) {
      await this.#thread.until(() => this.#reportedSizes.length > 0 || this.#isComplete)
      const size = this.#reportedSizes.shift()
      if (size === undefined) return
      yield size
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}
