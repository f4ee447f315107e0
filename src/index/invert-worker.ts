// Worker thread of the import that inverts batches of texts into sorted runs (inverter.ts). A run has the posting lists
// of some consecutive records. index-builder.ts starts the threads and sends the batches. Each thread has one file, to
// which it appends its runs.
import { openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Inverter, type RunLayout } from './inverter.ts'
import { invertBatch, type TextBatch } from './text-batch.ts'

export interface InvertMessage {
  readonly batch: TextBatch
  /** Whether the batch is the last of its run. */
  readonly endsRun: boolean
}

/**
 * The answer to a message. If its batch ends a run: the layout of the run, and where it starts in the file, in bytes.
 * Null if the run continues.
 */
export type InvertResult = (RunLayout & { readonly start: number }) | null

const inverter = new Inverter()
/** `Thread` (worker-thread.ts) passes a task to the thread: here it is the path of the file. */
const { task: runPath } = workerData as { task: string }
const descriptor = openSync(runPath, 'w')
let fileSize = 0

parentPort?.on('message', ({ batch, endsRun }: InvertMessage) => {
  invertBatch(batch, inverter)
  let run: InvertResult = null
  if (endsRun) {
    run = { ...inverter.writeRun(writeAll), start: fileSize }
    // The two parts are all that a run has.
    fileSize += run.partBytes.forms + run.partBytes.stems
  }
  parentPort?.postMessage(run)
})

/** Appends the bytes to the file. `writeSync` may write fewer bytes than it is given. */
function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}
