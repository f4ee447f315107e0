// A thread that inverts stretches of records (inverter.ts) and appends each run to a file of its own.
import { openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Inverter } from './inverter.ts'

/** Consecutive records: titles and contents alternate. */
export interface Stretch {
  readonly first: number
  readonly texts: readonly string[]
  readonly endsRun: boolean
}

/** Where a finished run lies in the thread's file; null for a stretch that ended none. */
export type Inverted = { readonly start: number; readonly size: number } | null

const inverter = new Inverter()
const file = openSync((workerData as { runFile: string }).runFile, 'w')
let start = 0

parentPort?.on('message', ({ first, texts, endsRun }: Stretch) => {
  for (let i = 0; i < texts.length; i += 2) inverter.add(first + i / 2, texts[i] ?? '', texts[i + 1] ?? '')
  let inverted: Inverted = null
  if (endsRun) {
    const size = inverter.writeRun((bytes) => writeAll(bytes))
    inverted = { start, size }
    start += size
  }
  parentPort?.postMessage(inverted)
})

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}
