// How every long command shows where it is, on standard error: on a terminal a bar for each stage, with rate and time
// left; otherwise, for logs and pipes, a line every few seconds.
import { isColourWanted } from './config.ts'

export interface Progress {
  /** Says where the work is, as often as is convenient; a total of 0 means that nobody knows it. */
  report(stage: string, done: number, total: number): void
  /** Closes the stage that is open, so that what is printed next stands alone. */
  end(): void
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly colour?: boolean
  /** A monotonic clock. */
  readonly nowMs?: () => number
}

const redrawMs = 100
const lineMs = 5000
const barCells = 24

export function startProgress(output: ProgressOutput = process.stderr, options: ProgressOptions = {}): Progress {
  const nowMs = options.nowMs ?? (() => performance.now())
  return output.isTTY === true ? new Bars(output, nowMs, options.colour ?? isColourWanted()) : new Lines(output, nowMs)
}

/** A stage from its first report on. */
class Stage {
  readonly name: string
  readonly startedMs: number
  /** When it was last shown. */
  shownMs: number
  done = 0
  total = 0

  constructor(name: string, nowMs: number) {
    this.name = name
    this.startedMs = nowMs
    this.shownMs = nowMs
  }

  describe(nowMs: number): string {
    const seconds = (nowMs - this.startedMs) / 1000
    const rate = seconds > 0 ? this.done / seconds : 0
    const parts = [this.total > 0 ? `${toCount(this.done)} of ${toCount(this.total)}` : toCount(this.done)]
    if (rate > 0) parts.push(`${toCount(rate)}/s`)
    if (rate > 0 && this.done < this.total) parts.push(`${toDuration((this.total - this.done) / rate)} left`)
    return parts.join(', ')
  }

  describeEnd(nowMs: number): string {
    return `${this.name}: ${toCount(this.done)} in ${toDuration((nowMs - this.startedMs) / 1000)}`
  }
}

class Bars implements Progress {
  readonly #output: ProgressOutput
  readonly #nowMs: () => number
  readonly #colour: boolean
  #stage: Stage | undefined

  constructor(output: ProgressOutput, nowMs: () => number, colour: boolean) {
    this.#output = output
    this.#nowMs = nowMs
    this.#colour = colour
  }

  report(name: string, done: number, total: number): void {
    const nowMs = this.#nowMs()
    if (this.#stage?.name !== name) {
      this.end()
      this.#stage = new Stage(name, nowMs)
      this.#stage.shownMs = Number.NEGATIVE_INFINITY
    }
    const stage = this.#stage
    stage.done = done
    stage.total = total
    if (nowMs - stage.shownMs < redrawMs) return
    stage.shownMs = nowMs
    this.#draw(stage, nowMs)
  }

  end(): void {
    if (this.#stage === undefined) return
    this.#output.write(`\r\x1b[K${this.#stage.describeEnd(this.#nowMs())}\n`)
    this.#stage = undefined
  }

  #draw(stage: Stage, nowMs: number): void {
    const share = stage.total > 0 ? Math.min(1, stage.done / stage.total) : 0
    const full = Math.floor(share * barCells)
    const bar = '█'.repeat(full) + '░'.repeat(barCells - full)
    const percent = stage.total > 0 ? `${String(Math.floor(share * 100)).padStart(3)} %` : '    …'
    const text = ` ${percent} ${stage.name}: ${stage.describe(nowMs)}`.slice(
      0,
      (this.#output.columns ?? 80) - barCells - 1,
    )
    this.#output.write(`\r\x1b[K${this.#colour ? `\x1b[36m${bar}\x1b[39m` : bar}${text}`)
  }
}

class Lines implements Progress {
  readonly #output: ProgressOutput
  readonly #nowMs: () => number
  #stage: Stage | undefined
  #hasSpoken = false

  constructor(output: ProgressOutput, nowMs: () => number) {
    this.#output = output
    this.#nowMs = nowMs
  }

  report(name: string, done: number, total: number): void {
    const nowMs = this.#nowMs()
    if (this.#stage?.name !== name) {
      this.end()
      this.#stage = new Stage(name, nowMs)
    }
    const stage = this.#stage
    stage.done = done
    stage.total = total
    if (nowMs - stage.shownMs < lineMs) return
    stage.shownMs = nowMs
    this.#hasSpoken = true
    const percent = total > 0 ? `${Math.floor((100 * done) / total)} %, ` : ''
    this.#output.write(`${name}: ${percent}${stage.describe(nowMs)}\n`)
  }

  /** A short run says nothing at all. */
  end(): void {
    if (this.#stage !== undefined && this.#hasSpoken) {
      this.#output.write(`${this.#stage.describeEnd(this.#nowMs())}\n`)
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
