// The parts of a workbook (ECMA-376): the zip around them, where the visible sheets are, how cell styles show
// numbers, and the shared strings. Every size is bounded before a part is inflated. xlsx.ts reads the sheet itself.
import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { SourceFault } from '../rows/row-fault.ts'
import { SharedStrings } from './shared-strings.ts'
import type { SourceFile } from './source-file.ts'

const entriesMax = 10_000
const smallPartBytesMax = 32 * 1024 * 1024
const sharedStringsBytesMax = 1024 * 1024 * 1024
const sheetBytesMax = 4 * 1024 * 1024 * 1024
/** Sheets shrink to a tenth or a thirtieth; what shrinks further, and is large, was made to harm. */
const inflationMax = 150
const inflationJudgedFromBytes = 32 * 1024 * 1024
/** Excel itself stops at 32,767 characters a cell. */
const textCharactersMax = 1024 * 1024
/** Excel takes no longer one. */
const formatCharactersMax = 255

export interface Workbook {
  /** Those that people can see, in their order. */
  readonly sheets: readonly Sheet[]
  readonly strings: SharedStrings
  /** By index of cell style. */
  readonly styles: readonly CellStyle[]
  readonly countsFrom1904: boolean
  close(): void
}

export interface Sheet {
  readonly bytes: number
  /** Feeds the sheet to the handlers; the generator only says how many bytes have been taken. */
  read(handlers: XmlHandlers): AsyncGenerator<number, void, undefined>
}

/** How the numbers of a cell are shown, as far as it changes what they say. */
export interface CellStyle {
  readonly isDate: boolean
  /** Of a format of zeros: 5 for `00000`, which shows the number 3065 as the code 03065. */
  readonly digitsMin: number
  /** Zeros that such a format puts before the digits, whatever they are: 1 for `"0"0000`. */
  readonly zerosBefore: number
}

export interface XmlHandlers {
  /** Names of elements come without their namespace prefix; attributes of sheets have none. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

export async function openWorkbook(file: SourceFile): Promise<Workbook> {
  const parts = await openParts(file)
  const strings = new SharedStrings()
  try {
    const [main] = (await readRelations(parts, '_rels/.rels', '')).filter(({ type }) => type === 'officeDocument')
    const book = main?.target ?? 'xl/workbook.xml'
    const relations = await readRelations(parts, toRelationsOf(book), posix.dirname(book))
    const { ids, countsFrom1904 } = await readVisibleSheets(parts, book)
    const stylesPart = relations.find(({ type }) => type === 'styles')?.target
    const stringsPart = relations.find(({ type }) => type === 'sharedStrings')?.target
    const styles = stylesPart === undefined ? [] : await readStyles(parts, stylesPart)
    if (stringsPart !== undefined) await readSharedStrings(parts, stringsPart, strings)
    return {
      sheets: ids.map((id) => {
        const part = relations.find((relation) => relation.id === id)?.target ?? 'xl/worksheets/sheet1.xml'
        const bytes = parts.entries.get(part)?.uncompressedSize ?? 0
        return { bytes, read: (handlers) => readXml(parts, part, sheetBytesMax, handlers) }
      }),
      strings,
      styles,
      countsFrom1904,
      close: () => strings.close(),
    }
  } catch (error) {
    strings.close()
    throw error
  }
}

interface Parts {
  readonly name: string
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
}

async function openParts(file: SourceFile): Promise<Parts> {
  const entries = new Map<string, Entry>()
  try {
    // Never closed as a zip file: that would close the descriptor, which belongs to the source.
    const zip = await fromFdPromise(file.descriptor, { autoClose: false })
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      if (entries.size > entriesMax) throw new SourceFault(`Cannot read ${file.name}: it has over ${entriesMax} parts`)
    }
    return { name: file.name, zip, entries }
  } catch (error) {
    if (error instanceof SourceFault) throw error
    throw new SourceFault(`Cannot read ${file.name}: it is a broken workbook; open it in Excel and save it again`)
  }
}

/** Inflates and parses one part; yields how many bytes it has taken so far. */
async function* readXml(
  parts: Parts,
  part: string,
  bytesMax: number,
  handlers: XmlHandlers,
): AsyncGenerator<number, void, undefined> {
  const entry = parts.entries.get(part)
  if (entry === undefined)
    throw new SourceFault(`Cannot read ${parts.name}: it is no workbook, part ${part} is missing`)
  requireSaneSize(parts.name, entry, bytesMax)
  let textCharacters = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    textCharacters = 0
    handlers.open?.(toLocal(name), attributes)
  })
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  parser.on('closetag', ({ name }) => {
    textCharacters = 0
    handlers.close?.(toLocal(name))
  })
  try {
    const decoder = new TextDecoder()
    let bytes = 0
    // yauzl ends the stream with an error when there is more or less than the entry says.
    for await (const chunk of await parts.zip.openReadStreamPromise(entry)) {
      const text = decoder.decode(chunk, { stream: true })
      bytes += chunk.length
      textCharacters += text.length
      parser.write(text)
      if (textCharacters > textCharactersMax) throw new Error('text without end')
      yield bytes
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    if (error instanceof SourceFault) throw error
    throw new SourceFault(
      `Cannot read ${parts.name}: part ${part} is broken; open the workbook in Excel and save it again`,
    )
  }
}

