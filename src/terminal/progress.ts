// The progress bar that every long command shows, on standard error and only when that is a terminal: logs and pipes
// get nothing of it.

export interface Progress {
  /** Says where the work is; drawn at most ten times a second. */
  report(stage: string, done: number, total: number): void
  /** Clears the line, so that what is printed next stands alone. */
  end(): void
}

const redrawMs = 100
const barCells = 24

export function startProgress(output: ProgressOutput = process.stderr): Progress {
  if (output.isTTY !== true) return { report: () => {}, end: () => {} }
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawnStage = ''
  return {
    report: (stage, done, total) => {
      const now = performance.now()
      if (stage === drawnStage && done < total && now - drawnAt < redrawMs) return
      drawnAt = now
      drawnStage = stage
      output.write(`\r\x1b[K${toBar(done, total)} ${stage}`)
    },
    end: () => {
      if (drawnStage !== '') output.write('\r\x1b[K')
    },
  }
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

function toBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const full = Math.floor(share * barCells)
  return `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${String(Math.floor(share * 100)).padStart(3)} %`
}
