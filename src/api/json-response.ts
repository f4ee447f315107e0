// Headers and ETags of the responses that are built from a snapshot, such as records, municipalities, feed and
// catalogue, and the response with a small text.

import { hash } from 'node:crypto'
import type { ApiRequest } from '../http/request.ts'
import { respond } from '../http/respond.ts'
import type { ApiResponse } from '../http/response.ts'
import { type ResponseHeaders, representationHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { parseParameters } from './parameters.ts'

/** A cache may use a response for a minute; then it revalidates, which costs a 304 while the snapshot is the same. */
export const dataCaching = 'public, max-age=60, must-revalidate'

/** The results of `toJsonHeaders`. */
const headersBySnapshot = new WeakMap<Snapshot, ResponseHeaders>()

/** The headers of a JSON response. All JSON responses from a snapshot share the object. */
export function toJsonHeaders(snapshot: Snapshot): ResponseHeaders {
  const cached = headersBySnapshot.get(snapshot)
  if (cached !== undefined) return cached
  const headers = { ...representationHeaders('application/json', dataCaching), ...toLastModified(snapshot) }
  headersBySnapshot.set(snapshot, headers)
  return headers
}

/** The header `Last-Modified`: when the snapshot was published. */
export function toLastModified({ metadata }: Snapshot): ResponseHeaders {
  return { 'Last-Modified': metadata.publishedAt.toUTCString() }
}

/** How many characters of a snapshot's id a tag begins with: enough to tell snapshots apart. */
const snapshotIdCharacters = 16

/**
 * The tag of a response: its ETag without quotes and coding, which `toEntityTag` adds. It depends on the snapshot, on
 * the version of the service and on `key`: for example the operation and its parameters (`toCacheKey`), or the body
 * itself. If `key` has the body, `snapshotId` may be empty: a new snapshot that gives the same body keeps the tag.
 */
export function toTag(snapshotId: string, key: readonly string[]): string {
  // NUL separates the parts of the key; none contains it.
  const keyHash = hash('sha1', [version, ...key].join('\0'), 'base64url')
  return `${snapshotId.slice(0, snapshotIdCharacters)}-${keyHash}`
}

/**
 * Serves a text at an address without parameters. It is not in the response cache: its body contains the base URL,
 * which the keys of that cache lack.
 */
export async function serveText(
  request: ApiRequest,
  contentType: string,
  caching: string,
  snapshotId: string,
  body: string,
): Promise<ApiResponse | Problem> {
  const representation = { tag: toTag(snapshotId, [body]), headers: representationHeaders(contentType, caching) }
  return rejectParameters(request) ?? respond(request, representation, async () => ({ body }))
}

/** The problem of a request that has a parameter, at an address that takes none. */
export function rejectParameters(request: ApiRequest): Problem | undefined {
  const parsed = parseParameters(request.target.query, [])
  return parsed instanceof Problem ? parsed : undefined
}