function requireSaneSize(name: string, entry: Entry, bytesMax: number): void {
  const { uncompressedSize, compressedSize, fileName } = entry
  const inflation = uncompressedSize / Math.max(1, compressedSize)
  const isBomb = uncompressedSize > inflationJudgedFromBytes && inflation > inflationMax
  if (uncompressedSize <= bytesMax && !isBomb) return
  throw new SourceFault(
    `Cannot read ${name}: part ${fileName} inflates from ${compressedSize} to ${uncompressedSize} bytes, ` +
      'more than a sheet of records does; save it as CSV',
  )
}

async function readWhole(parts: Parts, part: string, bytesMax: number, handlers: XmlHandlers): Promise<void> {
  for await (const _bytes of readXml(parts, part, bytesMax, handlers));
}

interface Relation {
  readonly id: string
  /** The last word of the type, which alone tells strict from transitional workbooks apart. */
  readonly type: string
  readonly target: string
}

async function readRelations(parts: Parts, part: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = []
  if (!parts.entries.has(part)) return relations
  await readWhole(parts, part, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name !== 'Relationship') return
      const target = posix.resolve('/', folder, attributes.Target ?? '').slice(1)
      const type = attributes.Type ?? ''
      relations.push({ id: attributes.Id ?? '', type: type.slice(type.lastIndexOf('/') + 1), target })
    },
  })
  return relations
}

function toRelationsOf(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
}

/** By the ids of their relations. */
async function readVisibleSheets(parts: Parts, book: string): Promise<{ ids: string[]; countsFrom1904: boolean }> {
  const ids: string[] = []
  let countsFrom1904 = false
  await readWhole(parts, book, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name === 'workbookPr') countsFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name === 'sheet' && (attributes.state ?? 'visible') === 'visible') ids.push(relationOf(attributes))
    },
  })
  if (ids.length === 0)
    throw new SourceFault(`Cannot read ${parts.name}: it has no visible sheet; show the one to read`)
  return { ids, countsFrom1904 }
}

/** `r:id` by the usual prefix, but a prefix may be any. */
function relationOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
}

async function readStyles(parts: Parts, part: string): Promise<CellStyle[]> {
  const formats = new Map<string, string>()
  const styles: CellStyle[] = []
  let isInCellFormats = false
  await readWhole(parts, part, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name === 'numFmt') formats.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      if (name === 'cellXfs') isInCellFormats = true
      if (name === 'xf' && isInCellFormats) {
        const id = attributes.numFmtId ?? '0'
        const format = formats.get(id)
        const isDate = format === undefined ? isBuiltInDate(Number(id)) : isDateFormat(format)
        styles.push({ isDate, ...countZeros(format ?? '') })
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellFormats = false
    },
  })
  return styles
}

/** ECMA-376 part 1, 18.8.30: the formats that every workbook has without writing them down. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
}

/** A format that shows a day or a year, once quoted text, escaped characters and brackets are out of the way. */
function isDateFormat(format: string): boolean {
  const [positive = ''] = format.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '').split(';')
  return /[dy]/i.test(positive) && !/general|standard/i.test(positive)
}

/** The section for positive numbers comes first; the language may stand before it, other sections after it. */
function countZeros(format: string): Omit<CellStyle, 'isDate'> {
  if (format.length > formatCharactersMax) return { digitsMin: 0, zerosBefore: 0 }
  const zeros = /^(?:\[\$-[\dA-F]+\])?((?:"0+"|\\0)*)(0+)(?:;|$)/i.exec(format)
  return { digitsMin: zeros?.[2]?.length ?? 0, zerosBefore: zeros?.[1]?.replaceAll(/[^0]/g, '').length ?? 0 }
}

async function readSharedStrings(parts: Parts, part: string, strings: SharedStrings): Promise<void> {
  let text = ''
  let isText = false
  let phonetic = 0
  await readWhole(parts, part, sharedStringsBytesMax, {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic += 1
      isText = name === 't' && phonetic === 0
    },
    text: (piece) => {
      if (isText) text += piece
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') phonetic -= 1
      if (name === 'si') strings.add(text)
    },
  })
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
