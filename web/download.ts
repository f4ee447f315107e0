// Downloads the whole result as a file: streamed to disk where the browser supports it (File System Access API),
// otherwise collected in a Blob.
import { createClient, type SearchFilters, type WireRecord } from '../src/client/client.ts'
import { byteOrderMark, toCsvHeader, toCsvLine } from './csv.ts'
import { baseUrl } from './search-url.ts'

export type Format = 'CSV' | 'JSON'

export interface DownloadRequest {
  /** One search for each year of a range, newest first. */
  readonly searches: readonly SearchFilters[]
  readonly format: Format
  /** The CSV separator that spreadsheets expect in the user's language. */
  readonly csvSeparator: string
  readonly onProgress: (records: number) => void
  readonly signal: AbortSignal
}

/** Writes the whole result; on failure it throws and leaves no file. */
export async function download(request: DownloadRequest, sink: Sink): Promise<void> {
  try {
    const encoder = request.format === 'CSV' ? toCsvEncoder(request.csvSeparator) : jsonEncoder
    const client = createClient(baseUrl)
    let pending = encoder.head
    let count = 0
    const flush = async (): Promise<void> => {
      await sink.write(pending)
      pending = ''
      request.onProgress(count)
    }
    for (const filters of request.searches) {
      for await (const record of client.search(filters, { signal: request.signal })) {
        pending += (count === 0 ? '' : encoder.separator) + encoder.encode(record)
        count++
        if (pending.length > writeCharacters) await flush()
      }
    }
    pending += encoder.tail
    await flush()
    await sink.close()
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** Records are collected up to this length before they are written. */
const writeCharacters = 64 * 1024

interface Encoder {
  readonly head: string
  readonly encode: (record: WireRecord) => string
  /** Stands between two records. */
  readonly separator: string
  readonly tail: string
}

/** Writes the same bytes as a response of the service. */
const jsonEncoder: Encoder = {
  head: '{"resultadoBusqueda":[',
  encode: (record) => JSON.stringify(record),
  separator: ',',
  tail: ']}',
}

function toCsvEncoder(csvSeparator: string): Encoder {
  const encode = (record: WireRecord): string => toCsvLine(record, csvSeparator)
  return { head: byteOrderMark + toCsvHeader(csvSeparator), encode, separator: '', tail: '' }
}

/** The destination of a download. */
export interface Sink {
  write(text: string): Promise<void>
  close(): Promise<void>
  discard(): Promise<void>
}

/** Asks the user for a file, if the browser can. Returns null if the user closed the dialog. */
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

/** Text is collected up to this length and then moved to a Blob, which the browser may keep on disk. */
const blobCharacters = 1024 * 1024
/** The browser has read the Blob long before; then its memory is released. */
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
      const url = URL.createObjectURL(new Blob(blobs, { type }))
      const link = document.createElement('a')
      link.href = url
      link.download = fileName
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs)
    },
    async discard() {
      blobs.length = 0
      pending = ''
    },
  }
}
