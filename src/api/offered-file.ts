// `{base}/current.json` and `{base}/registry/…` with `serve --offer-file`: the pointer to the file of the registry and
// the file itself, for services that follow this one and for people who want everything in one SQLite file.

import { toRangeResponse } from '../http/byte-range.ts'
import { toContentTag } from '../http/files.ts'
import { respond } from '../http/respond.ts'
import { crossOriginHeaders, type ResponseHeaders, representationHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import { fileMediaType, toPointerText } from '../registry/stores/pointer.ts'
import type { Handler } from './route.ts'

/** Caches ask before they use the pointer again. */
const pointerHeaders = representationHeaders('application/json', 'no-cache')

/** The file never changes under its name, and no proxy may compress it. */
const fileHeaders: ResponseHeaders = {
  'Content-Type': fileMediaType,
  'Cache-Control': 'public, max-age=31536000, immutable, no-transform',
  ...crossOriginHeaders,
}

/** The pointer; 503 until the file is hashed. */
export const handlePointer: Handler = async (request, { offer }) => {
  offer?.update()
  const newest = offer?.newest
  if (offer === undefined || newest === undefined) return notReady
  const lastImport = await offer.readLastImport()
  const href = `registry/${newest.facts.sha256}.db`
  const body = toPointerText({ manifest: { ...newest.facts, lastImport }, href })
  return respond(request, { tag: toContentTag(body), headers: pointerHeaders }, async () => ({ body }))
}

/** The file of that name, or a part of it. */
export const handleOfferedFile: Handler = async (request, { offer }, name) => {
  const file = name.endsWith('.db') ? offer?.find(name.slice(0, -'.db'.length)) : undefined
  if (file === undefined) {
    const detail = 'There is no such registry file (any more); current.json names the current one'
    return new Problem('unknown-address', detail)
  }
  // Its bytes may not be those that its name promises.
  if (!(await file.isUnchanged())) return notReady
  const { sha256, bytes } = file.facts
  return toRangeResponse(request, {
    bytes,
    tag: sha256,
    headers: fileHeaders,
    read: (first, end) => file.read(first, end),
  })
}

/** The file is hashed first, which takes a few seconds for a gigabyte. */
const notReady = new Problem('registry-unavailable', 'The registry file is being prepared; try again soon', {
  headers: { 'Retry-After': '1' },
})
