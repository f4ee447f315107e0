// Parses JSON with `JSON.parse` so that numbers keep the digits they are written with, and says where a text stops
// being JSON. The readers of JSON and NDJSON use it, and the mapping file.
import { t } from '../../language.ts'

/**
 * A number that `String` would write in another way: `1101.0`, `1e5`, or one of more digits than JavaScript keeps. It
 * may also match inside a text, which only costs time: a reviver makes `JSON.parse` ten times slower.
 */
const otherDigits = /[:[,]\s*-?(?:0\.0{5}|\d+\.\d*0\s*[,}\]]|\d+(?:\.\d+)?e|[\d.]{16})/i

/** Like `JSON.parse`, but a number with other digits than JavaScript would write is the text of its digits. */
export function parseJson(text: string): unknown {
  return otherDigits.test(text) ? JSON.parse(text, keepDigits as Reviver) : JSON.parse(text)
}

/** The types of the language leave the third parameter out. */
type Reviver = Parameters<typeof JSON.parse>[1]

function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context.source : value
}

/** Returns `invalid JSON at line 3, column 11`, or `the JSON is cut off at …`. `error` is that of `parseJson`. */
export function describeJsonFault(text: string, error: unknown): string {
  // Only a reviver is called recursively.
  if (error instanceof RangeError) return t`the JSON is nested too deeply`
  const index = findFault(text, error)
  const lines = text.slice(0, index).split('\n')
  const position = t`line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`
  return index === text.length ? t`the JSON is cut off at ${position}` : t`invalid JSON at ${position}`
}

/** Returns the index of the first character that cannot follow those before it; the length if the text is cut off. */
function findFault(text: string, error: unknown): number {
  const position = positionOf(error)
  if (position !== undefined) return position
  // Some messages of `JSON.parse` have no position. The fault is after the longest prefix that JSON may begin with.
  let valid = 0
  let invalid = text.length + 1
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2)
    if (mayBeginJson(text.slice(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

function mayBeginJson(prefix: string): boolean {
  try {
    JSON.parse(prefix)
    return true
  } catch (error) {
    return /end of JSON input/.test(String(error)) || positionOf(error) === prefix.length
  }
}

function positionOf(error: unknown): number | undefined {
  const position = /at position (\d+)/.exec(String(error))?.[1]
  return position === undefined ? undefined : Number(position)
}
