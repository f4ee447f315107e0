// Shows the progress of long commands on standard error. On a terminal each stage has a bar with rate and time left;
// otherwise a line is printed every five seconds, and a short run prints nothing.
import { currentLanguage, t, toCount, translate } from '../language.ts'
import { isColourWanted } from './config.ts'

export interface Progress {
  /** Reports progress; may be called often. A new stage ends the one before. A total of 0 means that it is unknown. */
  report(stage: string, done: number, total: number): void
  /** Ends the current stage and its line. */
  end(): void
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  /** Width of the terminal in characters; 0 if the terminal does not tell it. */
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  /** Whether the bar is coloured. By default it is, unless the user has set NO_COLOR. */
  readonly hasColour?: boolean
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Time between two drawings of a bar. */
const redrawIntervalMs = 100
/** Time between two lines in a file or a log. */
const lineIntervalMs = 5000
/** Width of the bar in characters. */
const barCells = 24
/** Width of a terminal whose width is unknown. */
const columnsDefault = 80
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
/** Moves to the start of the line and clears it. */
const clearLine = '\r\x1b[K'
const cyan = '\x1b[36m'
const defaultColour = '\x1b[39m'

export function startProgress(output: ProgressOutput = process.stderr, options: ProgressOptions = {}): Progress {
  const now = options.now ?? (() => performance.now())
  return new StageProgress(output, now, options.hasColour ?? isColourWanted())
}

/** The progress of one stage, and its texts. Times are in milliseconds of the clock. */
class Stage {
  readonly name: string
  readonly startedAt: number
  /** When its bar or line was last written; until one is written, the time from which the first interval counts. */
  shownAt: number
  done = 0
  total = 0

  constructor(name: string, startedAt: number, shownAt: number) {
    this.name = name
    this.startedAt = startedAt
    this.shownAt = shownAt
  }

  /** The state of the stage: `1,200 of 3,000, 400/s, 4.5 s left` */
  describe(now: number): string {
    const seconds = (now - this.startedAt) / 1000
    /** Per second. */
    const rate = seconds > 0 ? this.done / seconds : 0
    const done = toRoundedCount(this.done)
    const parts = [this.total > 0 ? t`${done} of ${toRoundedCount(this.total)}` : done]
    if (rate > 0) parts.push(`${toRoundedCount(rate)}/s`)
    if (rate > 0 && this.done < this.total) parts.push(t`${toDuration((this.total - this.done) / rate)} left`)
    return parts.join(', ')
  }

  /** The line at the end of the stage: `index: 3,000 in 7.5 s` */
  describeEnd(now: number): string {
    return t`${this.name}: ${toRoundedCount(this.done)} in ${toDuration((now - this.startedAt) / 1000)}`
  }
}

/** Redraws the bar of the current stage in place, or prints a line now and then if the output is not a terminal. */
class StageProgress implements Progress {
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #hasColour: boolean
  readonly #isTerminal: boolean
  #stage: Stage | undefined
  /** Whether a bar or a line of any stage has been written. */
  #hasWritten = false

  constructor(output: ProgressOutput, now: () => number, hasColour: boolean) {
    this.#output = output
    this.#now = now
    this.#hasColour = hasColour
    this.#isTerminal = output.isTTY === true
  }

  report(stageName: string, done: number, total: number): void {
    const name = translate(stageName)
    const now = this.#now()
    if (this.#stage?.name !== name) {
      this.end()
      // The first bar is drawn at once, the first line after the interval.
      this.#stage = new Stage(name, now, this.#isTerminal ? Number.NEGATIVE_INFINITY : now)
    }
    const stage = this.#stage
    stage.done = done
    stage.total = total
    if (now - stage.shownAt < (this.#isTerminal ? redrawIntervalMs : lineIntervalMs)) return
    stage.shownAt = now
    this.#hasWritten = true
    this.#output.write(this.#isTerminal ? this.#toBar(stage, now) : toLine(stage, now))
  }

  /** Prints nothing if nothing has been written, so that a short run is silent if the output is not a terminal. */
  end(): void {
    if (this.#stage !== undefined && this.#hasWritten) {
      this.#output.write(`${this.#isTerminal ? clearLine : ''}${this.#stage.describeEnd(this.#now())}\n`)
    }
    this.#stage = undefined
  }

  #toBar(stage: Stage, now: number): string {
    const fraction = stage.total > 0 ? Math.min(1, stage.done / stage.total) : 0
    const filled = Math.floor(fraction * barCells)
    const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled)
    // Both texts have the same width, so that the name of the stage does not move.
    const percent = stage.total > 0 ? `${String(Math.floor(fraction * 100)).padStart(3)} %` : '    …'
    // The last column stays free: some terminals wrap the line when it is written.
    const textCells = (this.#output.columns || columnsDefault) - barCells - 1
    const text = ` ${percent} ${stage.name}: ${stage.describe(now)}`.slice(0, textCells)
    return `${clearLine}${this.#hasColour ? `${cyan}${bar}${defaultColour}` : bar}${text}`
  }
}

function toLine(stage: Stage, now: number): string {
  const percent = stage.total > 0 ? `${Math.floor((100 * stage.done) / stage.total)} %, ` : ''
  return `${stage.name}: ${percent}${stage.describe(now)}\n`
}

/** The rounded number with separators: `1,200`. Only a rate has decimals to round. */
function toRoundedCount(count: number): string {
  return toCount(Math.round(count))
}

/** Formats a duration: `0.4 s` (in Spanish `0,4 s`), `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function toDuration(seconds: number): string {
  // From 9.95 on, one decimal would give 10.0.
  if (seconds < 9.95) return `${seconds.toLocaleString(currentLanguage(), oneDecimal)} s`
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`
}
