// Terminal styles (bold, links), widths of columns, and removal of control characters, which a terminal would execute
// as escape sequences.

export interface Style {
  bold(text: string): string
  /** A hyperlink (OSC 8); terminals without support show the text alone. */
  link(text: string, address: string): string
}

export const plainStyle: Style = { bold: (text) => text, link: (text) => text }

// Escape sequences of terminals (ECMA-48).
const boldOn = '\x1b[1m'
const boldOff = '\x1b[22m'
/** Begins a link to the address; without an address it ends the link. */
const toLinkSequence = (address: string): string => `\x1b]8;;${address}\x1b\\`

export const terminalStyle: Style = {
  bold: (text) => `${boldOn}${text}${boldOff}`,
  link: (text, address) => (isWebAddress(address) ? `${toLinkSequence(address)}${text}${toLinkSequence('')}` : text),
}

/** Replaces each run of control characters, line separators and controls of the text direction by a space. */
export function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}

/** The text, printable, with the words at `marks` ([start, end) in UTF-16 units) in bold. */
export function toMarkedText(text: string, marks: readonly (readonly [number, number])[], style: Style): string {
  let marked = ''
  let copiedEnd = 0
  for (const [start, end] of marks) {
    marked += toPrintable(text.slice(copiedEnd, start)) + style.bold(toPrintable(text.slice(start, end)))
    copiedEnd = end
  }
  return marked + toPrintable(text.slice(copiedEnd))
}

/** Like `toPrintable`, for a text of several lines: its line breaks are kept. */
export function toTerminalText(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** Truncates the text with an ellipsis, or pads it with spaces, to `width` code points (1 or more) of its NFC form. */
export function toWidth(text: string, width: number): string {
  const normalised = text.normalize('NFC')
  const characters = Array.from(normalised)
  if (characters.length > width) return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
  return normalised + ' '.repeat(width - characters.length)
}

/** Whether the address is http or https. Only visible ASCII characters are allowed: others could end the sequence. */
function isWebAddress(address: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/i.test(address)
}
