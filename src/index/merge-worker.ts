// A thread of the import that merges one part of the runs (merge.ts) into finished lists in a file (list-file.ts). It
// is another than those that made the runs, so that their memory is free by then.
import { parentPort, workerData } from 'node:worker_threads'
import { mergeRuns, type Run } from './merge.ts'
import { ListFileWriter } from './posting-file.ts'
import { BlockWriter } from './posting-writer.ts'

export interface Merge {
  readonly runs: readonly Run[]
  readonly recordCount: number
  readonly file: string
}

/** So many bytes of lists are in the file, of so many bytes of runs. */
export interface Merged {
  readonly written: number
  readonly merged: number
  readonly isEnd: boolean
}

const { runs, recordCount, file } = (workerData as { task: Merge }).task
let merged = 0
const lists = new ListFileWriter(file, (written) => answer({ written, merged, isEnd: false }))
mergeRuns(runs, recordCount, new BlockWriter(lists), (done) => {
  merged = done
})
answer({ written: lists.close(), merged, isEnd: true })

function answer(message: Merged): void {
  parentPort?.postMessage(message)
}
