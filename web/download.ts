// The whole current result as a file, made in the browser: streamed to disk where the browser can (File System
// Access), gathered in a Blob where it cannot.
import type { WireRecord } from '../src/domain/record.ts'
import { byteOrderMark, toCsvHeader, toCsvLine } from './csv.ts'
import { readRecordTexts } from './record-stream.ts'
import { baseUrl } from './search-url.ts'

export type Format = 'CSV' | 'JSON'

export interface DownloadRequest {
  /** One for each year of a range, newest first. */
  readonly queries: readonly string[]
  readonly format: Format
  /** Of CSV: the one that spreadsheets of the reader's language expect. */
  readonly separator: string
  readonly onProgress: (records: number) => void
  readonly signal: AbortSignal
}

/** Writes everything or throws, and then leaves no file behind. */
export async function download(request: DownloadRequest, sink: Sink): Promise<void> {
  try {
    const form = request.format === 'CSV' ? toCsvForm(request.separator) : jsonForm
    let done = 0
    await sink.write(form.head)
    for (const query of request.queries) {
      const response = await fetch(new URL(`record?${query}`, baseUrl), { signal: request.signal })
      if (!response.ok || response.body === null)
        throw new Error(`Cannot download: the service answered ${response.status}`)
      for await (const texts of readRecordTexts(response.body)) {
        await sink.write(texts.map((text, index) => form.record(text, done + index === 0)).join(''))
        done += texts.length
        request.onProgress(done)
      }
    }
    await sink.write(form.tail)
    await sink.close()
  } catch (error) {
    await sink.discard()
    throw error
  }
}

interface Form {
  readonly head: string
  readonly record: (text: string, isFirst: boolean) => string
  readonly tail: string
}

/** The bytes of the service, in its envelope. */
const jsonForm: Form = {
  head: '{"resultadoBusqueda":[',
  record: (text, isFirst) => (isFirst ? text : `,${text}`),
  tail: ']}',
}

function toCsvForm(separator: string): Form {
  const record = (text: string): string => {
    const parsed: WireRecord = JSON.parse(text)
    return toCsvLine(parsed, separator)
  }
  return { head: byteOrderMark + toCsvHeader(separator), record, tail: '' }
}

export interface Sink {
  write(text: string): Promise<void>
  close(): Promise<void>
  discard(): Promise<void>
}

/** Null when the reader changed their mind in the dialog. */
export async function openSink(fileName: string, format: Format): Promise<Sink | null> {
  const type = format === 'CSV' ? 'text/csv' : 'application/json'
  if (window.showSaveFilePicker === undefined) return toBlobSink(fileName, type)
  try {
    const handle = await window.showSaveFilePicker({
      suggestedName: fileName,
      types: [{ description: format, accept: { [type]: [`.${format.toLowerCase()}`] } }],
    })
    const stream = await handle.createWritable()
    return {
      write: (text) => stream.write(text),
      close: () => stream.close(),
      discard: () => stream.abort().catch(() => {}),
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    // A frame or a policy may forbid the dialog; the ordinary download still works.
    return toBlobSink(fileName, type)
  }
}

/** Small pieces are joined before they become Blobs, which the browser may keep on disk. */
const blobCharacters = 1 << 20
const revokeAfterMs = 60_000

function toBlobSink(fileName: string, type: string): Sink {
  const blobs: Blob[] = []
  let pending = ''
  const flush = (): void => {
    blobs.push(new Blob([pending]))
    pending = ''
  }
  return {
    async write(text) {
      pending += text
      if (pending.length > blobCharacters) flush()
    },
    async close() {
      flush()
      const address = URL.createObjectURL(new Blob(blobs, { type }))
      const link = document.createElement('a')
      link.href = address
      link.download = fileName
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), revokeAfterMs)
    },
    async discard() {
      blobs.length = 0
      pending = ''
    },
  }
}
