// A thread of the import that inverts stretches of records (inverter.ts) and appends each run to a file of its own.
import { openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Inverter, type RunSizes } from './inverter.ts'
import { invertStretch, type Stretch } from './text-batch.ts'

export interface InvertMessage {
  readonly stretch: Stretch
  readonly endsRun: boolean
}

/** Where the run that the stretch has ended lies, null where it goes on. */
export type Inverted = (RunSizes & { readonly start: number }) | null

const inverter = new Inverter()
const runFile = openSync((workerData as { task: string }).task, 'w')
let start = 0

parentPort?.on('message', ({ stretch, endsRun }: InvertMessage) => {
  invertStretch(stretch, inverter)
  let run: Inverted = null
  if (endsRun) {
    run = { ...inverter.writeRun(writeAll), start }
    start += run.form + run.stem
  }
  parentPort?.postMessage(run)
})

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(runFile, bytes, written)
}
