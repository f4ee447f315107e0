// Writes PDFs for tests: pages with text, images and annotations, encrypted documents, and pages that need much memory.
import { deflateSync, inflateRawSync } from 'node:zlib'
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
 * stream: `3 0 R`.
 */
export const streamNumber = 3

/** A document of A4 pages. `catalogEntries` are added to its root object. */
export function makePdf(pages: readonly TestPage[], catalogEntries = ''): Buffer {
  // The page tree is object 1. It is written last, because it lists the pages, which refer to it.
  const objects: Buffer[] = [Buffer.alloc(0)]
  // Each function adds an object and returns its number, by which others refer to it. Numbers are counted from 1, so
  // the number is the length that `push` returns.
  const addObject = (source: string): number => objects.push(Buffer.from(source))
  const addStream = (dictionary: string, data: Buffer): number => {
    const head = Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`)
    return objects.push(Buffer.concat([head, data, Buffer.from('\nendstream')]))
  }
  const addImage = ({ width, height, format, data }: TestImage): number =>
    addStream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${imageFormats[format]}`, data)

  const font = addObject('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  // This is object 3, `streamNumber`.
  const map = addStream('', Buffer.from(privateUseMap))
  const unmappedFont = addObject(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${map} 0 R >>`)
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
      `<< /Type /Page /Parent 1 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] ` +
        `/Contents ${content} 0 R /Resources << /Font << /F ${font} 0 R /U ${unmappedFont} 0 R >> ${xObject} >> ` +
        `/Annots [${annotations.join(' ')}] >>`,
    )
  })
  const references = kids.map((kid) => `${kid} 0 R`).join(' ')
  objects[0] = Buffer.from(`<< /Type /Pages /Count ${kids.length} /Kids [${references}] >>`)
  const catalog = addObject(`<< /Type /Catalog /Pages 1 0 R ${catalogEntries} >>`)
  return assemble(objects, `/Root ${catalog} 0 R`)
}

/** Documents of one page with the text `Plan Parcial`, encrypted with RC4, deflated and in base64. */
export const encryptedPdfs: { readonly open: Buffer; readonly closed: Buffer } = {
  /** It opens without a password. */
  open: unpack(
    'pZNfaBxFHMcRI8j2QQWl9cX+KD2KgXZndnZmdul5Nk1yRlqb85IY9YwytzN73XLuprsT0whSpEnFBxWEVAKWq6JUbPNgkRQFQWJjEBH/pEWoVTSh' +
      'itRiK1htBJG9S+PBFXxwYZedz+/v98tuptCV34y32EZmcenzBQMDgqi8x8hmwewfG1Zg5qNQg9k3Utb1YwoxmNtFohqRHlV9SunAE2B2h14kg7AC' +
      '5mAQdoRJsApyOUOFMm1s/TsAzJ0qrOjdgB2aZiQ6VuJJ4/E1fGrt22ePXzpyubhh08ZefPDYaKX9x/mOpW/XHSePrplZmDcOLO44uqvnQvXB9rnb' +
      'Z66+0ja53H/vm2jmtdpH38ze/em2obmxiSt/X/xlfP3uzOD3tef/6Gv7YOf0yau7jtWKz17adKE6u6HwWKHjvSm1ZfDc1E1b7zl45sBnX9TOX/z6' +
      'MJp8uU2Wf/7yaPENed/l5bmbK+zXHz5cm9kzcOu7L64vnXhp/pH9T4zfOT0x/t07Z1/PjsivSqVnSqNnXn3hVCpxRcOKWPJ/3OyPBsLAi6SC1LNi' +
      'k4d2U9t8UNUqBjNfFVp1qXr+NV8ZarL1k/Mn/rwBXVnanyt0nhw99NP7t/GeU7C898ba7wvPbTz32x2n2yad4XDb9F0Pf7zuyC1/Hdq611qcbZ94' +
      '6/DpuFUZbVFWEJX6M1ahBlbf2HxAyUBsj/ZBCQEC6lJwbGsIzM4o1CrUCdiNvKJKopHYUwnUJaVO1F8AN+IDQFYsgPQ2O8Iw0gmUhppMYdfdKEmH' +
      'jYQaMJg7AplAKd282FzIWwo7hRbVqHKtQ0NMU4VzHf/7tAiliCWYD6WzimCB2QtZC1Hqcco8biksJEcWQ45ysMuEJ6RtcyGJJTH3fJ86xCLUZ1Ji' +
      '6ivJpSgznkvFZwWzFWEcIaSILW1L+IyXSVlRz8U+9R3uW9QShLkeEw63lbCR4C62XBcRQS2WA7MAm+0mCfti5RsIXAOtXsAoJRR8WGWYQiMSrjKM' +
      'rRZGbLeF2YS1MMp4C+OYtDKOWphjNTEdi6Cq4rr/fcHTClwwi1GkgTc+l+7Qi8eGNTiN4/1dUMoSRDCxCCE2oYQRThziMswsRpjNKGM5+O+Uocbv' +
      'JGJdtw8jTI1Mprs3b/wD',
  ),
  /** The password is `clave`. */
  closed: unpack(
    'pZNfaN1UHMfthlAj/hkbTH3pD+U+WLol509OEna5uLW9briuJb11m10fTnJOauZtUpLT2k5EN/xT7aR9KYh7ujBxsunUjYIbbKKDPgw2hsL8M+hw' +
      '/q8Pw70M/yG5t6sXMvDBQELO5/f3+yUp9HWVN6CNVCt8e+3i5xoCA2Jvr1Ysgl6ZHJWgl+NIgd4/5qn6MYMI9C08lY3IVlkdlyr0OejdkR+LMBoG' +
      'fWcYbY7ScAWUSpqMRNYY/zsA9O0yGlZPA7LNLCNVieQjWtsP3/NvZhaPhuce+2Luw6vvzs6s3tP+5Zof3fdE7/HZ19BdPeePTr588KttC5Vz5tKr' +
      'p9XII2/9/fzZe1trn3xw5KVVRvHa7pOr31za1HLPjPfTwtdwSbTv2Re+feFwLZne1Ta+buHjU/EzD71Br9fcylJ7z6k1l9df3H7Cnfd+PX9gxPpF' +
      'tPz8evfU3U9FF1585/Lhh2uqurhqvPLRC98d23/HlbUdrdXjm9Z2uDX70Fx4sGNq6yFn7+9/3Fz8c+LZ8UzisoZlseT/uFmJB6LQj4WEzDO3yUPa' +
      '1LYcVpVMQC9XuZJdsp5/y1dmNNl64OoA3vXpukunyXzL9I1Hr7eaN+57v3hzdnSj3bnj2InP5gvrj+x+bvqVs+5fU+6V3wZ2tD1wpu3BuTP3P77/' +
      'zrwyM6esjw/Xn4mMFLD6xnqPFCHfEk/AoAEGmI4JNsVDoHfGkZKRSoE28lyZxmOJL1OoS8qcqL8AasQHgCxbANmtb46iWKUwONRkCrvtRmk2bCxS' +
      'gEB/IhQpDGabu82FVq6wkytejYdvdWiIaaqwb+N/v+KR4IkA/clslgsY9F4oOj6yiMWDgPiSS+EzW/qmDBxKLCYc6juISg9jyhDzbOxwJ3BoEFgS' +
      '+5g6wqelTHyRBTbzCXYMRrllYCMIhM89KjAxPRYIi2BsI4qxSYXvYAsRX8jAQB7lFGE7sEug98EG2iRhIpGBZoCjGSsXMNMkJgSwwpAJjUi0whDC' +
      'OUaok2OUsBwzmZVjFiJ5Zhk5ZuMmphIeVmVS978/3CfBAd2NYwVW43PpjvxkclSB3Thu64LBIjEIIpgQQolJGLGITRyGGGaEUWYyVoL/Thlq/E48' +
      'UXX7kIFMrVDo7i1r/wA=',
  ),
}

function unpack(text: string): Buffer {
  return inflateRawSync(Buffer.from(text, 'base64'))
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
