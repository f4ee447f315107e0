// Opens a source. The format is detected from the first bytes; the file extension decides where they are ambiguous.
// Parsers other than CSV are loaded on demand.
import { UsageFault } from '../../cli/config.ts'
import { showDatabase } from '../../snapshot/open.ts'
import { Layout } from '../rows/layout.ts'
import type { Mapping } from '../rows/mapping.ts'
import { SourceFault } from '../source-fault.ts'
import { openCsv } from './csv.ts'
import { detectEncoding, type Encoding } from './encoding.ts'
import type { Source } from './source.ts'
import { openSourceFile, type SourceFile } from './source-file.ts'

export interface SourceOptions {
  readonly mapping: Mapping
  /** `--query`, for a source that is a database. */
  readonly query?: string
  readonly standardInput: AsyncIterable<Uint8Array>
}

export function isPostgresAddress(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name)
}

/** `name` is a file, `-` for standard input, or a PostgreSQL address. */
export async function openSource(name: string, options: SourceOptions): Promise<Source> {
  if (isPostgresAddress(name)) {
    const shown = showDatabase(name)
    if (options.query === undefined) throw new UsageFault(`Cannot read ${shown}: give a query with --query SQL`)
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(name, options.query, new Layout(shown, options.mapping))
  }
  const file = await openSourceFile(name, options.standardInput)
  try {
    return await openFormat(file, new Layout(file.name, options.mapping))
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openFormat(file: SourceFile, layout: Layout): Promise<Source> {
  if (file.size === 0) throw new SourceFault(`Cannot read ${file.name}: the file is empty; export it again`)
  const head = await file.readHead()
  if (startsWith(head, zipSignature)) return await (await import('./xlsx.ts')).openXlsx(file, layout)
  rejectUnsupportedFormats(file.name, head)
  const encoding = await detectEncoding(file)
  const headText = new TextDecoder(encoding.label).decode(head).trimStart()
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return await openNdjson(file, layout, encoding)
  if (/\.(?:csv|tsv)$/i.test(file.name)) return openCsv(file, layout, encoding)
  if (headText.startsWith('[')) return await openJson(file, layout, encoding)
  if (headText.startsWith('{')) {
    return isNdjson(headText) ? await openNdjson(file, layout, encoding) : await openJson(file, layout, encoding)
  }
  if (/\.json$/i.test(file.name)) return await openJson(file, layout, encoding)
  return openCsv(file, layout, encoding)
}

/** Whether a text that begins with `{` is NDJSON: its first line is a complete object and not one around an array. */
function isNdjson(headText: string): boolean {
  const newline = headText.indexOf('\n')
  const isCompleteObject = newline === -1 || headText.slice(0, newline).trimEnd().endsWith('}')
  return isCompleteObject && !objectAroundArray.test(headText)
}

/** An object whose first property is an empty array or an array of objects: `{"records": [{`. */
const objectAroundArray = /^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[{\]]/
/** A workbook is a zip archive. */
const zipSignature = [0x50, 0x4b, 0x03, 0x04]

async function openJson(file: SourceFile, layout: Layout, encoding: Encoding): Promise<Source> {
  return (await import('./json.ts')).openJson(file, layout, encoding)
}

async function openNdjson(file: SourceFile, layout: Layout, encoding: Encoding): Promise<Source> {
  return (await import('./ndjson.ts')).openNdjson(file, layout, encoding)
}

/** By the first bytes of the file. The last entry is an empty zip archive, or a part of a split one. */
const unsupportedFormats: readonly { readonly bytes: readonly number[]; readonly message: string }[] = [
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    message: 'it is a workbook in the old .xls format or with a password; save it as .xlsx without a password',
  },
  {
    bytes: [0x1f, 0x8b],
    message: 'it is compressed; decompress it first, or use a pipe: zcat FILE | planning-registry import -',
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], message: 'it is a PDF; import records from CSV, JSON, NDJSON or XLSX' },
  { bytes: [0x50, 0x4b], message: 'the workbook is damaged or empty; open it in Excel and save it again' },
]

function rejectUnsupportedFormats(name: string, head: Buffer): void {
  for (const { bytes, message } of unsupportedFormats) {
    if (startsWith(head, bytes)) throw new SourceFault(`Cannot read ${name}: ${message}`)
  }
}

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte)
}
