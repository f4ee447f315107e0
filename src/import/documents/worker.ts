// Worker process that reads untrusted documents: it extracts their text, inspects what their pages draw, and recognises
// scanned pages (OCR). It may only read files (worker-pool.ts sets its permissions), and a crash affects one document
// only.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { Reason } from '../../domain/document-reason.ts'
import { readAnnotationText } from './annotations.ts'
import { recogniseText } from './ocr.ts'
import { findLowTextPages, groupByText, inspectLowTextPages } from './ocr-candidates.ts'
import { describeOmitted, inspectPage, openPdf, renderPage } from './pdf.ts'
import { detectFormat, toHtmlText, toPlainText } from './plain-text.ts'
import type { InspectionResult } from './scanned-page.ts'
import { readTextLayer } from './text-layer.ts'
import type { PageInspection, WorkerMessage, WorkerRequest } from './worker-messages.ts'

/** A longer text of a page is cut, so that a message stays small. */
const pageCharactersMax = 1_000_000
/** Longer error messages are cut. */
const errorCharactersMax = 200

// The arguments: the memory limit in bytes, the folder of the OCR models (empty without OCR) and the OCR languages.
const [, , bytesMaxText, ocrModelsFolder = '', ...ocrLanguages] = process.argv
const workerBytesMax = Number(bytesMaxText)
const ocrModels = { folder: ocrModelsFolder, languages: ocrLanguages }
// The watchdog needs its own thread, because a document can block this one.
new Worker(new URL('./memory-watchdog.ts', import.meta.url), {
  workerData: { workerBytesMax, parentId: process.ppid },
}).unref()

