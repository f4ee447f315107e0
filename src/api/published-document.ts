// {base}/documento/{sha256}: the files of documents that `import --publish-documents` has published, from a folder in
// `--data-dir`. The snapshot says which files those are, so a withdrawn one is gone with its registry.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { PublishedFile } from '../domain/document.ts'
import { toRangeResponse } from '../http/byte-range.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, isStreamed, toExtendedValue } from '../http/response.ts'
import { crossOriginHeaders, type ResponseHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { SnapshotSource } from '../registry/contract.ts'
import { readBlocks } from '../registry/stores/registry-file.ts'
import type { ServiceSettings } from './settings.ts'

/** The file, or a part of it. Returns a problem if no such file is published, or it cannot be read. */
export async function handlePublishedDocument(
  request: ApiRequest,
  {
    store,
    settings,
    log,
  }: { readonly store: SnapshotSource; readonly settings: ServiceSettings; readonly log: Logger },
  sha256: string,
): Promise<ApiResponse | Problem> {
  // Only such a name becomes a path.
  const published = /^[0-9a-f]{64}$/.test(sha256) ? store.current().findPublished(sha256) : undefined
  if (published === undefined) {
    return new Problem(
      'unknown-address',
      'No document is published here (any more); the records link to their documents',
    )
  }
  const path = join(settings.documentsFolder ?? '', sha256)
  let file: FileHandle
  try {
    file = await openWhole(path, published.bytes)
  } catch (error) {
    log.error({ err: error, requestId: request.id, path }, 'published document cannot be read')
    return new Problem('unknown-address', 'The file of this document is missing; try again later')
  }
  const response = toRangeResponse(request, {
    bytes: published.bytes,
    tag: sha256,
    headers: toHeaders(published),
    read: (first, end) => {
      const chunks = readBlocks(file, first, end)
      const endReading = async (): Promise<void> => {
        await chunks.return()
        // Closing a file that was only read cannot fail in a way that matters, and may be asked for more than once.
        await file.close().catch(() => undefined)
      }
      return { chunks, end: endReading }
    },
  })
  if (!isStreamed(response.body)) await file.close()
  return response
}

/** Throws if the path leads to no regular file of that size. */
async function openWhole(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (stats.isFile() && stats.size === bytes) return file
    throw new Error(`expected a file of ${bytes} bytes, found ${stats.size}`)
  } catch (error) {
    await file.close()
    throw error
  }
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
