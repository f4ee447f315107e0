// Worker thread of the import that merges one part of all runs, forms or stems (merge.ts), into a file of posting
// lists. index-builder.ts starts one for each part after the threads that wrote the runs have ended, and reads the file
// while it grows.
import { parentPort, workerData } from 'node:worker_threads'
import { mergeRuns, type Run } from './merge.ts'
import { PostingFileWriter } from './posting-file.ts'
import { PostingWriter } from './posting-writer.ts'

export interface MergeTask {
  readonly runs: readonly Run[]
  readonly recordCount: number
  /** The file to write. */
  readonly file: string
}

export interface MergeProgress {
  /** Size of the file so far. */
  readonly fileSize: number
  /** Bytes of the runs that are merged. */
  readonly mergedBytes: number
  /** The file is complete. */
  readonly isEnd: boolean
}

const { runs, recordCount, file } = (workerData as { task: MergeTask }).task
let mergedBytes = 0
const postings = new PostingFileWriter(file, (fileSize) => report({ fileSize, mergedBytes, isEnd: false }))
mergeRuns(runs, recordCount, new PostingWriter(postings), (bytes) => {
  mergedBytes = bytes
})
report({ fileSize: postings.close(), mergedBytes, isEnd: true })

function report(progress: MergeProgress): void {
  parentPort?.postMessage(progress)
}