process.on('message', async (request: WorkerRequest) => {
  const refusal = await handleRequest(request).catch((error: unknown) =>
    toRefusal([{ code: 'unreadableBy', values: { message: toFirstLine(error) } }], { isFinal: false }),
  )
  send(refusal ?? { kind: 'done', residentBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
send({ kind: 'ready' })

/** Sends the results. Returns a refusal if the document cannot be read, undefined otherwise. */
async function handleRequest(request: WorkerRequest): Promise<WorkerMessage | undefined> {
  const data = await readFile(request.path)
  if (createHash('sha256').update(data).digest('hex') !== request.sha256) {
    return toRefusal([{ code: 'changed' }, { code: 'importAgain' }], { isFinal: false })
  }
  const format = detectFormat(data)
  if (typeof format === 'object') return toRefusal(format, { isFinal: true })
  // pdf.js accepts no Buffer.
  if (format === 'pdf') return handlePdf(new Uint8Array(data.buffer, data.byteOffset, data.length), request)
  const pages = toPages(format === 'html' ? toHtmlText(data) : toPlainText(data))
  send({ kind: 'opened', format, pageCount: pages.length, omitted: [] })
  // A format without pages has nothing to inspect or recognise.
  if (request.task !== 'text') return undefined
  for (const [index, text] of pages.entries()) {
    const page = index + 1
    if (page >= request.fromPage) send(toPageMessage(page, text))
  }
  return undefined
}

/**
 * Splits text without pages into parts that fit a message: at a line break or, in a very long line, anywhere. An empty
 * text is one empty page.
 */
function toPages(text: string): string[] {
  const pages: string[] = []
  let start = 0
  while (text.length - start > pageCharactersMax) {
    const longestEnd = start + pageCharactersMax
    const lineEnd = text.lastIndexOf('\n', longestEnd)
    const end = lineEnd > start ? lineEnd : longestEnd
    pages.push(text.slice(start, end))
    start = end
  }
  return [...pages, text.slice(start)]
}

/** Sends the results. Returns a refusal if the PDF cannot be opened, undefined otherwise. */
async function handlePdf(data: Uint8Array, request: WorkerRequest): Promise<WorkerMessage | undefined> {
  const document = await openPdf(data)
  if (!('numPages' in document)) return toRefusal(document, { isFinal: true })
  try {
    // If the list of attached files is damaged, the pages can still be read.
    const omitted = await describeOmitted(document).catch(() => [])
    send({ kind: 'opened', format: 'pdf', pageCount: document.numPages, omitted })
    const texts: string[] = []
    for (const pageNumber of toPageNumbers(request, document.numPages)) {
      const message = await readPage(document, pageNumber, request.task)
      send(message)
      texts.push(message.kind === 'page' ? message.text : '')
    }
    // Pages with little text are inspected for scans within this request, and not by a second one, because opening a
    // short document takes as long as reading it. A request that begins at a later page inspects none (`WorkerTask`).
    if (request.task === 'text' && request.fromPage === 1) {
      const lowTextGroups = groupByText(findLowTextPages(texts), texts)
      // `inspectPages` sends the results. `inspectLowTextPages` also adds them to this map, to choose further pages.
      const inspections = new Map<number, InspectionResult>()
      await inspectLowTextPages(lowTextGroups, texts, inspections, (pages) => inspectPages(document, pages))
    }
    return undefined
  } finally {
    await document.loadingTask.destroy()
  }
}

/** Sends the result for each page, and returns the inspections by page number. A damaged page has none. */
async function inspectPages(
  document: PDFDocumentProxy,
  pages: readonly number[],
): Promise<Map<number, PageInspection>> {
  const inspections = new Map<number, PageInspection>()
  for (const pageNumber of pages) {
    const message = await readPage(document, pageNumber, 'inspect')
    send(message)
    if (message.kind === 'inspection') inspections.set(pageNumber, message.inspection)
  }
  return inspections
}

/** Returns the message with the result of the task, or `broken` if it fails: the page is then taken as damaged. */
async function readPage(
  document: PDFDocumentProxy,
  pageNumber: number,
  task: WorkerRequest['task'],
): Promise<WorkerMessage> {
  try {
    const page = await document.getPage(pageNumber)
    try {
      switch (task) {
        case 'text':
          return await readText(page, pageNumber)
        case 'inspect':
          return { kind: 'inspection', page: pageNumber, inspection: await inspectPage(page) }
        case 'ocr':
          return toPageMessage(pageNumber, await recogniseText(await renderPage(document, page), ocrModels))
      }
    } finally {
      page.cleanup()
    }
  } catch {
    return { kind: 'broken', page: pageNumber, reason: { code: 'fault.damaged' } }
  }
}

/** Returns the numbers of the pages that the request asks for. */
function toPageNumbers(request: WorkerRequest, pageCount: number): readonly number[] {
  if (request.task !== 'text') return request.pages
  const lastPage = Math.min(pageCount, request.lastPage)
  const pageNumbers: number[] = []
  for (let page = request.fromPage; page <= lastPage; page += 1) pageNumbers.push(page)
  return pageNumbers
}

/** Reads the text layer and the annotations. */
async function readText(page: PDFPageProxy, pageNumber: number): Promise<WorkerMessage> {
  const text = await readTextLayer(page)
  // Damaged annotations leave the page readable.
  const annotations = await readAnnotationText(page, text).catch(() => '')
  return toPageMessage(pageNumber, text, annotations)
}

function toPageMessage(page: number, text: string, annotations = ''): WorkerMessage {
  const isCut = Math.max(text.length, annotations.length) > pageCharactersMax
  return { kind: 'page', page, text: toPageText(text), annotations: toPageText(annotations), isCut }
}

/** Cuts and cleans the text. The result contains no form feed, which separates pages in the cache. */
function toPageText(text: string): string {
  return (
    text
      .slice(0, pageCharactersMax)
      .toWellFormed()
      .replace(/\r\n?|\f/g, '\n')
      // Control characters other than the line break.
      .replace(/[\p{Cc}--\n]/gv, ' ')
      // Spaces at the end of a line. The lookbehind keeps a match from being tried at every space of a long run.
      .replace(/(?<! ) +\n/g, '\n')
      // More than one blank line.
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** `isFinal` says that the content of the document is the cause, so that a later import need not try again. */
function toRefusal(reasons: readonly Reason[], { isFinal }: { readonly isFinal: boolean }): WorkerMessage {
  return { kind: 'refused', reasons, isFinal }
}

/** Returns the first line of the error message. */
function toFirstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n', 1)
  return line.slice(0, errorCharactersMax)
}

function send(message: WorkerMessage): void {
  process.send?.(message)
}
