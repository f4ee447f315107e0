// `{base}/current.json` and `{base}/registry/…` with `serve --offer-file`: the pointer to the file of the registry and
// the file itself, for services that follow this one and for people who want everything in one SQLite file.
import { toRangeResponse } from '../http/byte-range.ts'
import { findNotModified } from '../http/conditional.ts'
import { toContentTag } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse, ResponseHeaders } from '../http/response.ts'
import { crossOriginHeaders, representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { FileOffer } from '../registry/stores/offer.ts'
import { fileMediaType, toPointerText } from '../registry/stores/pointer.ts'

/** Caches ask before they use the pointer again. */
const pointerHeaders = representationHeaders('application/json', 'no-cache')

/** The file never changes under its name, and no proxy may compress it. */
const fileHeaders: ResponseHeaders = {
  'Content-Type': fileMediaType,
  'Cache-Control': 'public, max-age=31536000, immutable, no-transform',
  ...crossOriginHeaders,
}

/** `Retry-After` until the file is hashed, which takes a few seconds for a gigabyte. */
const retryAfterSeconds = 1

/** The pointer; 503 until the file is hashed. */
export async function handlePointer(request: ApiRequest, offer: FileOffer | undefined): Promise<ApiResponse> {
  offer?.update()
  const newest = offer?.newest
  if (offer === undefined || newest === undefined) return toNotReadyResponse(request)
  const lastImport = await offer.readLastImport()
  const href = `registry/${newest.facts.sha256}.db`
  const text = toPointerText({ manifest: { ...newest.facts, lastImport }, href })
  const tag = toContentTag(text)
  return findNotModified(request, tag, pointerHeaders) ?? toWholeResponse(request, tag, pointerHeaders, text)
}

/** The file of that name, or a part of it. Returns a problem if it is not offered (any more). */
export async function handleOfferedFile(
  request: ApiRequest,
  offer: FileOffer | undefined,
  name: string,
): Promise<ApiResponse | Problem> {
  const file = name.endsWith('.db') ? offer?.find(name.slice(0, -'.db'.length)) : undefined
  if (file === undefined) {
    return new Problem(
      'unknown-address',
      'There is no such registry file (any more); current.json names the current one',
    )
  }
  // Its bytes may not be those that its name promises.
  if (!(await file.isUnchanged())) return toNotReadyResponse(request)
  const { sha256, bytes } = file.facts
  return toRangeResponse(request, {
    bytes,
    tag: sha256,
    headers: fileHeaders,
    read: (first, end) => {
      const { chunks, endReading } = file.read(first, end)
      const endChunks = async (): Promise<void> => {
        await chunks.return()
        endReading()
      }
      return { chunks, end: endChunks }
    },
  })
}

function toNotReadyResponse(request: ApiRequest): ApiResponse {
  const problem = new Problem('registry-unavailable', 'The registry file is being prepared; try again soon')
  return toProblemResponse(problem, request, { 'Retry-After': String(retryAfterSeconds) })
}
