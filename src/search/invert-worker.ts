// A thread of the import: inverts stretches of records (inverter.ts) and appends each run to a file of its own; once
// all runs are there, merges one part of them (merge.ts) into finished lists in another file (list-file.ts).
import { openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { BlockWriter } from './block-writer.ts'
import { Inverter, type RunSizes } from './inverter.ts'
import { ListFileWriter } from './list-file.ts'
import { mergeRuns, type Run } from './merge.ts'

export type Task = Stretch | Merge

/** Consecutive records: titles and contents alternate. */
export interface Stretch {
  readonly kind: 'stretch'
  readonly first: number
  readonly texts: readonly string[]
  readonly endsRun: boolean
}

export interface Merge {
  readonly kind: 'merge'
  readonly runs: readonly Run[]
  readonly recordCount: number
  readonly file: string
}

export type Answer =
  | { readonly kind: 'stretch'; readonly run: (RunSizes & { readonly start: number }) | null }
  /** So many bytes of lists are in the file, of so many bytes of runs. */
  | { readonly kind: 'merge'; readonly written: number; readonly merged: number; readonly isEnd: boolean }

const inverter = new Inverter()
const runFile = openSync((workerData as { runFile: string }).runFile, 'w')
let start = 0

parentPort?.on('message', (task: Task) => {
  if (task.kind === 'stretch') invert(task)
  else merge(task)
})

function invert({ first, texts, endsRun }: Stretch): void {
  for (let i = 0; i < texts.length; i += 2) inverter.add(first + i / 2, texts[i] ?? '', texts[i + 1] ?? '')
  let run: (RunSizes & { start: number }) | null = null
  if (endsRun) {
    run = { ...inverter.writeRun(writeAll), start }
    start += run.form + run.stem
  }
  answer({ kind: 'stretch', run })
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(runFile, bytes, written)
}

function merge({ runs, recordCount, file }: Merge): void {
  let merged = 0
  const lists = new ListFileWriter(file, (written) => answer({ kind: 'merge', written, merged, isEnd: false }))
  mergeRuns(runs, recordCount, new BlockWriter(lists), (done) => {
    merged = done
  })
  const written = lists.close()
  answer({ kind: 'merge', written, merged, isEnd: true })
}

function answer(message: Answer): void {
  parentPort?.postMessage(message)
}
