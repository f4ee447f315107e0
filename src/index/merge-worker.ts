// Worker thread of the import that merges one part of all runs, the forms (folded words) or the stems, into a file of
// posting lists (merge.ts). A run has the posting lists of some consecutive records. index-builder.ts starts a thread
// for each part when all runs are written, and reads the file while it grows.
import { parentPort, workerData } from 'node:worker_threads'
import { mergeRuns, type Run } from './merge.ts'
import { PostingFileWriter } from './posting-file.ts'
import { PostingWriter } from './posting-writer.ts'

export interface MergeTask {
  readonly runs: readonly Run[]
  /** Number of records of the whole registry. */
  readonly recordCount: number
  /** The path of the file to write (posting-file.ts). */
  readonly path: string
}

/** Sent after each write to the file, and once more when the file is complete. */
export interface MergeProgress {
  /** Size of the file so far, in bytes. */
  readonly fileSize: number
  /** Bytes of the postings that are merged so far. The keys of the runs are not counted. */
  readonly mergedBytes: number
  /** Whether the file is complete. Then this is the last message. */
  readonly isComplete: boolean
}

/** `Thread` (worker-thread.ts) passes the task. */
const { runs, recordCount, path } = (workerData as { task: MergeTask }).task
let mergedBytes = 0
const postings = new PostingFileWriter(path, (fileSize) => report({ fileSize, mergedBytes, isComplete: false }))
mergeRuns(runs, recordCount, new PostingWriter(postings), (bytes) => {
  mergedBytes = bytes
})
report({ fileSize: postings.close(), mergedBytes, isComplete: true })

function report(progress: MergeProgress): void {
  parentPort?.postMessage(progress)
}
