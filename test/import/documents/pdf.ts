// Writes PDFs for tests: pages with text, images and annotations, encrypted documents, and pages that need much memory.
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'

/** What a page shows. */
export type TestPage =
  /** Text, over the image if there is one. OCR programs hide their text: it is invisible, or under the image. */
  | {
      readonly lines: readonly string[]
      readonly image?: TestImage
      readonly hidden?: 'invisible' | 'under'
      /** Whether the text is small and at the foot of the page, like that of electronic signatures. */
      readonly isFooter?: true
      readonly annotations?: readonly TestAnnotation[]
    }
  /** An image alone. */
  | { readonly image: TestImage }
  /** Text in a font that maps its glyphs to private-use characters instead of letters. */
  | { readonly unmappedLines: readonly string[] }
  /** The operators that draw the page, which `makePdf` compresses. */
  | { readonly content: Buffer }
  | 'blank'

export interface TestAnnotation {
  /** Entries of its dictionary, such as `/Subtype /Widget /FT /Tx /V (uno)`. */
  readonly entries: string
  /** The content stream that draws it. */
  readonly appearance?: string
}

export interface TestImage {
  readonly data: Buffer
  readonly format: 'jpeg' | 'jbig2' | 'grey'
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** Options of zlib that compress hundreds of megabytes three times as fast as the default. */
const fastest = { level: 1 }
/** A4 in points. */
const [pageWidth, pageHeight] = [595, 842]

/**
 * The number of an object that is a stream in every document of `makePdf`, so that `catalogEntries` can refer to a
 * stream: `2 0 R`.
 */
export const streamNumber = 2

export interface PdfOptions {
  /** Encrypts the document. An empty password opens it without asking. */
  readonly password?: string
  /** Entries that are added to the root object of the document. */
  readonly catalogEntries?: string
}

/** A document of A4 pages. */
export function makePdf(pages: readonly TestPage[], { password, catalogEntries = '' }: PdfOptions = {}): Buffer {
  const encryption = password === undefined ? undefined : toEncryption(password)
  const objects: Buffer[] = []
  // Each function adds an object and returns its number, by which others refer to it. Numbers are counted from 1, so
  // the number is the length that `push` returns.
  const addObject = (source: string): number => objects.push(Buffer.from(source))
  const addStream = (dictionary: string, data: Buffer): number => {
    const number = objects.length + 1
    const bytes = encryption === undefined ? data : encryption.encrypt(number, data)
    const head = Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`)
    return objects.push(Buffer.concat([head, bytes, Buffer.from('\nendstream')]))
  }
  const addImage = ({ width, height, format, data }: TestImage): number =>
    addStream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${imageFormats[format]}`, data)

  const font = addObject('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  // This is object 2, `streamNumber`.
  const map = addStream('', Buffer.from(privateUseMap))
  const unmappedFont = addObject(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${map} 0 R >>`)
  // The page tree comes after the pages, but they refer to it, so its number is counted in advance.
  const treeNumber = objects.length + 1 + pages.reduce((count, page) => count + countObjects(page), 0)
  const kids = pages.map((page) => {
    const image = page !== 'blank' && 'image' in page ? page.image : undefined
    const imageNumber = image === undefined ? undefined : addImage(image)
    const content = addStream('/Filter /FlateDecode', deflateSync(contentOf(page), fastest))
    const annotations = annotationsOf(page).map(({ entries, appearance }) => {
      const form = `/Subtype /Form /BBox [0 0 300 40] /Resources << /Font << /F ${font} 0 R >> >>`
      const drawing = appearance === undefined ? undefined : addStream(form, Buffer.from(appearance, 'latin1'))
      const appearanceEntry = drawing === undefined ? '' : `/AP << /N ${drawing} 0 R >>`
      return `<< /Type /Annot /Rect [60 60 360 100] ${entries} ${appearanceEntry} >>`
    })
    const xObject = imageNumber === undefined ? '' : `/XObject << /Im ${imageNumber} 0 R >>`
    return addObject(
      `<< /Type /Page /Parent ${treeNumber} 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] ` +
        `/Contents ${content} 0 R /Resources << /Font << /F ${font} 0 R /U ${unmappedFont} 0 R >> ${xObject} >> ` +
        `/Annots [${annotations.join(' ')}] >>`,
    )
  })
  const references = kids.map((kid) => `${kid} 0 R`).join(' ')
  const tree = addObject(`<< /Type /Pages /Count ${kids.length} /Kids [${references}] >>`)
  const catalog = addObject(`<< /Type /Catalog /Pages ${tree} 0 R ${catalogEntries} >>`)
  const encryptEntries =
    encryption === undefined ? '' : `/Encrypt ${addObject(encryption.dictionary)} 0 R ${encryption.id}`
  return assemble(objects, `/Root ${catalog} 0 R ${encryptEntries}`)
}

/** The JPEG image of a page with these lines, as from a scanner. */
export function scan(
  lines: readonly string[],
  options: { readonly isRotated?: true; readonly secondColumn?: readonly string[] } = {},
): TestImage {
  // A4 at 150 dpi.
  const [width, height] = [1240, 1754]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f4f4f0'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#202020'
  context.font = '34px serif'
  if (options.isRotated) {
    context.translate(width, 0)
    context.rotate(Math.PI / 2)
  }
  // In pixels.
  const [left, secondColumnLeft, top, lineHeight] = [110, 680, 180, 60]
  for (const [index, line] of lines.entries()) context.fillText(line, left, top + index * lineHeight)
  for (const [index, line] of (options.secondColumn ?? []).entries()) {
    context.fillText(line, secondColumnLeft, top + index * lineHeight)
  }
  return { data: canvas.toBuffer('image/jpeg', 70), format: 'jpeg', width, height }
}

/** "Ordenanza municipal" in JBIG2 with Group 4 coding, as fax machines and scanners write it. */
export const jbig2Scan: TestImage = {
  data: Buffer.from(
    'AAAAADAAAQAAABMAAAIIAAAARgAAAAAAAAAAAAAAAAAAASYAAQAAAecAAAIIAAAARgAAAAAAAAAAAAEmoGwX////+QPDPxBbfEGniCz2l/kM' +
      'qeqrkG+vVVhB/+niPppejQb10E5Hxdkf5CzIfjeQXmQvG8hayEmQL8XhF4hOInEuN5CcQ8yF4lxfEF51oJvChPCD0GCD0GoIPCDQf6Dwg/CD' +
      'BB/vqnhPTT09PTX9PCD9NP0npUKTi04uk400kovXi0/rQpGbozdUfddH3Q/VKfbSRodH39eaCp4Tc0PTzQ5Bf6eaM0f5ofSfrp0uuknSena6' +
      'dJrqn+n0r6dr/6r+setIeq/r6frH9el16+tLr0kq9R//9aqNciarpEPqtfrrquRNf1/6oFqkgX/6qqqsFS/r/VLVJKv/X/0v6//R8vpI+X0v' +
      '//0fL+uqo+GjpfpJeukv6+qX//X9fpV9fX//X7pJfpaSpaSSpf6WlpLSSpdperkUfS60kuv9dLyL3/X2v+gf2vpWvpa/uvra+wwS3Xv/9L/7' +
      'C/3XaX+xXYShhL2wjCfojGwjCelxX9r2rYRhP2ko2NLjhpfHDS/S0mKSR5Co4aWwtkhWtKvS6/2SF0tr6r8MLa2va/Vr9Jhf7XtNfhgsMLDB' +
      'eGEH/DCD/sL/DBeGEGEH8RERERERERERERERHERHS///Xr8f///4AIAI',
    'base64',
  ),
  format: 'jbig2',
  width: 520,
  height: 70,
}

/** An image of a megabyte that takes a gigabyte to decode. */
export function hugeImage(): TestImage {
  const [width, height] = [16_000, 16_000]
  return { data: deflateSync(Buffer.alloc(width * height, 0x80), fastest), format: 'grey', width, height }
}

/** A page whose content stream inflates to the given size, about 170 times its size in the file. */
export function bombPage(bytes: number): TestPage {
  return { content: Buffer.alloc(bytes, 'BT /F 10 Tf (bomba) Tj ET\n') }
}

const imageFormats = {
  jpeg: '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode',
  jbig2: '/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
  grey: '/BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode',
}

/** Maps every glyph to a private-use character (ISO 32000-1, 9.10.3). */
const privateUseMap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <00> <FF> <E000> endbfrange
endcmap end end`

/** The number of objects for a page: itself, its content, its image and the streams that draw its annotations. */
function countObjects(page: TestPage): number {
  const annotationStreams = annotationsOf(page).filter(({ appearance }) => appearance !== undefined).length
  const hasImage = page !== 'blank' && 'image' in page
  return (hasImage ? 3 : 2) + annotationStreams
}

/** Only a page with lines has annotations. */
function annotationsOf(page: TestPage): readonly TestAnnotation[] {
  return page !== 'blank' && 'lines' in page ? (page.annotations ?? []) : []
}

/** The operators that draw a page (ISO 32000-1, annex A). */
function contentOf(page: TestPage): Buffer {
  if (page === 'blank') return Buffer.alloc(0)
  if ('content' in page) return page.content
  const { width, height } = 'image' in page && page.image !== undefined ? page.image : { width: 0, height: 0 }
  // The image is as wide as the page.
  const drawing = width === 0 ? '' : `q ${pageWidth} 0 0 ${(pageWidth * height) / width} 0 0 cm /Im Do Q\n`
  // F and U are the names of the fonts in the resources of every page.
  const [font, texts] = 'lines' in page ? ['F', page.lines] : ['U', 'unmappedLines' in page ? page.unmappedLines : []]
  const lines = texts.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  const hidden = 'lines' in page ? page.hidden : undefined
  // Rendering mode 3 draws nothing.
  const mode = hidden === 'invisible' ? '3 Tr ' : ''
  // Size of the font, distance of the lines, and the place of the first line.
  const layout = 'isFooter' in page ? '5 Tf 6 TL 60 110' : '11 Tf 14 TL 60 780'
  const text = `BT ${mode}/${font} ${layout} Td\n${lines.join('\n')}\nET\n`
  return Buffer.from(hidden === 'under' ? text + drawing : drawing + text, 'latin1')
}

/** Header, objects, cross-reference table and trailer (ISO 32000-1, 7.5). */
function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const offset = length
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const xref = `xref\n0 ${count}\n0000000000 65535 f \n${table}`
  parts.push(Buffer.from(`${xref}trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/** Encrypts with the standard security handler, revision 2 (ISO 32000-1, 7.6.3), which uses RC4 with 40 bits. */
function toEncryption(password: string): {
  dictionary: string
  id: string
  encrypt(number: number, data: Buffer): Buffer
} {
  // The constant of the standard, with which a password is filled up to 32 bytes.
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
  const id = Buffer.from('0123456789abcdef')
  // -4: everything is permitted.
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const keyBytes = 5
  const owner = rc4(md5(padded).subarray(0, keyBytes), padded)
  const key = md5(padded, owner, permissions, id).subarray(0, keyBytes)
  const user = rc4(key, padding)
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P -4 >>`,
    id: `/ID [${hex(id)} ${hex(id)}]`,
    encrypt: (number, data) => {
      // The key of an object depends on its number, in three bytes, and its generation, in two.
      const salt = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])
      return rc4(md5(key, salt).subarray(0, keyBytes + salt.length), data)
    },
  }
}

/** The RC4 cipher. It encrypts and decrypts alike. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index)
  // After index 255 comes index 0.
  const at = (index: number): number => state[index & 255] ?? 0
  const swap = (a: number, b: number): void => {
    const [first, second] = [at(a), at(b)]
    state[a & 255] = second
    state[b & 255] = first
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return data.map((byte) => {
    i = (i + 1) & 255
    j = (j + at(i)) & 255
    swap(i, j)
    return byte ^ at(at(i) + at(j))
  }) as Buffer
}
