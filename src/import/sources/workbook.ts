// Opens an Excel workbook (ECMA-376): a zip archive whose entries, called parts, are XML files for the list of sheets,
// the cell styles, the shared strings and each sheet. sheet-reader.ts reads the rows of a sheet.
import { posix } from 'node:path'
import { t } from '../../language.ts'
import { SourceFault } from '../source-fault.ts'
import { type DigitFormat, parseDigitFormat } from './digit-format.ts'
import { appendText, readPart, readPartInSteps, type XmlHandlers } from './workbook-part.ts'
import type { Archive } from './zip.ts'

/** Limit for every part except the sheets and the shared strings. */
const smallPartBytesMax = 32 * 1024 * 1024
/** They are in memory together, because cells refer to them by index. */
const sharedStringsBytesMax = 256 * 1024 * 1024
const sheetBytesMax = 4 * 1024 * 1024 * 1024
/** Limit of cell styles. Excel itself allows about 65,000. */
const stylesMax = 100_000

export interface Workbook {
  /** The visible sheets, in order. */
  readonly sheets: readonly Sheet[]
  /** The shared strings, to which cells refer by index. */
  readonly strings: readonly string[]
  /** In the order of the file: a cell refers to its style by index. */
  readonly styles: readonly CellStyle[]
  /** Whether dates are counted from 1 January 1904, as in early versions for the Macintosh, instead of 1900. */
  readonly countsFrom1904: boolean
}

export interface Sheet {
  readonly name: string
  /** Size of the inflated XML, as the archive declares it. */
  readonly bytes: number
  /** Passes the sheet to the handlers. Yields the number of bytes read so far. */
  read(handlers: XmlHandlers): AsyncGenerator<number, void, undefined>
}

/** What a cell format says about the meaning of a number. */
export interface CellStyle {
  readonly isDate: boolean
  /** How an integer is shown with its leading zeros; undefined if the format adds none (`parseDigitFormat`). */
  readonly digits: DigitFormat | undefined
}

/**
 * Reads everything except the sheets. The name of each part is found in a relation (`Relation`). If none names
 * the main part, it is looked for under its usual name. Styles and shared strings that no relation names are not read.
 */
export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const archiveRelations = await readRelations(archive, '_rels/.rels', '')
  const workbookPart = archiveRelations.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (workbookPart.endsWith('.bin'))
    throw new SourceFault(t`Cannot read ${archive.name}: it is a workbook in the binary format; save it as .xlsx`)
  const relations = await readRelations(archive, toRelationsPart(workbookPart), posix.dirname(workbookPart))
  const { sheets, countsFrom1904 } = await readSheetList(archive, workbookPart)
  const stylesPart = relations.find(({ type }) => type === 'styles')?.target
  const stringsPart = relations.find(({ type }) => type === 'sharedStrings')?.target
  return {
    sheets: sheets.map(({ relationId, name }) => {
      const part = relations.find(({ id }) => id === relationId)?.target ?? relationId
      const bytes = archive.entries.get(part)?.uncompressedSize ?? 0
      return { name, bytes, read: (handlers) => readPartInSteps(archive, part, sheetBytesMax, handlers) }
    }),
    strings: stringsPart === undefined ? [] : await readSharedStrings(archive, stringsPart),
    styles: stylesPart === undefined ? [] : await readStyles(archive, stylesPart),
    countsFrom1904,
  }
}

/** A reference from one part to another. */
interface Relation {
  readonly id: string
  /** The last segment of the type URI, which is the same in strict and transitional workbooks. */
  readonly type: string
  /** Name of the part. */
  readonly target: string
}

/** Reads the relations in `part`, such as `_rels/.rels`; none if it is missing. Targets are relative to `folder`. */
async function readRelations(archive: Archive, part: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = []
  if (!archive.entries.has(part)) return relations
  await readPart(archive, part, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name !== 'Relationship') return
      const target = posix.resolve('/', folder, attributes.Target ?? '').slice(1)
      const type = attributes.Type ?? ''
      relations.push({ id: attributes.Id ?? '', type: type.slice(type.lastIndexOf('/') + 1), target })
    },
  })
  return relations
}

