// Worker process that reads untrusted documents: it extracts their text, inspects what their pages draw, and recognises
// scanned pages (OCR). It may only read files (worker-pool.ts sets its permissions), and a crash affects one document
// only.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { Reason } from '../../domain/document-reason.ts'
import { readAnnotationText } from './annotations.ts'
import { recogniseText } from './ocr.ts'
import { inspectPage } from './page-drawing.ts'
import { describeOmitted, type GreyImage, openPdf, renderPage } from './pdf.ts'
import { detectFormat, toHtmlText, toPlainText } from './plain-text.ts'
import { countLetters, type Finding, Findings, isScan } from './scanned-page.ts'
import { readTextLayer } from './text-layer.ts'
import type { PageMessage, WorkerMessage, WorkerRequest } from './worker-messages.ts'

/** A longer text of a page of a PDF is cut, so that a message stays small. */
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
  if (format === 'pdf') {
    // pdf.js accepts no Buffer.
    const document = await openPdf(new Uint8Array(data.buffer, data.byteOffset, data.length))
    if (!('numPages' in document)) return toRefusal(document, { isFinal: true })
    await readPdf(document, request).finally(() => document.loadingTask.destroy())
  } else if (request.task === 'text') {
    send({ kind: 'opened', format, pageCount: 1, omitted: [] })
    send(toPageMessage(1, format === 'html' ? toHtmlText(data) : toPlainText(data), '', request.charactersMax))
  }
  return undefined
}

/** Sends the results. */
async function readPdf(document: PDFDocumentProxy, request: WorkerRequest): Promise<void> {
  // If the list of attached files is damaged, the pages can still be read.
  const omitted = await describeOmitted(document).catch(() => [])
  send({ kind: 'opened', format: 'pdf', pageCount: document.numPages, omitted })
  if (request.task === 'ocr') {
    const { page, letters } = request
    return await recognisePage(document, page, letters).catch(() => send({ kind: 'damaged', page }))
  }
  const findings = new Findings(request.tallies)
  const lastPage = Math.min(document.numPages, request.lastPage)
  for (let page = request.fromPage; page <= lastPage; page += 1) {
    await readPage(document, page, findings).catch(() => send({ kind: 'damaged', page }))
  }
}

/** Sends the text layer with the annotations and then, if the page may be a scan, what it draws. */
async function readPage(document: PDFDocumentProxy, pageNumber: number, findings: Findings): Promise<void> {
  const page = await document.getPage(pageNumber)
  try {
    const text = await readTextLayer(page)
    // Damaged annotations leave the page readable.
    const annotations = await readAnnotationText(page, text).catch(() => '')
    const letters = countLetters(text)
    const isInspected = findings.isWanted(letters)
    send({ ...toPageMessage(pageNumber, text, annotations), isInspected })
    if (!isInspected) return
    const inspection = await inspectPage(page).catch(() => undefined)
    if (inspection === undefined) return
    const finding: Finding = isScan(letters, inspection) ? 'scan' : 'no scan'
    findings.add(pageNumber, letters, finding)
    send({ kind: 'inspected', page: pageNumber, finding })
  } finally {
    page.cleanup()
  }
}

async function recognisePage(document: PDFDocumentProxy, pageNumber: number, letters: number): Promise<void> {
  const page = await document.getPage(pageNumber)
  try {
    const isNoScan = letters > 0 && !isScan(letters, await inspectPage(page))
    if (isNoScan) send({ kind: 'inspected', page: pageNumber, finding: 'no scan' })
    else {
      const render = (quarterTurns: number): Promise<GreyImage> => renderPage(document, page, quarterTurns)
      send(toPageMessage(pageNumber, await recogniseText(render, ocrModels)))
    }
  } finally {
    page.cleanup()
  }
}

function toPageMessage(page: number, text: string, annotations = '', charactersMax = pageCharactersMax): PageMessage {
  const isCut = Math.max(text.length, annotations.length) > charactersMax
  return {
    kind: 'page',
    page,
    text: toPageText(text.slice(0, charactersMax)),
    annotations: toPageText(annotations.slice(0, charactersMax)),
    isCut,
    isInspected: false,
  }
}

/** Cleans the text. */
function toPageText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?|\f/g, '\n')
      // Control characters other than the line break.
      .replace(/[\p{Cc}--\n]/gv, ' ')
      // Spaces at the end of a line. The lookbehind keeps a match from being tried at every space of a long run.
      .replace(/(?<! ) +\n/g, '\n')
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
