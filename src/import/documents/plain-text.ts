// Detects the format of a document from its first bytes, and extracts the text of plain text and HTML files.
import { decodeHTML } from 'entities/decode'
import type { DocumentFormat } from './worker-messages.ts'

/** Returns the format, or a description of an unsupported file. */
export function detectFormat(data: Uint8Array): DocumentFormat | { readonly found: string } {
  if (data.length === 0) return { found: 'an empty file' }
  const head = Buffer.from(data.subarray(0, 1024)).toString('latin1')
  // The header may come anywhere in the first kilobyte (ISO 32000-1, annex H, note 13), for example inside a signature
  // envelope.
  if (head.includes('%PDF-')) return 'pdf'
  for (const [start, name] of unsupportedFormats) if (head.startsWith(start)) return { found: name }
  if (decodeText(data.subarray(0, 65_536), true) === undefined) return { found: 'binary data of an unknown kind' }
  return /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b/i.test(head) ? 'html' : 'plain'
}

const unsupportedFormats: readonly (readonly [string, string])[] = [
  ['PK\x03\x04', 'a ZIP, Word or OpenDocument file'],
  ['\xd0\xcf\x11\xe0', 'an old Word or Excel file'],
  ['{\\rtf', 'an RTF file'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['\x89PNG', 'a PNG image'],
  ['II*\x00', 'a TIFF image'],
  ['MM\x00*', 'a TIFF image'],
  ['\x1f\x8b', 'a gzip archive'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
]

export function toPlainText(data: Uint8Array): string {
  return decodeText(data, false) ?? ''
}

/** Removes markup, comments and scripts. Block elements become line breaks. */
export function toHtmlText(data: Uint8Array): string {
  const source = toPlainText(data)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style|template|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(
      /<\/?(?:address|article|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|title|tr|ul)\b[^>]*>/gi,
      '\n',
    )
    .replace(/<[^>]*>/g, '')
  return decodeHTML(source)
}

/**
 * Decodes UTF-16 with a byte order mark, UTF-8, or else Windows-1252. Returns undefined for binary data. A sample may
 * end inside a character.
 */
function decodeText(data: Uint8Array, isSample: boolean): string | undefined {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data)
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data)
  let controls = 0
  for (const byte of data) {
    if (byte === 0) return undefined
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) controls += 1
  }
  if (controls > data.length / 100) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data, { stream: isSample })
  } catch {
    return new TextDecoder('windows-1252').decode(data)
  }
}