/** Returns `xl/_rels/workbook.xml.rels` for `xl/workbook.xml`. */
function toRelationsPart(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
}

/** What the main part of a workbook (`xl/workbook.xml`) says. */
interface SheetList {
  /** The visible sheets. */
  readonly sheets: readonly { readonly name: string; readonly relationId: string }[]
  readonly countsFrom1904: boolean
}

async function readSheetList(archive: Archive, part: string): Promise<SheetList> {
  const sheets: { name: string; relationId: string }[] = []
  let countsFrom1904 = false
  await readPart(archive, part, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name === 'workbookPr') countsFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return
      sheets.push({ name: attributes.name ?? '', relationId: relationIdOf(attributes) })
    },
  })
  if (sheets.length === 0)
    throw new SourceFault(t`Cannot read ${archive.name}: it has no visible sheet; unhide the one to import`)
  return { sheets, countsFrom1904 }
}

/** Returns the value of the attribute `r:id`. Some programs use another namespace prefix than `r`. */
function relationIdOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
}

/**
 * Reads the cell styles. A cell style (`xf` in `cellXfs`) refers by id to a number format (`numFmt`), or to a built-in
 * one, which the part does not contain. Elements `xf` elsewhere are not cell styles.
 */
async function readStyles(archive: Archive, part: string): Promise<CellStyle[]> {
  /** Format codes such as `dd/mm/yyyy`, by id. */
  const formats = new Map<string, string>()
  const styles: CellStyle[] = []
  let isInCellXfs = false
  await readPart(archive, part, smallPartBytesMax, {
    open: (name, attributes) => {
      if (name === 'numFmt') formats.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      if (name === 'cellXfs') isInCellXfs = true
      if (name === 'xf' && isInCellXfs) {
        const id = attributes.numFmtId ?? '0'
        const format = formats.get(id)
        const isDate = format === undefined ? isBuiltInDate(Number(id)) : isDateFormat(format)
        styles.push({ isDate, digits: parseDigitFormat(format ?? '') })
        if (styles.length > stylesMax) {
          throw new SourceFault(
            t`Cannot read ${archive.name}: it has more than ${stylesMax} cell styles; save it as CSV`,
          )
        }
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellXfs = false
    },
  })
  return styles
}

/** The ids of built-in date formats (ECMA-376 part 1, 18.8.30). 27 to 31, 36 and 50 to 58 are formats of East Asia. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
}

/**
 * Whether a format such as `dd/mm/yyyy` shows a day or a year. An `m` does not count, because it may also be minutes.
 * The first section of a format, up to a semicolon, is for positive numbers.
 */
function isDateFormat(format: string): boolean {
  // A quoted text, an escaped character, a colour or language in brackets, and the space as wide as a character (`_-`).
  const literals = /"[^"]*"|\\.|\[[^\]]*\]|_./g
  const [positiveSection = ''] = format.replace(literals, '').split(';')
  // A format that contains `General`, or `Standard`, its name in other languages, shows a plain number, perhaps with a
  // colour or a unit. The `d` of `Standard` is no day.
  return /[dy]/i.test(positiveSection) && !/general|standard/i.test(positiveSection)
}

/** A string (`si`) has one or more texts (`t`). Phonetic text (`rPh`), which is a reading aid, is left out. */
async function readSharedStrings(archive: Archive, part: string): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let isText = false
  let phoneticDepth = 0
  await readPart(archive, part, sharedStringsBytesMax, {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') phoneticDepth += 1
      isText = name === 't' && phoneticDepth === 0
    },
    text: (chunk) => {
      if (isText) text = appendText(text, chunk)
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') phoneticDepth -= 1
      if (name === 'si') strings.push(text)
    },
  })
  return strings
}
