// {base}/documento/{sha256}: the files of documents that `import --publish-documents` has published, from a folder in
// `--data-dir`. The snapshot says which files those are, so a withdrawn one is gone with its registry.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedFile } from '../domain/document.ts'
import { toRangeResponse } from '../http/byte-range.ts'
import { type BodyStream, isStreamed, toExtendedValue } from '../http/response.ts'
import { crossOriginHeaders, type ResponseHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import { readRange } from '../registry/stores/registry-file.ts'
import type { Handler } from './route.ts'

/** The file, or a part of it. */
export const handlePublishedDocument: Handler = async (request, { store, settings, log }, sha256) => {
  // Only such a name becomes a path.
  const published = /^[0-9a-f]{64}$/.test(sha256) ? store.current().findPublished(sha256) : undefined
  if (published === undefined) {
    const detail = 'No document is published here (any more); the records link to their documents'
    return new Problem('unknown-address', detail)
  }
  const { bytes } = published
  const path = join(settings.documentsFolder ?? '', sha256)
  let file: FileHandle | undefined
  // Closing a file that was only read cannot fail in a way that matters.
  const close = (): void => void file?.close().catch(() => undefined)
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile() || stats.size !== bytes)
      throw new Error(`expected a file of ${bytes} bytes, found ${stats.size}`)
  } catch (error) {
    close()
    log.error({ err: error, requestId: request.id, path }, 'published document cannot be read')
    return new Problem('unknown-address', 'The file of this document is missing; try again later')
  }
  const handle = file
  const read = (first: number, last: number): BodyStream => readRange(handle, first, last, close)
  const response = toRangeResponse(request, { bytes, tag: sha256, headers: toHeaders(published), read })
  if (!isStreamed(response.body)) close()
  return response
}

/**
 * Browsers show only a PDF, in a viewer that runs no code of this service's origin: what else is in the file is never
 * taken for HTML (`nosniff`). Its policy forbids only that other sites frame it, because a stricter one, such as
 * `sandbox`, keeps some browsers from starting their viewer. Any other file is a download, which can do nothing at all.
 */
function toHeaders({ name, isPdf }: PublishedFile): ResponseHeaders {
  const [type, disposition, policy] = isPdf
    ? ['application/pdf', 'inline', "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"]
    : ['application/octet-stream', 'attachment', "default-src 'none'; sandbox"]
  return {
    'Content-Type': type,
    'Content-Disposition': `${disposition}; ${toFileNames(name.toWellFormed())}`,
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
    ...crossOriginHeaders,
  }
}

/** The name in ASCII for old clients, then as it is (RFC 6266). */
function toFileNames(name: string): string {
  const ascii = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  return `filename="${ascii}"; filename*=${toExtendedValue(name)}`
}
