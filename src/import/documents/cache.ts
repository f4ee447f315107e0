// On-disk cache of documents: an entry for every reference (a file name or an address), and the extracted text of every
// content by its hash. Files are replaced by rename and begin with length and checksum, so that an incomplete file
// counts as absent. Nothing is synced to disk, because everything can be read again.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentOutcome, DocumentReference } from './reference.ts'
import type { ExtractedText } from './text-extractor.ts'

/** Must be incremented when the same content would give another text; older cached texts are then ignored. */
const extractorVersion = 17
const newline = 0x0a
/** A form feed, which worker.ts removes from the texts. */
const pageSeparator = '\f'

/**
 * What a reference led to when it was last resolved.
 *
 * | case | `textKey` | `unreadReason` | `sha256` | `pageCount` |
 * |---|---|---|---|---|
 * | there is a text, whose pages may all be empty | yes | – | yes | – |
 * | the document is missing: there is no such file, or it could not be fetched | – | yes | – | – |
 * | no worker has read it: it is too large, or its file cannot be opened | – | yes | – | – |
 * | a worker refused it (`RefusedText`), for example because it is damaged | – | yes | yes | yes |
 * | there is a web page in its place | – | yes | yes | – |
 */
export interface ReferenceEntry {
  readonly outcome: DocumentOutcome
  readonly textKey?: TextKey | undefined
  /** Why there is no text, in words that clients may see. */
  readonly unreadReason?: Reason | undefined
  /** Hash of the content. */
  readonly sha256?: string | undefined
  /** Number of pages; 0 if it is not known. */
  readonly pageCount?: number | undefined
  /** For a file: its identity, size and times. If they are the same, it has not changed. */
  readonly fileState?: string | undefined
  /** For an address: the validators of a conditional request. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/**
 * `text` is the text layer, `ocr-spa` includes scanned pages recognised in Spanish, `partial` lacks pages that the next
 * import tries again.
 */
export type TextVariant = 'text' | `ocr-${string}` | 'partial'

/** Identifies a text: the hash of the content of its document, and the variant. */
export interface TextKey {
  readonly sha256: string
  readonly variant: TextVariant
}

/**
 * A refusal: why a document cannot be read. It is stored in place of the text, but only if the content is the cause. So
 * the same content is not read again, even if another reference leads to it.
 */
export interface RefusedText {
  /** The cause, then advice. */
  readonly refused: readonly Reason[]
  /** 0 if it is not known. */
  readonly pageCount: number
}

export function isRefusal(text: Omit<ExtractedText, 'pages'> | RefusedText): text is RefusedText {
  return 'refused' in text
}

export class DocumentCache {
  readonly folder: string
  /** Folder for downloads, OCR models, incomplete files, and copies of the entries that this import writes. */
  readonly scratch: string

  private constructor(folder: string) {
    this.folder = folder
    this.scratch = join(folder, 'scratch', randomUUID())
  }

  static async open(folder: string): Promise<DocumentCache> {
    const cache = new DocumentCache(folder)
    await mkdir(cache.scratch, { recursive: true })
    // Deletes the scratch folders of imports that were killed.
    for (const name of await readdir(join(folder, 'scratch'))) {
      const path = join(folder, 'scratch', name)
      if (await isAbandoned(path)) await rm(path, { recursive: true, force: true })
    }
    return cache
  }

  /** Deletes the scratch folder; the cached texts stay. */
  async close(): Promise<void> {
    await rm(this.scratch, { recursive: true, force: true })
  }

  /** Returns the entry of the last import that wrote one; undefined if none has, or if it is damaged. */
  async readLastEntry(reference: DocumentReference): Promise<ReferenceEntry | undefined> {
    return await this.#readEntry(this.folder, reference)
  }

  /** Returns the entry that this import has written; undefined if it has not resolved the reference. */
  async readEntryOfThisImport(reference: DocumentReference): Promise<ReferenceEntry | undefined> {
    return await this.#readEntry(this.scratch, reference)
  }

