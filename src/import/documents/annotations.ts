// Reads the text of a PDF page that is in annotations (ISO 32000-1, 12.5) and not in its content: values of form
// fields, notes, and the appearance of signatures and stamps. It runs in worker.ts.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { readAppearances } from './page-drawing.ts'

/** Annotations after this many are not read; a plan has thousands at most. */
const annotationsMax = 10_000
/** At most this many texts are looked for in the page text, which is slow. Further texts are added in any case. */
const comparedTextsMax = 1_000
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
  const all = (await page.getAnnotations({ intent: 'display' })) as Annotation[]
  const annotations = all
    .slice(0, annotationsMax)
    .filter(({ annotationFlags = 0 }) => (annotationFlags & hiddenFlags) === 0)
  if (annotations.length === 0) return ''
  const drawnTexts = annotations.some(isOnlyDrawn) ? await readAppearances(page) : undefined
  const spacedPageText = toSpacedWords(pageText)
  const texts = new Set<string>()
  let comparedTexts = 0
  for (const annotation of annotations) {
    const drawnText = isOnlyDrawn(annotation) ? (drawnTexts?.get(annotation.id) ?? '') : ''
    for (const each of [toFieldText(annotation), toNote(annotation), drawnText]) {
      const text = each.replace(/\s+/g, ' ').trim()
      if (text === '') continue
      comparedTexts += 1
      const isInPageText = comparedTexts <= comparedTextsMax && spacedPageText.includes(toSpacedWords(text))
      if (!isInPageText) texts.add(text)
    }
  }
  return [...texts].join(' ')
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
function toFieldText({ subtype, fieldType, fieldValue, password, options, textContent = [] }: Annotation): string {
  const lines = textContent.join('\n')
  if (subtype === 'FreeText') return lines
  if (subtype !== 'Widget' || password === true) return ''
  if (fieldType === 'Tx') return typeof fieldValue === 'string' && fieldValue !== '' ? fieldValue : lines
  if (fieldType !== 'Ch') return ''
  const chosen: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const texts = chosen.filter((value) => typeof value === 'string')
  return texts.map((value) => options?.find((option) => option.exportValue === value)?.displayValue ?? value).join('\n')
}

/** A form field has a value instead (`toFieldText`), a link only a description, and a popup repeats a note. */
const subtypesWithoutNote: ReadonlySet<string> = new Set(['Widget', 'Link', 'Popup'])

/** Returns the text of a note. AutoCAD also adds a note for each text that it draws as lines. */
function toNote({ subtype, contentsObj }: Annotation): string {
  return subtypesWithoutNote.has(subtype) ? '' : (contentsObj?.str ?? '')
}

/**
 * Returns the words with one space before, between and after them, so that `includes` finds whole words only.
 * Punctuation is kept only inside a word: `UE-1` is in `la UE-1, y` and not in `UE-12` or `UE-1.2`.
 */
function toSpacedWords(text: string): string {
  return ` ${text} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, (gap) => (/\s/.test(gap) ? ' ' : gap))
}
