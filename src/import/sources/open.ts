// Opens a source of any format. The first bytes tell the format, and the file extension decides where they are
// ambiguous. All parsers except the CSV parser are loaded on demand.
import { UsageFault } from '../../cli/config.ts'
import { t, translate } from '../../language.ts'
import { showDatabase } from '../../registry/open.ts'
import { Layout, type LayoutOptions } from '../rows/layout.ts'
import { withoutLeftOutRows } from '../rows/left-out-rows.ts'
import { SourceFault } from '../source-fault.ts'
import { openCsv } from './csv.ts'
import { detectEncoding, type Encoding } from './encoding.ts'
import type { Source } from './source.ts'
import { openSourceFile, type SourceFile } from './source-file.ts'

export interface SourceOptions extends LayoutOptions {
  /** `--query`, for a source that is a database. */
  readonly query?: string | undefined
  /** `--records-at`, for JSON. */
  readonly recordsAt?: string | undefined
  /** `--sheet`, for a workbook: a name, or a number from 1 among the visible sheets. */
  readonly sheet?: string | undefined
  readonly standardInput: AsyncIterable<Uint8Array>
}

export function isPostgresAddress(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name)
}

/** `name` is a path, `-` for standard input, or a PostgreSQL address. */
export async function openSource(name: string, options: SourceOptions): Promise<Source> {
  const source = await openAny(name, options)
  return { ...source, rows: () => withoutLeftOutRows(source.rows(), source.layout) }
}

async function openAny(name: string, options: SourceOptions): Promise<Source> {
  if (isPostgresAddress(name)) {
    const addressWithoutPassword = showDatabase(name)
    if (options.query === undefined)
      throw new UsageFault(t`Cannot read ${addressWithoutPassword}: give a query with --query SQL`)
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(name, options.query, new Layout(addressWithoutPassword, options))
  }
  return await openFile(await openSourceFile(name, options.standardInput), options)
}

