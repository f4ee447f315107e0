// Worker thread of the import that inverts batches of texts (inverter.ts) and appends each run to its own file.
import { openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Inverter, type RunSizes } from './inverter.ts'
import { invertBatch, type TextBatch } from './text-batch.ts'

export interface InvertMessage {
  readonly batch: TextBatch
  /** The batch is the last of its run. */
  readonly endsRun: boolean
}

/** The run that ends with the batch, or null if the run continues. */
export type InvertResult = (RunSizes & { readonly start: number }) | null

const inverter = new Inverter()
const runFile = openSync((workerData as { task: string }).task, 'w')
let start = 0

parentPort?.on('message', ({ batch, endsRun }: InvertMessage) => {
  invertBatch(batch, inverter)
  let run: InvertResult = null
  if (endsRun) {
    run = { ...inverter.writeRun(writeAll), start }
    start += run.form + run.stem
  }
  parentPort?.postMessage(run)
})

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(runFile, bytes, written)
}