  /**
   * Writes the entry for the next import and, in `scratch`, for this one: another import that uses the cache at the
   * same time may replace the former.
   */
  async writeEntry(reference: DocumentReference, entry: ReferenceEntry): Promise<void> {
    for (const folder of [this.folder, this.scratch]) {
      await this.#write(toEntryPath(folder, reference), JSON.stringify(entry), '')
    }
  }

  async #readEntry(folder: string, reference: DocumentReference): Promise<ReferenceEntry | undefined> {
    const file = await this.#read(toEntryPath(folder, reference))
    return file === undefined ? undefined : (JSON.parse(file.head) as ReferenceEntry)
  }

  /** Returns undefined if the text is not in the cache or is damaged. */
  async readText(key: TextKey): Promise<ExtractedText | RefusedText | undefined> {
    const file = await this.#read(this.#textPath(key))
    if (file === undefined) return undefined
    const head = JSON.parse(file.head) as RefusedText | Omit<ExtractedText, 'pages'>
    return isRefusal(head) ? head : { ...head, pages: file.body.split(pageSeparator) }
  }

  async writeText(key: TextKey, text: ExtractedText | RefusedText): Promise<void> {
    if (isRefusal(text)) return this.#write(this.#textPath(key), JSON.stringify(text), '')
    const { pages, ...head } = text
    await this.#write(this.#textPath(key), JSON.stringify(head), pages.join(pageSeparator))
  }

  /** Texts, and the refusals in their place, are in the folder `readings`. */
  #textPath({ sha256, variant }: TextKey): string {
    return join(this.folder, 'readings', sha256.slice(0, 2), `${sha256.slice(2)}.${variant}.${extractorVersion}`)
  }

  /** Writes a line with the length and checksum of the rest, a line of JSON (`head`), and the body. */
  async #write(path: string, head: string, body: string): Promise<void> {
    const content = Buffer.from(`${head}\n${body}`)
    const temporaryPath = join(this.scratch, randomUUID())
    await writeFile(temporaryPath, Buffer.concat([Buffer.from(toChecksumLine(content)), content]))
    try {
      await rename(temporaryPath, path)
    } catch (error) {
      if (!isNotFound(error)) throw error
      // The folder does not exist yet, because this is its first file.
      await mkdir(dirname(path), { recursive: true })
      await rename(temporaryPath, path)
    }
  }

  /** Returns undefined if the file does not exist or is damaged. */
  async #read(path: string): Promise<{ head: string; body: string } | undefined> {
    let file: Buffer
    try {
      file = await readFile(path)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
    const contentStart = file.indexOf(newline) + 1
    const content = file.subarray(contentStart)
    if (file.toString('latin1', 0, contentStart) !== toChecksumLine(content)) return undefined
    const headEnd = content.indexOf(newline)
    return { head: content.toString('utf8', 0, headEnd), body: content.toString('utf8', headEnd + 1) }
  }
}

/** The first two digits of a hash are a folder, here and in `#textPath`, so that no folder has too many files. */
function toEntryPath(folder: string, reference: DocumentReference): string {
  const name = reference.kind === 'file' ? `file ${reference.name}` : `address ${reference.url}`
  const key = createHash('sha256').update(name).digest('hex')
  return join(folder, 'references', key.slice(0, 2), key.slice(2))
}

/** Returns the length in bytes and the checksum: `1204 3632233996`. */
function toChecksumLine(content: Buffer): string {
  return `${content.length} ${crc32(content)}\n`
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** A scratch folder counts as abandoned after this time without a write: an import writes to it for every document. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

/**
 * Whether nothing was written to the folder for a day. A process id would not tell whether its import still runs: the
 * import may be in another container, with process ids of its own.
 */
async function isAbandoned(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > abandonedAfterMs
}