/** Closes the file if the source cannot be opened. */
async function openFile(file: SourceFile, options: SourceOptions): Promise<Source> {
  try {
    return await openFormat(file, new Layout(file.name, options), options)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Detects the format by the first bytes, the extension and the beginning of the text. If none decides, it is CSV. */
async function openFormat(file: SourceFile, layout: Layout, options: SourceOptions): Promise<Source> {
  if (file.size === 0) throw new SourceFault(t`Cannot read ${file.name}: the file is empty; export it again`)
  const head = await file.readHead()
  if (startsWith(head, zipSignature)) return await openZip(file, layout, options)
  rejectUnsupportedFormats(file.name, head)
  const encoding = await detectEncoding(file)
  const headText = new TextDecoder(encoding.label).decode(head).trimStart()
  rejectBinary(file.name, headText)
  rejectMarkup(file.name, headText)
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return await openNdjson(file, layout, encoding)
  // JSON may have been saved as .csv. A heading may begin with a bracket too, as in `[Código]`.
  const isListOrObject = /^(?:\[\s*\{|\{\s*")/.test(headText)
  if (/\.(?:csv|tsv)$/i.test(file.name) && !isListOrObject) return openCsv(file, layout, encoding)
  const startsWithObject = headText.startsWith('{')
  // `--records-at` is for a file that is one JSON value.
  if (startsWithObject && options.recordsAt === undefined && isNdjson(headText)) {
    return await openNdjson(file, layout, encoding)
  }
  const isJson = startsWithObject || headText.startsWith('[') || /\.(?:geo)?json$/i.test(file.name)
  if (isJson) return (await import('./json.ts')).openJson(file, layout, encoding, options.recordsAt)
  return openCsv(file, layout, encoding)
}

/** Opens a workbook, or an archive with one file of records, which may be a workbook. */
async function openZip(file: SourceFile, layout: Layout, options: SourceOptions): Promise<Source> {
  const { extractDataFile, isWorkbook, openArchive } = await import('./zip.ts')
  const archive = await openArchive(file)
  if (isWorkbook(archive)) return await (await import('./xlsx.ts')).openXlsx(file, archive, layout, options.sheet)
  const extracted = await extractDataFile(archive)
  const isArchiveInArchive = startsWith(await extracted.readHead(), zipSignature) && !/\.xlsx$/i.test(extracted.name)
  if (isArchiveInArchive) {
    await extracted.close()
    throw new SourceFault(t`Cannot read ${extracted.name}: it is an archive in an archive; extract it first`)
  }
  const source = await openFile(extracted, options)
  return {
    ...source,
    // `source` closes only the extracted file, not the archive.
    close: async () => {
      await source.close()
      await file.close()
    },
  }
}

/** Whether the beginning of a text is NDJSON: its first line is an object, and another one begins on a later line. */
function isNdjson(headText: string): boolean {
  return /^\{.*\}\s*\n\s*\{/.test(headText)
}

async function openNdjson(file: SourceFile, layout: Layout, encoding: Encoding): Promise<Source> {
  return (await import('./json.ts')).openNdjson(file, layout, encoding)
}

/** The first bytes of a zip archive, which a workbook is too: `PK` and two numbers. */
const zipSignature = [0x50, 0x4b, 0x03, 0x04]

/** Formats that are refused, by the first bytes of a file. */
const unsupportedFormats: readonly { readonly bytes: readonly number[]; readonly message: string }[] = [
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    message: 'it is a workbook in the old .xls format or with a password; save it as .xlsx or .csv, without a password',
  },
  {
    bytes: [0x1f, 0x8b],
    message: 'it is compressed; decompress it first, or use a pipe: zcat FILE | planning-registry import -',
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], message: 'it is a PDF; import records from CSV, JSON, NDJSON or XLSX' },
]

const damagedWorkbook = 'the workbook is damaged or empty; open it in Excel and save it again'

function rejectUnsupportedFormats(name: string, head: Buffer): void {
  for (const { bytes, message } of unsupportedFormats) {
    if (startsWith(head, bytes)) throw new SourceFault(t`Cannot read ${name}: ${translate(message)}`)
  }
  // An empty, split or damaged zip archive begins with `PK` and a byte lower than the tab, the lowest character of a
  // text. The letters alone may begin a heading, such as `PK_EXPEDIENTE`.
  if (startsWith(head, zipSignature.slice(0, 2)) && (head[2] ?? 0) < '\t'.charCodeAt(0)) {
    throw new SourceFault(t`Cannot read ${name}: ${translate(damagedWorkbook)}`)
  }
}

/** Databases such as dBase, Access and SQLite have a zero among their first bytes. */
const binaryHeadCharacters = 32

/** A zero later in a text is only a damaged character. `headText` is decoded, so zero bytes of UTF-16 do not count. */
function rejectBinary(name: string, headText: string): void {
  if (!headText.slice(0, binaryHeadCharacters).includes('\0')) return
  throw new SourceFault(
    t`Cannot read ${name}: it is a binary file, such as a database, or a damaged text; export it again as CSV in UTF-8`,
  )
}

/**
 * Formats of text that are refused; the first pattern that matches the beginning of the file decides. Offices also save
 * web pages and XML with the extension .xls or .csv. The first two patterns allow comments (`<!-- … -->`) before the
 * first tag. They match a comment up to its first `-->` only. With `.*?` it could also extend to a later `-->`, and a
 * file that begins with many comments would take exponential time.
 */
const markupFormats: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: /^(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html|head|body|table|meta|style|div)\b.*<t[dr]\b/is,
    message:
      'it is a web page with a table, not a workbook; open it in Excel or LibreOffice and save it as .xlsx or .csv',
  },
  {
    pattern: /^(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html|head|body|meta|div)\b/is,
    message: 'it is a web page, perhaps an error or a login; download the data again and open the file to check it',
  },
  {
    pattern: /^(?:<\?xml\b|<\w[\w.:-]*[\s/>])/i,
    message: 'it is XML, not a table; open it in Excel or LibreOffice and save it as .xlsx or .csv',
  },
  { pattern: /^\{\\rtf/i, message: 'it is a text document (RTF); save its table as .xlsx or .csv' },
]

function rejectMarkup(name: string, headText: string): void {
  const format = markupFormats.find(({ pattern }) => pattern.test(headText))
  if (format !== undefined) throw new SourceFault(t`Cannot read ${name}: ${translate(format.message)}`)
}

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte)
}
