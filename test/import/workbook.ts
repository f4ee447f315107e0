// Writes zip archives and Excel workbooks for tests, valid and damaged ones. Section numbers such as 4.3.7 are those of
// APPNOTE, the specification of zip archives.
import { crc32, deflateRawSync } from 'node:zlib'

/** Version 2.0 of the format, needed to extract deflated files. */
const zipVersion = 20
/** The bit that marks file names as UTF-8. */
const utf8NamesFlag = 0x800
const deflateMethod = 8

/** A zip archive of these files, given as contents by name. */
export function toZip(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const data = Buffer.from(content)
    const compressed = deflateRawSync(data)
    // The fields that the local header (4.3.7) and the central directory (4.3.12) have in common: version, flags,
    // method, time and date (zero), checksum, sizes, and the lengths of the name and of the extra field (zero).
    const header = Buffer.alloc(26)
    header.writeUInt16LE(zipVersion, 0)
    header.writeUInt16LE(utf8NamesFlag, 2)
    header.writeUInt16LE(deflateMethod, 4)
    header.writeUInt32LE(crc32(data), 10)
    header.writeUInt32LE(compressed.length, 14)
    header.writeUInt32LE(data.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), compressed])
    // Comment length, disk and attributes, which stay zero, and the offset of the local header.
    const location = Buffer.alloc(14)
    location.writeUInt32LE(offset, 10)
    // The signature, and the version (20) of the program that made the archive.
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), header, location, Buffer.from(name)]))
    files.push(file)
    offset += file.length
  }
  const centralDirectory = Buffer.concat(directory)
  // End of central directory record (4.3.16): the number of files on this disk and in all, and the size and offset of
  // the central directory. The other fields stay zero.
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(centralDirectory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, centralDirectory, end])
}

export interface WorkbookParts {
  /** The rows of the visible sheet, as XML. */
  readonly rows: string
  /** The shared strings, as the XML inside their elements: `<t>Sector</t>`. */
  readonly strings?: readonly string[]
  /** Formats of the cell styles 1, 2, …: a format code, or the id of a built-in format. Style 0 is `General`. */
  readonly formats?: readonly (string | number)[]
  /** Whether dates are counted from 1904, as in old versions of Excel for the Macintosh, instead of 1900. */
  readonly countsFrom1904?: boolean
  /** Files of the archive by path, in addition to the usual ones or instead of them. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

/** An Excel workbook. Before the visible sheet it has a hidden one without a file, which an import must not read. */
export function toWorkbook(parts: WorkbookParts): Buffer {
  const formats = ['General', ...(parts.formats ?? [])]
  // The ids of built-in formats are below 164.
  const customIdsFrom = 200
  const customFormats = formats.map((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${customIdsFrom + index}" formatCode="${escapeXml(format)}"/>` : '',
  )
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'number' ? format : customIdsFrom + index}"/>`,
  )
  const strings = (parts.strings ?? []).map((text) => `<si>${text}</si>`)
  return toZip({
    '_rels/.rels': toRelationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': [
      `<workbook xmlns="${sheetNamespace}" xmlns:r="${officeNamespace}">`,
      `<workbookPr date1904="${parts.countsFrom1904 ? 1 : 0}"/>`,
      '<sheets><sheet name="Oculta" sheetId="1" state="hidden" r:id="rId1"/>',
      '<sheet name="Registro" sheetId="2" r:id="rId2"/></sheets></workbook>',
    ].join(''),
    // A target is relative to xl/, or begins with a slash.
    'xl/_rels/workbook.xml.rels': toRelationships({
      rId1: ['worksheet', 'worksheets/hidden.xml'],
      rId2: ['worksheet', '/xl/worksheets/sheet2.xml'],
      rId3: ['styles', 'styles.xml'],
      rId4: ['sharedStrings', 'sharedStrings.xml'],
    }),
    // `cellXfs` has the styles of cells. The date format (14) in `cellStyleXfs` must not be taken for one of them.
    'xl/styles.xml': [
      `<styleSheet xmlns="${sheetNamespace}"><numFmts>${customFormats.join('')}</numFmts>`,
      `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ].join(''),
    'xl/sharedStrings.xml': `<sst xmlns="${sheetNamespace}">${strings.join('')}</sst>`,
    'xl/worksheets/sheet2.xml': [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<worksheet xmlns="${sheetNamespace}"><sheetData>${parts.rows}</sheetData></worksheet>`,
    ].join(''),
    ...parts.files,
  })
}

/** A relationships file: it has the types and paths of other files, by id. */
function toRelationships(relationships: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const elements = Object.entries(relationships).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${officeNamespace}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${packageNamespace}">${elements.join('')}</Relationships>`
}

// XML namespaces. The types of relationships begin with that of Office.
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships'
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The character code of `A`. */
const letterA = 65

/** A row of inline strings in the columns A, B and so on, up to Z. */
export function toSheetRow(line: number, cells: readonly string[]): string {
  const elements = cells.map(
    (cell, index) =>
      `<c r="${String.fromCharCode(letterA + index)}${line}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`,
  )
  return `<row r="${line}">${elements.join('')}</row>`
}
