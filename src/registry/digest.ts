// Digests of the content of a registry. The digest of a record covers everything that responses say about it, so an
// import tells by it what has changed (compare.ts). The id of a registry covers the digests of all records and the
// options of the registry; ETags are made of it.
import { createHash, hash } from 'node:crypto'
import type { RecordDocument } from '../domain/document.ts'
import type { OwnField } from '../domain/own-fields.ts'
import type { WireDocument } from '../domain/wire.ts'
import type { Page } from './pages.ts'
import { formatVersion } from './schema.ts'

/** The options that change responses to the same records. */
export interface RegistryOptions {
  readonly fictional: boolean
  /** As in `SnapshotMetadata`. */
  readonly codePattern: string | null
  /** Whether the text is stored, so that passages can be shown. */
  readonly withPassages: boolean
  /** The office's own columns. */
  readonly fields: readonly OwnField[]
}

interface DigestedRecord {
  readonly code: string
  readonly wire: string
  readonly fields: string | null
  readonly ineCode: string | null
  readonly documents: readonly WireDocument[]
  readonly pages: readonly Page[]
}

export function toRecordDigest({ code, wire, fields, ineCode, documents, pages }: DigestedRecord): Buffer {
  const parts = [code, wire, ineCode ?? '', fields ?? '']
  for (const { href, pages: count, read, recognised, unread, reason, sha256 } of documents) {
    parts.push(JSON.stringify([href, count, read, recognised, unread, reason, sha256]))
  }
  for (const { document, page, recognised, text } of pages) parts.push(`${document} ${page} ${recognised}`, text)
  return hash('sha1', parts.join('\0'), 'buffer')
}

/** The names of the published files, which only the responses with these files have; empty if there are none. */
export function toPublishedNames(documents: readonly RecordDocument[]): string {
  const published = documents.flatMap(({ sha256, published: file }) =>
    file === undefined ? [] : [[sha256, file.name]],
  )
  return published.length === 0 ? '' : JSON.stringify(published)
}

/** The id is the first 128 bits of a SHA-256, in hexadecimal digits. */
const idHexDigits = 32

/** Computes the id from the digests of all records and the names of their published files, which are added in canonical order. */
export class RegistryId {
  readonly #hash = createHash('sha256').update(`format ${formatVersion}`)

  add(digest: Uint8Array, publishedNames: string): void {
    this.#hash.update(digest).update(publishedNames)
  }

  finish({ fictional, codePattern, withPassages, fields }: RegistryOptions): string {
    const options = JSON.stringify([fictional, codePattern, withPassages, fields])
    return this.#hash.update(options).digest('hex').slice(0, idHexDigits)
  }
}
