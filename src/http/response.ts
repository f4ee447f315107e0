// Responses as the handlers return them, and those that are common to all routes. web-response.ts turns them into
// web-standard ones.

import type { Problem } from '../problems.ts'
import { problemKinds, toProblemBody } from '../problems.ts'
import { type Compress, compressedBytesMin, compressWhole } from './compress.ts'
import { type Conditions, isNotModified, toEntityTag, toNotModified } from './conditional.ts'
import type { Coding, CodingName } from './negotiate.ts'
import type { ApiRequest } from './request.ts'
import { problemHeaders, type ResponseHeaders } from './response-headers.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** Null means no body. */
  readonly body: Uint8Array | string | StreamedBody | null
  /** The URL of the next page, relative to the base URL; undefined if this is the last or the only one. */
  readonly next?: string | undefined
  /** On the last page of a list of changes: the URL that will return later changes, relative to the base URL. */
  readonly latest?: string | undefined
  /** The same request for each of the municipalities that share the requested name. */
  readonly alternates?: readonly AlternateLink[] | undefined
  /**
   * The snapshot (the copy of the registry that an import has published) that the response was made from, compared by
   * identity. The response cache serves the response while this snapshot is current. Undefined for a response that is
   * not cached.
   */
  readonly dataVersion?: object | undefined
}

export interface AlternateLink {
  /** Relative to the base URL. */
  readonly url: string
  /** Name and province of the municipality, which tell it apart from the others. */
  readonly title: string
}

/** A body that is produced while it is sent. */
export interface StreamedBody {
  /** Each chunk is a view, valid until the next one is requested. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  /** The compression that is applied while the body is sent. */
  readonly coding: CodingName
  /** Ends the work that produces the chunks, such as a search; may be called at any time and more than once. */
  readonly end: () => Promise<void>
}

export function isStreamed(body: ApiResponse['body']): body is StreamedBody {
  return body !== null && typeof body === 'object' && 'chunks' in body
}

/** The value of `Link` (RFC 8288); undefined if the response links to nothing. */
export function toLinkValue(
  { next, latest, alternates = [] }: ApiResponse,
  request: { readonly baseUrl: string },
): string | undefined {
  if (next === undefined && latest === undefined && alternates.length === 0) return undefined
  // Computed only here, because most responses link to nothing.
  const { baseUrl } = request
  const links = alternates.map(
    ({ url, title }) => `<${baseUrl}/${url}>; rel="alternate"; title*=${toExtendedValue(title)}`,
  )
  if (latest !== undefined) links.unshift(`<${baseUrl}/${latest}>; rel="latest"`)
  if (next !== undefined) links.unshift(`<${baseUrl}/${next}>; rel="next"`)
  return links.join(', ')
}

/** The value of a header parameter whose text may be outside ASCII (RFC 8187): `UTF-8''Cieza%20%28Murcia%29`. */
export function toExtendedValue(text: string): string {
  // `encodeURIComponent` leaves these four characters as they are.
  const encoded = encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `UTF-8''${encoded}`
}

export const allowedMethods = 'GET, HEAD, OPTIONS'

/**
 * A response whose body is in memory; or a 304 if a condition of the request applies. The body is compressed, except a
 * small one that the client accepts as it is. `tag` is the entity tag without quotes and coding. With a `dataVersion`
 * the response may be stored in the response cache. `next` is the URL of the next page.
 *
 * If too many bodies are being compressed, the body is sent as it is, also to a client that refuses identity: a server
 * may disregard `Accept-Encoding` (RFC 9110, section 12.4.1).
 */
export async function toWholeResponse(
  request: Conditions & { readonly coding: Coding },
  tag: string,
  headers: ResponseHeaders,
  body: Uint8Array | string,
  dataVersion?: object,
  next?: string,
  compress: Compress = compressWhole,
): Promise<ApiResponse> {
  const bytes = Buffer.byteLength(body)
  const isSentPlain = bytes < compressedBytesMin && !request.coding.refusesIdentity
  const coding = isSentPlain ? 'identity' : request.coding.name
  const entityTag = toEntityTag(tag, coding)
  if (isNotModified(request, entityTag, headers)) return toNotModified(entityTag, headers)
  const encoded = coding === 'identity' ? undefined : await compress(body, coding)
  if (encoded === undefined) {
    // A body that should have been compressed is not cached as it is.
    const isCacheable = coding === 'identity'
    const plainHeaders = { ...headers, ETag: toEntityTag(tag, 'identity'), 'Content-Length': String(bytes) }
    return { status: 200, headers: plainHeaders, body, next, dataVersion: isCacheable ? dataVersion : undefined }
  }
  const codingHeaders = { ETag: entityTag, 'Content-Length': String(encoded.byteLength), 'Content-Encoding': coding }
  return { status: 200, headers: { ...headers, ...codingHeaders }, body: encoded, dataVersion, next }
}

/** A response that is streamed, and compressed while it is sent. `end` ends the work that produces the chunks. */
export function toStreamedResponse(
  request: ApiRequest,
  tag: string,
  headers: ResponseHeaders,
  chunks: StreamedBody['chunks'],
  end: StreamedBody['end'],
): ApiResponse {
  const coding = request.coding.name
  const codingHeaders: ResponseHeaders = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  const ownHeaders = { ...headers, ETag: toEntityTag(tag, coding), ...codingHeaders }
  return { status: 200, headers: ownHeaders, body: { chunks, coding, end } }
}

/** The error response. `ownHeaders` are further headers, such as `Retry-After`. */
export function toProblemResponse(
  problem: Problem,
  request: { readonly baseUrl: string },
  ownHeaders: ResponseHeaders = {},
): ApiResponse {
  const body = JSON.stringify(toProblemBody(problem, request.baseUrl))
  const headers = { ...problemHeaders, 'Content-Length': String(Buffer.byteLength(body)), ...ownHeaders }
  return { status: problemKinds[problem.code].status, headers, body }
}
