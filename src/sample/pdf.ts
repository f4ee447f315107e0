// Writes the PDF documents of the fictional sample registry: lines of text on A4 pages in Helvetica (PDF 1.4). Streams
// are not compressed, because the output of deflate may differ between machines.

/** The characters that fit in a line, and the lines that fit on a page. */
export const lineCharactersMax = 92
export const pageLinesMax = 50

/** `pages` has the lines of each page. A character that `toPdfString` cannot write becomes a question mark. */
export function toPdf(title: string, pages: readonly (readonly string[])[]): Buffer {
  // The number of an object is its place in `objects`, from 1, and `3 0 R` refers to object 3. The first four are the
  // catalogue, the list of pages, the font and the properties of the document. Two for each page follow: the page and
  // its content.
  const firstPageObject = 5
  const toPageObject = (index: number): number => firstPageObject + index * 2
  const pageReferences = pages.map((_, index) => `${toPageObject(index)} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (es-ES) >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageReferences}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${toPdfString(title)} /Producer (planning-registry sample) >>`,
    ...pages.flatMap((lines, index) => {
      // Font size 10, lines 14 points apart. The first starts 56 points right of and 780 above the lower left corner.
      const content = [
        'BT',
        '/F1 10 Tf',
        '14 TL',
        '56 780 Td',
        ...lines.map((line) => `${toPdfString(line)} Tj T*`),
        'ET',
      ]
      const stream = content.join('\n')
      const resources = '<< /Font << /F1 3 0 R >> >>'
      const contentReference = `${toPageObject(index) + 1} 0 R`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${contentReference} >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  return toFile(objects)
}

/** The bytes of the file: the objects, the table of their offsets, and the trailer. */
function toFile(objects: readonly string[]): Buffer {
  // Each character of the file becomes one byte (Latin-1), so that the length of the text is an offset in the file. The
  // second line tells programs that the file is binary.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  // The cross-reference table: the offset of each object, in ten digits. Its first entry is for object 0,
  // which does not exist.
  const tableOffset = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Wraps a text at spaces into lines of up to `lineCharactersMax`. A longer word is a line of its own. */
export function toLines(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > lineCharactersMax) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** A literal string of PDF, in parentheses. A character that is not printable in Latin-1 becomes a question mark. */
function toPdfString(text: string): string {
  const latin1 = text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?')
  return `(${latin1.replace(/[\\()]/g, '\\$&')})`
}
