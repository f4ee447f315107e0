// Reads the text of a PDF page that is in annotations (ISO 32000-1, 12.5) and not in its content: values of form
// fields, notes, and the appearance of signatures and stamps. It runs in worker.ts.
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Annotations after this many are not read; a plan has thousands at most. */
const annotationsMax = 10_000
/** At most this many texts are looked for in the page text, which is slow. Further texts are added in any case. */
const comparedTextsMax = 1_000
/** A wider gap between two letters is a space. In thousandths of the font size (ISO 32000-1, 9.4.3). */
const spaceWidth = 200

/** The bits of the flags Hidden (2) and NoView (32), ISO 32000-1, 12.5.3. */
const hiddenFlags = 2 | 32

/** The properties of an annotation of pdf.js that are used here. */
interface Annotation {
  readonly id: string
  /** Such as `Widget` for a form field, `FreeText`, `Stamp`, `Link`. */
  readonly subtype: string
  readonly annotationFlags?: number
  /** `Tx` is text, `Ch` a choice, `Sig` a signature, `Btn` a button. */
  readonly fieldType?: string | null
  readonly fieldValue?: unknown
  /** The field asks for a password. */
  readonly password?: boolean
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[]
  /** The text of a note. */
  readonly contentsObj?: { readonly str: string }
  /** The lines of its appearance; pdf.js reads them for text fields and free text only. */
  readonly textContent?: readonly string[]
  readonly hasAppearance?: boolean
}

/** Returns the texts that `pageText` does not contain already, joined by spaces. Hidden annotations are left out. */
export async function readAnnotationText(page: PDFPageProxy, pageText: string): Promise<string> {
  const allAnnotations = (await page.getAnnotations({ intent: 'display' })) as Annotation[]
  const annotations = allAnnotations.slice(0, annotationsMax).filter((each) => !isHidden(each))
  if (annotations.length === 0) return ''
  const drawnIds = new Set(annotations.filter(isOnlyDrawn).map(({ id }) => id))
  const drawnTexts = drawnIds.size === 0 ? new Map<string, string>() : await readAppearances(page)
  const spacedPageText = toSpacedWords(pageText)
  const texts = new Set<string>()
  let comparedTexts = 0
  for (const annotation of annotations) {
    const drawnText = drawnIds.has(annotation.id) ? (drawnTexts.get(annotation.id) ?? '') : ''
    for (const text of [toFieldText(annotation), toNote(annotation), drawnText].map(foldSpace)) {
      if (text === '') continue
      comparedTexts += 1
      const isInPageText = comparedTexts <= comparedTextsMax && spacedPageText.includes(toSpacedWords(text))
      if (!isInPageText) texts.add(text)
    }
  }
  return [...texts].join(' ')
}

function isHidden({ annotationFlags = 0 }: Annotation): boolean {
  return (annotationFlags & hiddenFlags) !== 0
}

/** Whether the annotation is a signature or a stamp, whose text is in its appearance alone. */
function isOnlyDrawn({ subtype, fieldType, hasAppearance }: Annotation): boolean {
  return hasAppearance === true && (fieldType === 'Sig' || subtype === 'Stamp')
}

/**
 * | annotation | text |
 * |---|---|
 * | free text | the lines that the page shows |
 * | text field | its value; the lines that the page shows if it stores none |
 * | choice | the display values of the chosen options |
 * | button, signature, password, any other | – |
 */
function toFieldText({ subtype, fieldType, fieldValue, password, options, textContent }: Annotation): string {
  if (subtype === 'FreeText') return joinLines(textContent)
  if (subtype !== 'Widget' || password === true) return ''
  if (fieldType === 'Tx')
    return typeof fieldValue === 'string' && fieldValue !== '' ? fieldValue : joinLines(textContent)
  if (fieldType !== 'Ch') return ''
  const chosen: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const texts = chosen.filter((value) => typeof value === 'string')
  return texts.map((value) => options?.find((option) => option.exportValue === value)?.displayValue ?? value).join('\n')
}

const subtypesWithoutNote: ReadonlySet<string> = new Set([
  // A form field has a value instead (`toFieldText`).
  'Widget',
  // A link has only a description.
  'Link',
  // A popup repeats a note.
  'Popup',
])

/**
 * Returns the text of a note. AutoCAD also adds a note for each text that it draws as lines. The note of a free text
 * equals its lines (`toFieldText`); `readAnnotationText` returns equal texts once.
 */
function toNote({ subtype, contentsObj }: Annotation): string {
  return subtypesWithoutNote.has(subtype) ? '' : (contentsObj?.str ?? '')
}

/** Returns the text that is drawn for each annotation, by its id. */
async function readAppearances(page: PDFPageProxy): Promise<Map<string, string>> {
  const { fnArray: operations, argsArray } = await page.getOperatorList()
  const texts = new Map<string, string>()
  /** The annotation that is being drawn; undefined for the page itself. */
  let id: string | undefined
  let parts: string[] = []
  for (const [index, operation] of operations.entries()) {
    const args: unknown = argsArray[index]
    if (operation === OPS.beginAnnotation) {
      id = Array.isArray(args) ? String(args[0]) : undefined
      parts = []
    } else if (operation === OPS.endAnnotation) {
      if (id !== undefined) texts.set(id, parts.join(''))
      id = undefined
    } else if (id !== undefined) {
      if (operation === OPS.showText && Array.isArray(args)) parts.push(toShownText(args[0]))
      else if (positionOperations.has(operation)) parts.push('\n')
    }
  }
  return texts
}

/** Operations after which text begins at another place. */
const positionOperations: ReadonlySet<number> = new Set([
  OPS.beginText,
  OPS.moveText,
  OPS.setLeadingMoveText,
  OPS.setTextMatrix,
  OPS.nextLine,
])

/** `glyphs` is the operand of `showText`: glyphs and numbers. A negative number is a gap before the next glyph. */
function toShownText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return ''
  let text = ''
  for (const glyph of glyphs as readonly unknown[]) {
    if (typeof glyph === 'number') text += glyph < -spaceWidth ? ' ' : ''
    else if (typeof glyph === 'object' && glyph !== null && 'unicode' in glyph) text += String(glyph.unicode)
  }
  return text
}

function joinLines(lines: readonly string[] | undefined): string {
  return lines?.join('\n') ?? ''
}

/**
 * Returns the words with one space before, between and after them, so that `includes` finds whole words only.
 * Punctuation is kept only inside a word: `UE-1` is in `la UE-1, y` and not in `UE-12` or `UE-1.2`.
 */
function toSpacedWords(text: string): string {
  return ` ${text} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, (gap) => (/\s/.test(gap) ? ' ' : gap))
}

/** Turns each run of white space into one space. */
function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
