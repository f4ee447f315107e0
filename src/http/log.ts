// The log of the running service, on standard error: JSON lines, or for a person at a terminal one plain line each.
// Texts are cut and escaped, because errors quote what they were given. No client's address is ever logged, and what a
// client asked for only with `--log-level debug`.
import type { DestinationStream, Logger } from 'pino'
import { destination, pino } from 'pino'
import { logRepeatedMs, logTextCharactersMax } from './limits.ts'

export type Log = Logger

/** `bindings` stand in every line: which worker wrote it. */
export function openLog(level: string, bindings: Readonly<Record<string, number>> = {}): Log {
  const stream = process.stderr.isTTY ? toTerminal() : destination({ dest: 2, sync: true })
  return pino(
    {
      level,
      base: bindings,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toShortError, url: toShortText },
    },
    stream,
  )
}

/** Warns now and then: `leftOut` says how many warnings there would have been since the last. */
export function toSparingWarning(log: Log): (bindings: Readonly<Record<string, unknown>>, message: string) => void {
  let warnedMs = Number.NEGATIVE_INFINITY
  let leftOut = 0
  return (bindings, message) => {
    const nowMs = performance.now()
    if (nowMs - warnedMs < logRepeatedMs) {
      leftOut += 1
      return
    }
    log.warn({ ...bindings, leftOut }, message)
    warnedMs = nowMs
    leftOut = 0
  }
}

/** An error as the log has it: its name, message and stack, and what caused it, all cut. */
export function toShortError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: toShortText(error) }
  const { name, message, stack, cause } = error
  return {
    type: name,
    message: toShortText(message),
    ...('code' in error ? { code: toShortText(error.code) } : {}),
    stack: toShortText(toFrames(stack)),
    ...(cause instanceof Error ? { cause: toShortText(cause.message) } : {}),
  }
}

/** The stack without the message, which may be long and stands beside it. */
function toFrames(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

function toShortText(value: unknown): string {
  const text = String(value)
  return text.length > logTextCharactersMax ? `${text.slice(0, logTextCharactersMax)}…` : text
}

function toTerminal(): DestinationStream {
  return {
    write: (line) => {
      const entry: unknown = JSON.parse(line)
      if (typeof entry !== 'object' || entry === null) return
      process.stderr.write(toPlainLine({ ...entry }))
    },
  }
}

/** One line for one entry, whatever the texts in it hold: a terminal must not take orders from a message. */
export function toPlainLine({ time, level, msg, err, ...rest }: Record<string, unknown>): string {
  const label = pino.levels.labels[Number(level)] ?? ''
  const reason = typeof err === 'object' && err !== null && 'message' in err ? `: ${String(err.message)}` : ''
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const text = `${String(time).slice(11, 19)} ${label} ${String(msg)}${reason}${details.join('')}`
  return `${text.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`
}
