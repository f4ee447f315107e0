// The cache of documents, a folder: what each reference led to, and the reading of each content by its hash. Files
// are replaced whole by rename and carry their own length and checksum, so that one cut short by a crash counts as
// absent; nothing here needs to outlive a power failure.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DocumentOutcome, DocumentReference } from './reference.ts'
import type { Reading } from './text-extractor.ts'
import type { LostPage } from './text-layer-collector.ts'

/** Raised whenever the same content would read otherwise, so that old readings are no longer taken. */
const readerVersion = 3

/** What a reference led to when it was last followed. */
export interface ReferenceEntry {
  /** The import that followed it. */
  readonly run: string
  readonly outcome: DocumentOutcome
  /** The reading that holds its text. */
  readonly reading?: ReadingKey | undefined
  readonly sha256?: string | undefined
  /** Of a file: identity and times, by which an unchanged one is known without reading it. */
  readonly fileState?: string | undefined
  /** Of an address: what the host calls this version of the document. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/**
 * `text` is the text layer, `ocr` adds the scanned pages, `partial` lacks pages for a passing reason and is for this
 * import only.
 */
export type ReadingVariant = 'text' | 'ocr' | 'partial'

export interface ReadingKey {
  readonly sha256: string
  readonly variant: ReadingVariant
}

/** A document that its own content makes unreadable. */
export interface RefusedReading {
  readonly refused: string
}

export class DocumentCache {
  readonly folder: string
  /** Downloads and half-written files of this process. */
  readonly scratch: string

  private constructor(folder: string) {
    this.folder = folder
    this.scratch = join(folder, 'scratch', `${process.pid}-${randomUUID()}`)
  }

  static async open(folder: string): Promise<DocumentCache> {
    const cache = new DocumentCache(folder)
    await mkdir(cache.scratch, { recursive: true })
    for (const name of await readdir(join(folder, 'scratch'))) {
      if (!isRunning(Number.parseInt(name, 10)))
        await rm(join(folder, 'scratch', name), { recursive: true, force: true })
    }
    return cache
  }

  async close(): Promise<void> {
    await rm(this.scratch, { recursive: true, force: true })
  }

  async readEntry(reference: DocumentReference): Promise<ReferenceEntry | undefined> {
    const file = await this.#read(this.#entryPath(reference))
    return file === undefined ? undefined : (JSON.parse(file.head) as ReferenceEntry)
  }

  async writeEntry(reference: DocumentReference, entry: ReferenceEntry): Promise<void> {
    await this.#write(this.#entryPath(reference), JSON.stringify(entry), '')
  }

  async readReading(key: ReadingKey): Promise<Reading | RefusedReading | undefined> {
    const file = await this.#read(this.#readingPath(key))
    if (file === undefined) return undefined
    const head = JSON.parse(file.head) as RefusedReading | Omit<Reading, 'pages'>
    return 'refused' in head ? head : { ...head, pages: file.body.split('\f') }
  }

  async writeReading(key: ReadingKey, reading: Reading | RefusedReading): Promise<void> {
    if ('refused' in reading) return this.#write(this.#readingPath(key), JSON.stringify(reading), '')
    const { pages, ...head } = reading
    await this.#write(this.#readingPath(key), JSON.stringify(head), pages.join('\f'))
  }

  #entryPath(reference: DocumentReference): string {
    const name = reference.kind === 'file' ? `file ${reference.name}` : `address ${reference.url}`
    const key = createHash('sha256').update(name).digest('hex')
    return join(this.folder, 'references', key.slice(0, 2), key.slice(2))
  }

  #readingPath({ sha256, variant }: ReadingKey): string {
    return join(this.folder, 'readings', sha256.slice(0, 2), `${sha256.slice(2)}.${variant}.${readerVersion}`)
  }

  /** One line with the length and checksum of all that follows, one line of JSON, the body. */
  async #write(path: string, head: string, body: string): Promise<void> {
    const content = Buffer.from(`${head}\n${body}`)
    const scratch = join(this.scratch, randomUUID())
    await writeFile(scratch, Buffer.concat([Buffer.from(`${content.length} ${crc32(content)}\n`), content]))
    try {
      await rename(scratch, path)
    } catch (error) {
      if (!isMissing(error)) throw error
      await mkdir(join(path, '..'), { recursive: true })
      await rename(scratch, path)
    }
  }

  async #read(path: string): Promise<{ head: string; body: string } | undefined> {
    let file: Buffer
    try {
      file = await readFile(path)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
    const start = file.indexOf(0x0a) + 1
    const content = file.subarray(start)
    if (file.toString('latin1', 0, start) !== `${content.length} ${crc32(content)}\n`) return undefined
    const headEnd = content.indexOf(0x0a)
    return { head: content.toString('utf8', 0, headEnd), body: content.toString('utf8', headEnd + 1) }
  }
}

/** Whether the reading says the same on every import, so that it may be kept for the next one. */
export function isFinal(lost: readonly LostPage[]): boolean {
  return lost.every((page) => page.isFinal)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
