// The JSON text of a list or an object that stands where a text is expected. The rejects file shows it, so that the
// value can be corrected there; it is never published. object-row.ts writes it.
import type { Token } from 'stream-json/core/parser.js'

/** A longer text is cut and ends with `…`. Long enough to correct by hand, and short enough to keep for many rows. */
const charactersMax = 4000

/** Collects the tokens of one value as they are read (json.ts), because the value itself may be too large to keep. */
export class JsonText {
  #text = ''

  add(token: Token): void {
    if (this.#text.length > charactersMax) return
    const text = toText(token)
    const last = this.#text.at(-1) ?? ''
    const followsValue = last !== '' && last !== '[' && last !== '{' && last !== ':'
    const isEnd = token.name === 'endArray' || token.name === 'endObject'
    this.#text += followsValue && !isEnd ? `,${text}` : text
  }

  toString(): string {
    return shorten(this.#text)
  }
}

function toText(token: Token): string {
  switch (token.name) {
    case 'startObject':
      return '{'
    case 'endObject':
      return '}'
    case 'startArray':
      return '['
    case 'endArray':
      return ']'
    case 'keyValue':
      return `${JSON.stringify(token.value)}:`
    case 'stringValue':
      return JSON.stringify(token.value)
    default:
      // The value of a number is its text.
      return 'value' in token ? String(token.value) : ''
  }
}

/** Returns undefined if the value is nested so deeply that writing it would overflow the stack. */
export function toJsonText(value: object): string | undefined {
  if (value instanceof JsonText) return value.toString()
  try {
    return shorten(JSON.stringify(value))
  } catch {
    return undefined
  }
}

function shorten(text: string): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}
