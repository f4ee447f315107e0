// Ranges of a large file (RFC 9110, section 14): the response to GET and HEAD with `Range` and `If-Range`. The file is
// sent as it is, never compressed, so that a transfer that breaks off can be resumed.

import { isNotModified, toEntityTag, toNotModified } from './conditional.ts'
import type { ApiRequest } from './request.ts'
import type { ApiResponse, BodyStream } from './response.ts'
import type { ResponseHeaders } from './response-headers.ts'

export interface RangeSource {
  readonly bytes: number
  /** The entity tag without quotes. */
  readonly tag: string
  readonly headers: ResponseHeaders
  /** Reads the bytes from `first` to `end` (excluded). */
  readonly read: (first: number, end: number) => BodyStream
}

interface ByteRange {
  readonly first: number
  /** Excluded. */
  readonly end: number
}

/** The whole file, the range that is requested, 304 if the client has the file, or 416 if it has no such range. */
export function toRangeResponse(request: ApiRequest, { bytes, tag, headers, read }: RangeSource): ApiResponse {
  const entityTag = toEntityTag(tag, 'identity')
  if (isNotModified(request, entityTag, headers)) return toNotModified(entityTag, headers)
  const range = toRange(request, entityTag, bytes)
  const ownHeaders: ResponseHeaders = { ...headers, ETag: entityTag, 'Accept-Ranges': 'bytes' }
  if (range === 'unsatisfiable') {
    const emptyHeaders = { ...ownHeaders, 'Content-Range': `bytes */${bytes}`, 'Content-Length': '0' }
    return { status: 416, headers: emptyHeaders, body: null }
  }
  const { first, end } = range ?? { first: 0, end: bytes }
  const rangeHeaders: ResponseHeaders =
    range === undefined ? {} : { 'Content-Range': `bytes ${first}-${end - 1}/${bytes}` }
  // The client sets the pace from now on.
  request.deadline?.markStarted()
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...ownHeaders, ...rangeHeaders, 'Content-Length': String(end - first) },
    body: { coding: 'identity', ...read(first, end) },
  }
}

/** The range of a GET; undefined for the whole file, also if the client asks for several ranges at once. */
function toRange(request: ApiRequest, entityTag: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const range = request.header('range')
  const ifRange = request.header('if-range')
  // Only GET has ranges (section 14.2). With another tag, or a date, the client has another version (section 13.1.5).
  if (request.method !== 'GET' || range === undefined) return undefined
  if (ifRange !== undefined && ifRange !== entityTag) return undefined
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range.replaceAll(/[ \t]/g, ''))
  if (match === null) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  // `bytes=-500` means the last 500 bytes.
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes : Math.min(bytes, Number(to) + 1)
  // A range that ends before it begins is malformed, and ignored.
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return first < end ? { first, end } : 'unsatisfiable'
}
