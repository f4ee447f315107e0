// The log of the running service, on standard error: JSON lines, or for a person at a terminal one plain line each.
import type { DestinationStream, Logger } from 'pino'
import { destination, pino } from 'pino'

export function openLog(level: string): Logger {
  const stream = process.stderr.isTTY ? toTerminal() : destination({ dest: 2, sync: true })
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
}

function toTerminal(): DestinationStream {
  return {
    write: (line) => {
      const entry: unknown = JSON.parse(line)
      if (typeof entry !== 'object' || entry === null) return
      const { time, level, msg, err }: Record<string, unknown> = { ...entry }
      const label = pino.levels.labels[Number(level)] ?? ''
      const reason = typeof err === 'object' && err !== null && 'message' in err ? `: ${String(err.message)}` : ''
      process.stderr.write(`${String(time).slice(11, 19)} ${label} ${String(msg)}${reason}\n`)
    },
  }
}
