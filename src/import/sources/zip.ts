// Opens zip archives: workbooks, and exports that an office has compressed. Every size is checked before an entry is
// inflated.
import { crc32 } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { t } from '../../language.ts'
import { isSystemError, SourceFault } from '../source-fault.ts'
import { copyToTemporaryFile, type SourceFile } from './source-file.ts'

export interface Archive {
  /** Name of the source, for messages. */
  readonly name: string
  readonly zip: ZipFile
  /** By file name. In a workbook they are called parts. */
  readonly entries: ReadonlyMap<string, Entry>
}

/** Limit of entries, all of which are kept in memory. */
const entriesMax = 10_000
/**
 * Text and sheets compress to between a tenth and a thirtieth of their size. A large entry that inflates to more than
 * 150 times its size is a zip bomb.
 */
const inflationMax = 150
/** Smaller entries are harmless whatever their inflation. */
const inflationCheckedFromBytes = 32 * 1024 * 1024
/** Limit of the inflated data file, which is written to the temporary folder. */
const dataFileBytesMax = 8 * 1024 * 1024 * 1024
/** At most so many files are listed in a message. */
const listedFilesMax = 12
const dataFilePattern = /\.(?:csv|tsv|json|geojson|ndjson|jsonl|xlsx)$/i
/** Often a note about the data, and sometimes the data. */
const textFilePattern = /\.txt$/i
/** Files that operating systems add to archives, such as `__MACOSX/…` and `.DS_Store`, and folders (`data/`). */
const systemFilePattern = /^__MACOSX\/|(?:^|\/)\.|\/$|(?:^|\/)(?:thumbs\.db|desktop\.ini)$/i

/** Reads the list of entries. Throws `SourceFault` if the archive is damaged or has too many. */
export async function openArchive(file: SourceFile): Promise<Archive> {
  const entries = new Map<string, Entry>()
  try {
    // The zip file is not closed, because that would close the descriptor, which the source owns.
    const zip = await fromFdPromise(file.descriptor, { autoClose: false })
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      if (entries.size > entriesMax)
        throw new SourceFault(
          t`Cannot read ${file.name}: it has more than ${entriesMax} parts; save a workbook as CSV, or extract an archive and import its files with records`,
        )
    }
    return { name: file.name, zip, entries }
  } catch (error) {
    if (error instanceof SourceFault || isSystemError(error)) throw error
    throw new SourceFault(
      /\.zip$/i.test(file.name)
        ? t`Cannot read ${file.name}: the archive is damaged; compress it again`
        : t`Cannot read ${file.name}: the workbook is damaged; open it in Excel and save it again`,
    )
  }
}

/**
 * Whether the archive is taken for an Excel workbook, by the names of its entries. Most workbooks have entries that
 * begin with `xl/`. An Office file without the entries of another program is taken for a workbook too.
 */
export function isWorkbook({ entries }: Archive): boolean {
  if (entries.keys().some((name) => name.startsWith('xl/'))) return true
  return entries.has(contentTypes) && !entries.keys().some((name) => /^(?:word|ppt|visio)\//.test(name))
}

/** Every file in the formats of Office Open XML, such as .docx and .xlsx, has this entry. */
const contentTypes = '[Content_Types].xml'

/**
 * Extracts the only data file of an archive to a temporary file, whose name in messages is `export.zip/records.csv`. An
 * archive without a data file may have a single text file or a single other file instead.
 */
export async function extractDataFile({ name, zip, entries }: Archive): Promise<SourceFile> {
  const files = [...entries.keys()].filter((each) => !systemFilePattern.test(each))
  if (files.includes('mimetype') && files.includes('content.xml')) {
    throw new SourceFault(t`Cannot read ${name}: it is an OpenDocument file; save it as .xlsx or .csv`)
  }
  // Workbooks were recognised before (`isWorkbook`).
  if (files.includes(contentTypes)) {
    throw new SourceFault(t`Cannot read ${name}: it is an Office file without sheets; save the table as .xlsx or .csv`)
  }
  const dataFiles = files.filter((each) => dataFilePattern.test(each))
  const textFiles = files.filter((each) => textFilePattern.test(each))
  const candidates = [dataFiles, textFiles, files].find((names) => names.length > 0) ?? []
  const [chosen, ...others] = candidates
  const entry = entries.get(chosen ?? '')
  if (chosen === undefined || entry === undefined) {
    throw new SourceFault(t`Cannot read ${name}: the archive has no file with records`)
  }
  if (others.length > 0) {
    throw new SourceFault(
      t`Cannot read ${name}: the archive has several files: ${candidates.slice(0, listedFilesMax).join(', ')}; extract it and import the files with records`,
    )
  }
  requireSafeSize(name, entry, dataFileBytesMax, t`extract it and import the file itself`)
  try {
    return await copyToTemporaryFile(`${name}/${chosen}`, readEntry(zip, entry))
  } catch (error) {
    if (isSystemError(error)) throw error
    throw new SourceFault(t`Cannot read ${name}: ${chosen} is damaged; compress it again`)
  }
}

/** Inflates an entry and verifies its checksum. yauzl itself verifies only the size. */
async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void, undefined> {
  let checksum = 0
  // The stream is opened when it is iterated: before that nothing listens to its errors.
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc32) throw new Error('the checksum differs')
}

/**
 * Throws `SourceFault` if the entry is too large or a zip bomb. `name` is that of the archive, and `advice` ends the
 * message.
 */
export function requireSafeSize(name: string, entry: Entry, bytesMax: number, advice: string): void {
  const { uncompressedSize, compressedSize, fileName } = entry
  const inflation = uncompressedSize / Math.max(1, compressedSize)
  const isBomb = uncompressedSize > inflationCheckedFromBytes && inflation > inflationMax
  if (uncompressedSize <= bytesMax && !isBomb) return
  throw new SourceFault(
    t`Cannot read ${name}: part ${fileName} inflates from ${String(compressedSize)} to ${String(uncompressedSize)} bytes, which is too much; ${advice}`,
  )
}
