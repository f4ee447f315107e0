// How text is dressed for a terminal: bold, links, columns. Text of the registry is shown as text: no control
// character of it ever reaches the terminal, where it could move the cursor or change the title of the window.

export interface Style {
  bold(text: string): string
  /** Clickable where the terminal knows how (OSC 8); the text alone elsewhere. */
  link(text: string, address: string): string
}

export const plainStyle: Style = { bold: (text) => text, link: (text) => text }

export const terminalStyle: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  link: (text, address) => (isWebAddress(address) ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text),
}

/** Control characters, line ends and the marks that turn the direction of writing become spaces. */
export function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}

/** Cut with an ellipsis, or filled up with spaces, to the number of characters. */
export function toWidth(text: string, width: number): string {
  const characters = Array.from(text.normalize('NFC'))
  if (characters.length > width) return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
  return text + ' '.repeat(width - characters.length)
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/i.test(address)
}
