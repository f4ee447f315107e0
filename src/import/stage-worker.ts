// A thread of the import that reads pieces of a CSV: tells rows apart, normalises them and stages them in a file of its
// own. What is refused, and what has to be known of all rows, goes back to the main thread.
import { readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { RowStager } from '../store/row-stager.ts'
import type { SortedRun } from '../store/sorted-runs.ts'
import { type Column, Layout } from './columns.ts'
import { type Refusal, toRefusal } from './fault.ts'
import { isRowFault, normaliseRow, startTally, type Tally } from './normalise.ts'
import { CsvReader } from './sources/csv.ts'
import type { CsvPiece } from './sources/csv-cut.ts'
import { decodeMiddle } from './sources/encoding.ts'

export interface StageTask {
  readonly name: string
  readonly source: number
  readonly mapping: ReadonlyMap<Column, string>
  readonly headings: readonly string[]
  /** The file to stage rows in. */
  readonly file: number
}

/** A piece to read, with the number of its first line among rows; null where there are no more. */
export type StageMessage = { readonly piece: CsvPiece; readonly number: number } | null

export interface StagedPiece {
  readonly rows: number
  /** Hashes of the codes that were staged. */
  readonly codes: Float64Array
  readonly refused: readonly Refusal[]
  readonly namesDocuments: boolean
  readonly hasAddresses: boolean
  readonly tally: Tally
}

/** The runs come last; null where the file is no longer what it was when it was cut into pieces. */
export type StageAnswer = StagedPiece | { readonly runs: readonly SortedRun[] } | null

const { name, source, mapping, headings, file } = (workerData as { task: StageTask }).task
const layout = new Layout(name, mapping)
for (const heading of headings) layout.append(heading)
const stager = new RowStager(file)
let room = Buffer.allocUnsafeSlow(0)

parentPort?.on('message', (message: StageMessage) => {
  const answer: StageAnswer = message === null ? { runs: stager.finish() } : stagePiece(message.piece, message.number)
  parentPort?.postMessage(answer)
})

function stagePiece(piece: CsvPiece, number: number): StagedPiece | null {
  const { line, dialect, encoding } = piece
  const text = decodeMiddle(readPiece(piece), encoding)
  const reader = new CsvReader(name, layout, encoding, line, dialect)
  const rows = reader.take(text, false)
  // A piece ends where a record does; only behind a quote that was never closed may another be left open.
  if (reader.taken < text.length) rows.push(...reader.take(text.slice(reader.taken), true))
  if (reader.line !== line + piece.lines) return null
  const tally = startTally()
  const codes: number[] = []
  const refused: Refusal[] = []
  for (const row of rows) {
    const outcome = normaliseRow(row, layout, tally)
    if (isRowFault(outcome)) refused.push(toRefusal(outcome, row.cells, layout.headings.length))
    else codes.push(stager.add(outcome, { source, line: row.line }, number + row.line - line))
  }
  const { namesDocuments, hasAddresses } = stager
  return { rows: rows.length, codes: Float64Array.from(codes), refused, namesDocuments, hasAddresses, tally }
}

function readPiece({ descriptor, start, bytes }: CsvPiece): Buffer {
  if (bytes > room.length) room = Buffer.allocUnsafeSlow(bytes)
  return room.subarray(0, readSync(descriptor, room, 0, bytes, start))
}
