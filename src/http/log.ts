// The log on standard error: JSON lines, or plain lines on a terminal. Errors, URLs and paths, which quote input, are
// truncated and escaped. Client addresses are never logged, and URLs only with `--log-level debug`. An internal error
// is logged with the path of its request.
import type { DestinationStream, Logger } from 'pino'
import { destination, pino } from 'pino'
import { logRepeatedMs, logTextCharactersMax } from '../limits.ts'

export type Log = Logger

/** The descriptor of standard error. */
const standardError = 2

/** `bindings` are added to every line, such as the number of the worker. */
export function openLog(level: string, bindings: Readonly<Record<string, number>> = {}): Log {
  const stream = process.stderr.isTTY ? openPlainStream() : openJsonStream()
  return pino(
    {
      level,
      base: bindings,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toShortError, url: toShortText, path: toShortText },
    },
    stream,
  )
}

/**
 * Returns a function that logs at most one warning per `logRepeatedMs`. `suppressed` in the log is the number of
 * warnings that were omitted before it.
 */
export function throttleWarnings(log: Log): (bindings: Readonly<Record<string, unknown>>, message: string) => void {
  /** When the last warning was logged, on the clock of `performance.now()`. */
  let warnedAt = Number.NEGATIVE_INFINITY
  let suppressed = 0
  return (bindings, message) => {
    const now = performance.now()
    if (now - warnedAt < logRepeatedMs) {
      suppressed += 1
      return
    }
    log.warn({ ...bindings, suppressed }, message)
    warnedAt = now
    suppressed = 0
  }
}

/** Name, message, code, stack and cause of an error, truncated. */
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

/** The lines of a stack that begin with `at`, without the message, which is logged separately. */
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

/** Lines that cannot be written, to a full disk for example, are kept up to this size; further ones are lost. */
const unwrittenBytesMax = 1024 * 1024

/** A stream that writes the JSON lines of pino to standard error. */
function openJsonStream(): DestinationStream {
  const stream = destination({ dest: standardError, sync: true, maxLength: unwrittenBytesMax })
  // An error without a listener would be thrown, and a line that cannot be written must not end the service.
  stream.on('error', () => {})
  return stream
}

/** A stream that receives the JSON lines of pino and writes plain ones. */
function openPlainStream(): DestinationStream {
  // Without a listener, a closed terminal would end the service.
  process.stderr.on('error', () => {})
  return {
    write: (line) => {
      const entry: unknown = JSON.parse(line)
      if (typeof entry !== 'object' || entry === null) return
      process.stderr.write(toPlainLine({ ...entry }))
    },
  }
}

/**
 * Converts an entry to `12:34:56 warn message: error name=value`. It replaces control characters, so that an entry is
 * one line and no text can control the terminal.
 */
export function toPlainLine({ time, level, msg, err, ...rest }: Record<string, unknown>): string {
  const label = pino.levels.labels[Number(level)] ?? ''
  const reason = typeof err === 'object' && err !== null && 'message' in err ? `: ${String(err.message)}` : ''
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  // The time of day in `2000-01-01T12:34:56.789Z`.
  const clock = String(time).slice('2000-01-01T'.length, '2000-01-01T00:00:00'.length)
  const text = `${clock} ${label} ${String(msg)}${reason}${details.join('')}`
  return `${text.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`
}
