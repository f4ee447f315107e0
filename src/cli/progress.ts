// Progress of long commands on standard error: a bar per stage on a terminal, with rate and time left, or else a line
// every five seconds.
import { isColourWanted } from './config.ts'

export interface Progress {
  /** Reports progress; may be called often. A total of 0 means that the total is unknown. */
  report(stage: string, done: number, total: number): void
  /** Ends the current stage and its line. */
  end(): void
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly colour?: boolean
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

const redrawIntervalMs = 100
const lineIntervalMs = 5000
const barCells = 24

export function startProgress(output: ProgressOutput = process.stderr, options: ProgressOptions = {}): Progress {
  const now = options.now ?? (() => performance.now())
  return output.isTTY === true ? new Bars(output, now, options.colour ?? isColourWanted()) : new Lines(output, now)
}

class Stage {
  readonly name: string
  readonly startedAt: number
  shownAt: number
  done = 0
  total = 0

  constructor(name: string, startedAt: number) {
    this.name = name
    this.startedAt = startedAt
    this.shownAt = startedAt
  }

  describe(at: number): string {
    const seconds = (at - this.startedAt) / 1000
    const rate = seconds > 0 ? this.done / seconds : 0
    const parts = [this.total > 0 ? `${toCount(this.done)} of ${toCount(this.total)}` : toCount(this.done)]
    if (rate > 0) parts.push(`${toCount(rate)}/s`)
    if (rate > 0 && this.done < this.total) parts.push(`${toDuration((this.total - this.done) / rate)} left`)
    return parts.join(', ')
  }

  describeTotal(at: number): string {
    return `${this.name}: ${toCount(this.done)} in ${toDuration((at - this.startedAt) / 1000)}`
  }
}

class Bars implements Progress {
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #colour: boolean
  #stage: Stage | undefined

  constructor(output: ProgressOutput, now: () => number, colour: boolean) {
    this.#output = output
    this.#now = now
    this.#colour = colour
  }

  report(name: string, done: number, total: number): void {
    const at = this.#now()
    if (this.#stage?.name !== name) {
      this.end()
      this.#stage = new Stage(name, at)
      this.#stage.shownAt = Number.NEGATIVE_INFINITY
    }
    const stage = this.#stage
    stage.done = done
    stage.total = total
    if (at - stage.shownAt < redrawIntervalMs) return
    stage.shownAt = at
    this.#draw(stage, at)
  }

  end(): void {
    if (this.#stage === undefined) return
    this.#output.write(`\r\x1b[K${this.#stage.describeTotal(this.#now())}\n`)
    this.#stage = undefined
  }

  #draw(stage: Stage, at: number): void {
    const fraction = stage.total > 0 ? Math.min(1, stage.done / stage.total) : 0
    const filled = Math.floor(fraction * barCells)
    const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled)
    const percent = stage.total > 0 ? `${String(Math.floor(fraction * 100)).padStart(3)} %` : '    …'
    const text = ` ${percent} ${stage.name}: ${stage.describe(at)}`.slice(
      0,
      (this.#output.columns ?? 80) - barCells - 1,
    )
    this.#output.write(`\r\x1b[K${this.#colour ? `\x1b[36m${bar}\x1b[39m` : bar}${text}`)
  }
}

class Lines implements Progress {
  readonly #output: ProgressOutput
  readonly #now: () => number
  #stage: Stage | undefined
  #hasPrinted = false

  constructor(output: ProgressOutput, now: () => number) {
    this.#output = output
    this.#now = now
  }

  report(name: string, done: number, total: number): void {
    const at = this.#now()
    if (this.#stage?.name !== name) {
      this.end()
      this.#stage = new Stage(name, at)
    }
    const stage = this.#stage
    stage.done = done
    stage.total = total
    if (at - stage.shownAt < lineIntervalMs) return
    stage.shownAt = at
    this.#hasPrinted = true
    const percent = total > 0 ? `${Math.floor((100 * done) / total)} %, ` : ''
    this.#output.write(`${name}: ${percent}${stage.describe(at)}\n`)
  }

  /** Prints nothing for a short run. */
  end(): void {
    if (this.#stage !== undefined && this.#hasPrinted) {
      this.#output.write(`${this.#stage.describeTotal(this.#now())}\n`)
    }
    this.#stage = undefined
  }
}

function toCount(count: number): string {
  return Math.round(count).toLocaleString('en')
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min` */
export function toDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
