// Threads that read pieces of a source (stage-worker.ts), as the main one sees them: it cuts the pieces, and they do
// the rest of reading, normalising and staging.
import { type Staging, toStagingFault } from '../store/staging.ts'
import { Thread, threadsMax } from '../thread.ts'
import type { Mapping } from './columns.ts'
import { changedMeanwhile } from './fault.ts'
import type { CsvPiece } from './sources/csv-cut.ts'
import type { PieceReader, Source } from './sources/source.ts'
import type { StageAnswer, StagedPiece, StageMessage, StageTask } from './stage-worker.ts'

/** Pieces a thread may have waiting, so that it never does. */
const piecesAheadMax = 4

export class StageThreads implements PieceReader {
  readonly #task: Omit<StageTask, 'file'>
  readonly #staging: Staging
  readonly #onPiece: (piece: StagedPiece) => void
  /** Started as they are needed: most sources are read sooner than that. */
  readonly #threads: { readonly thread: Thread<StageAnswer>; waiting: number }[] = []
  #turn = 0
  #hasChanged = false

  constructor(
    { name, layout }: Source,
    source: number,
    mapping: Mapping,
    staging: Staging,
    onPiece: (piece: StagedPiece) => void,
  ) {
    this.#task = { name, source, mapping, headings: layout.headings }
    this.#staging = staging
    this.#onPiece = onPiece
  }

  async read(piece: CsvPiece): Promise<void> {
    const turn = this.#turn
    this.#turn = (turn + 1) % threadsMax
    await this.#send(turn, { piece, number: this.#staging.reserve(piece.lines) }, piecesAheadMax)
  }

  async finish(): Promise<void> {
    await Promise.all(this.#threads.map((_, index) => this.#send(index, null, 0)))
    if (this.#hasChanged) throw changedMeanwhile(this.#task.name)
    await this.stop()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ thread }) => thread.stop()))
  }

  async #send(index: number, message: StageMessage, waitingMax: number): Promise<void> {
    this.#threads[index] ??= this.#start()
    const each = this.#threads[index]
    try {
      each.thread.send(message)
      each.waiting += 1
      await each.thread.until(() => each.waiting <= waitingMax)
    } catch (error) {
      throw toStagingFault(error)
    }
  }

  #start(): { readonly thread: Thread<StageAnswer>; waiting: number } {
    const task: StageTask = { ...this.#task, file: this.#staging.openFile() }
    const started = {
      thread: new Thread<StageAnswer>(new URL('./stage-worker.ts', import.meta.url), task, (answer) => {
        started.waiting -= 1
        this.#take(answer)
      }),
      waiting: 0,
    }
    return started
  }

  #take(answer: StageAnswer): void {
    if (answer === null) this.#hasChanged = true
    else if ('runs' in answer) this.#staging.takeRuns(answer.runs)
    else this.#takePiece(answer)
  }

  #takePiece(piece: StagedPiece): void {
    this.#staging.note(piece.codes, piece)
    this.#onPiece(piece)
  }
}
