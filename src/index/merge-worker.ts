// Worker thread of the import that merges the runs of one kind of key (merge.ts) into a file of posting lists. It is
// not one of the threads that wrote the runs, so their memory is already free.
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
  readonly isEnd: boolean
}

const { runs, recordCount, file } = (workerData as { task: MergeTask }).task
let mergedBytes = 0
const postings = new PostingFileWriter(file, (fileSize) => report({ fileSize, mergedBytes, isEnd: false }))
mergeRuns(runs, recordCount, new PostingWriter(postings), (done) => {
  mergedBytes = done
})
report({ fileSize: postings.close(), mergedBytes, isEnd: true })

function report(progress: MergeProgress): void {
  parentPort?.postMessage(progress)
}
