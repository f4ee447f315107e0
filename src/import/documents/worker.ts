// The reading child: a process of its own that opens documents nobody vouches for. It may read files and nothing
// else (no network, no writing, no processes; see pool.ts), and whatever it does wrong costs one document.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { recogniseText } from './ocr.ts'
import { lookAtSuspects, toSuspects } from './ocr-candidates.ts'
import { lookAtPage, openPdf, renderPage } from './pdf.ts'
import { detectFormat, toHtmlText, toPlainText } from './plain-text.ts'
import { readTextLayer } from './text-layer.ts'
import type { PageLook, ReadMessage, ReadRequest } from './worker-messages.ts'

const pageCharactersMax = 1_000_000

const childBytesMax = Number(process.argv[2])
// The guard has a thread of its own because a document that misbehaves blocks this one.
new Worker(new URL('./memory-watchdog.ts', import.meta.url), {
  workerData: { childBytesMax, parent: process.ppid },
}).unref()

process.on('message', async (request: ReadRequest) => {
  const refusal = await answer(request).catch((error: unknown) =>
    refuse(`it cannot be read: ${firstLine(error)}`, false),
  )
  say(refusal ?? { kind: 'done', residentBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
say({ kind: 'ready' })

/** Undefined once all is said, else why the document is refused. */
async function answer(request: ReadRequest): Promise<ReadMessage | undefined> {
  const data = await readFile(request.path)
  if (createHash('sha256').update(data).digest('hex') !== request.sha256) {
    return refuse('it changed while it was being read; import again', false)
  }
  const format = detectFormat(data)
  if (typeof format === 'object') return refuse(`expected a PDF, got ${format.otherwise}`, true)
  if (format === 'pdf') return answerFromPdf(new Uint8Array(data.buffer, data.byteOffset, data.length), request)
  const pages = toPages(format === 'html' ? toHtmlText(data) : toPlainText(data))
  say({ kind: 'opened', format, pages: pages.length })
  if (request.task !== 'text') return undefined
  for (const [index, text] of pages.entries()) {
    if (index + 1 >= request.fromPage) say({ kind: 'page', page: index + 1, text: toPageText(text) })
  }
  return undefined
}

/** Text without pages is cut at line ends into pieces that fit a message. */
function toPages(text: string): string[] {
  const pages: string[] = []
  for (let start = 0; start < text.length || pages.length === 0; ) {
    const longest = start + pageCharactersMax
    const lineEnd = longest < text.length ? text.lastIndexOf('\n', longest) : text.length
    const end = lineEnd > start ? lineEnd : longest
    pages.push(text.slice(start, end))
    start = end
  }
  return pages
}

async function answerFromPdf(data: Uint8Array, request: ReadRequest): Promise<ReadMessage | undefined> {
  const document = await openPdf(data)
  if (typeof document === 'string') return refuse(document, true)
  try {
    say({ kind: 'opened', format: 'pdf', pages: document.numPages })
    const texts: string[] = []
    for (const number of pagesOf(request, document.numPages)) {
      const answer = await answerFromPage(document, number, request.task)
      say(answer)
      texts.push(answer.kind === 'page' ? answer.text : '')
    }
    // While the document is open: opening it again would cost as much as reading a short one.
    if (request.task === 'text' && request.fromPage === 1) {
      await lookAtSuspects(toSuspects(texts), texts, new Map(), (pages) => lookAtPages(document, pages))
    }
    return undefined
  } finally {
    await document.loadingTask.destroy()
  }
}

async function lookAtPages(document: PDFDocumentProxy, pages: readonly number[]): Promise<Map<number, PageLook>> {
  const looks = new Map<number, PageLook>()
  for (const number of pages) {
    const answer = await answerFromPage(document, number, 'look')
    say(answer)
    if (answer.kind === 'look') looks.set(number, answer.look)
  }
  return looks
}

async function answerFromPage(
  document: PDFDocumentProxy,
  number: number,
  task: ReadRequest['task'],
): Promise<ReadMessage> {
  try {
    const page = await document.getPage(number)
    try {
      switch (task) {
        case 'text':
          return { kind: 'page', page: number, text: toPageText(await readTextLayer(page)) }
        case 'look':
          return { kind: 'look', page: number, look: await lookAtPage(page) }
        case 'ocr':
          return { kind: 'page', page: number, text: toPageText(await recogniseText(await renderPage(document, page))) }
      }
    } finally {
      page.cleanup()
    }
  } catch (error) {
    return { kind: 'broken', page: number, reason: `broken: ${firstLine(error)}` }
  }
}

function pagesOf(request: ReadRequest, pageCount: number): readonly number[] {
  if (request.task !== 'text') return request.pages
  const last = Math.min(pageCount, request.pagesMax)
  return Array.from({ length: Math.max(0, last - request.fromPage + 1) }, (_, index) => request.fromPage + index)
}

/** Pages are kept apart by form feeds, and control characters are never text. */
function toPageText(text: string): string {
  return text
    .slice(0, pageCharactersMax)
    .toWellFormed()
    .replace(/\r\n?|\f/g, '\n')
    .replace(/[\p{Cc}--\n]/gv, ' ')
    .replace(/ +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function refuse(reason: string, isFinal: boolean): ReadMessage {
  return { kind: 'refused', reason, isFinal }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? ''
}

function say(message: ReadMessage): void {
  process.send?.(message)
}
