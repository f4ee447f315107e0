// Detects the format of a document from its first bytes, and extracts the text of plain text and HTML files. It runs
// inside a worker process.
import { decodeHTML } from 'entities/decode'
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentFormat } from './worker-messages.ts'

/** How many bytes, from the start of a file, `detectFormat` searches for binary data. */
const sampleBytes = 64 * 1024
/** The header of a PDF may come anywhere in the first kilobyte (Adobe PDF Reference 1.7, appendix H, note 13). */
export const headBytes = 1024
/** A larger share of control characters means that a file is binary. */
const controlShareMax = 0.01

/** `data` has at least the first `headBytes` of the file. Other bytes may come before the header, such as a signature envelope. */
export function isPdf(data: Uint8Array): boolean {
  return toHead(data).includes('%PDF-')
}

function toHead(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, headBytes)).toString('latin1')
}

/** Returns the format or, for a file that is not read, why. */
export function detectFormat(data: Uint8Array): DocumentFormat | readonly Reason[] {
  if (data.length === 0) return toUnsupported({ code: 'kind.empty' })
  if (isPdf(data)) return 'pdf'
  const head = toHead(data)
  for (const [signature, kind] of otherFormats) if (head.startsWith(signature)) return toUnsupported(kind)
  if (hasUtf16Mark(data)) return htmlStart.test(toPlainText(data.subarray(0, headBytes))) ? 'html' : 'plain'
  if (isBinary(data.subarray(0, sampleBytes))) return toUnsupported({ code: 'kind.binary' })
  return htmlStart.test(head) ? 'html' : 'plain'
}

/**
 * The first bytes of HTML: byte order mark, XML declaration and comments (all optional), then the doctype or a tag. It
 * need not be `<html>`: the error pages of many hosts begin with another tag. A comment ends at its first `-->`.
 */
const htmlStart = new RegExp(
  String.raw`^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|` +
    'html|head|body|title|meta|link|script|style|div|table|center|font|p|br|b|h[1-6])[\\s/>]',
  'is',
)

function toUnsupported(kind: Reason): readonly Reason[] {
  const reason: Reason = { code: 'notPdf', values: { kind } }
  const isConvertible = ['kind.zip', 'kind.office', 'kind.rtf', 'kind.image'].includes(kind.code)
  return isConvertible ? [reason, { code: 'convert' }] : [reason]
}

/** Other formats by the first bytes of a file, one character per byte. */
const otherFormats: readonly (readonly [signature: string, kind: Reason])[] = [
  ['PK\x03\x04', { code: 'kind.zip' }],
  ['\xd0\xcf\x11\xe0', { code: 'kind.office' }],
  ['{\\rtf', { code: 'kind.rtf' }],
  ['\xff\xd8\xff', { code: 'kind.image', values: { format: 'JPEG' } }],
  ['\x89PNG', { code: 'kind.image', values: { format: 'PNG' } }],
  ['II*\x00', { code: 'kind.image', values: { format: 'TIFF' } }],
  ['MM\x00*', { code: 'kind.image', values: { format: 'TIFF' } }],
  ['\x1f\x8b', { code: 'kind.archive', values: { format: 'gzip' } }],
  ['Rar!', { code: 'kind.archive', values: { format: 'RAR' } }],
  ['7z\xbc\xaf', { code: 'kind.archive', values: { format: '7-Zip' } }],
]

/**
 * Decodes UTF-16 with a byte order mark, UTF-8, or else Windows-1252. Returns an empty text for binary data, which may
 * begin after the bytes that `detectFormat` has searched.
 */
export function toPlainText(data: Uint8Array): string {
  if (hasUtf16Mark(data)) return new TextDecoder(data[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(data)
  if (isBinary(data)) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return new TextDecoder('windows-1252').decode(data)
  }
}

/**
 * Removes tags, comments, and the elements `script`, `style`, `template` and `noscript` with their content; a comment
 * or such an element that is not closed ends with the file. All tags except inline ones become line breaks, and
 * character references such as `&ntilde;` are decoded.
 */
export function toHtmlText(data: Uint8Array): string {
  const source = toPlainText(data)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style|template|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    // Line breaks of the source become spaces before tags become line breaks.
    .replace(/\s+/g, ' ')
    .replace(/<[^>]*>/g, (tag) => (inlineTag.test(tag) ? '' : '\n'))
  return decodeHTML(source)
}

/** A tag of an element that may be inside a word. Any other element separates words. */
const inlineTag = new RegExp(
  '^</?(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s|samp|small|span|' +
    'strike|strong|sub|sup|time|tt|u|var|wbr)[\\s/>]',
  'i',
)

/** Whether data begins with a byte order mark of UTF-16. */
function hasUtf16Mark(data: Uint8Array): boolean {
  return (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0xfe && data[1] === 0xff)
}

/** Whether data has a zero byte or too many control characters. Not for UTF-16, whose letters contain zero bytes. */
function isBinary(data: Uint8Array): boolean {
  let controls = 0
  for (const byte of data) {
    if (byte === 0) return true
    if (byte < 0x20 && !layoutBytes.includes(byte)) controls += 1
  }
  return controls > data.length * controlShareMax
}

/** Tab, line feed, form feed and carriage return. */
const layoutBytes: readonly number[] = [0x09, 0x0a, 0x0c, 0x0d]
