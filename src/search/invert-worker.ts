// A thread that inverts stretches of records (inverter.ts) and leaves each as a run in a file of its own.
import { writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Inverter } from './inverter.ts'

/** Consecutive records: titles and contents alternate. */
export interface Stretch {
  readonly first: number
  readonly texts: readonly string[]
  /** Where the run goes once the stretch is the last of its run. */
  readonly runFile: string | null
}

const inverter = new Inverter()

parentPort?.on('message', (stretch: Stretch) => {
  for (let i = 0; i < stretch.texts.length; i += 2) {
    inverter.add(stretch.first + i / 2, stretch.texts[i] ?? '', stretch.texts[i + 1] ?? '')
  }
  if (stretch.runFile !== null) writeFileSync(stretch.runFile, inverter.takeRun())
  parentPort?.postMessage('done')
})
