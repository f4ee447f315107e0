// Requests and responses as the handlers see them, and the responses common to all routes. send.ts writes a response to
// the connection.
import type { Problem } from '../problems.ts'
import { problemKinds, toProblemBody } from '../problems.ts'
import { type Compress, compressedBytesMin, compressWhole } from './compress.ts'
import type { Conditions } from './conditional.ts'
import { isNotModified, toEntityTag, toNotModified } from './conditional.ts'
import type { HeaderList } from './header-list.ts'
import type { Coding, CodingName } from './negotiate.ts'
import type { RequestDeadline } from './request-deadline.ts'
import type { Target } from './target.ts'

export interface ApiRequest extends Conditions {
  /** The `X-Request-Id` of the response, which is also in the log. */
  readonly id: string
  readonly method: string
  readonly target: Target
  readonly coding: Coding
  /** Whether the client prefers HTML to JSON. Undefined in a request of this process itself (src/api/local.ts). */
  readonly prefersHtml?: boolean
  readonly acceptLanguage?: string | undefined
  /** `Range` and `If-Range`, which only byte-range.ts evaluates. */
  readonly range?: string | undefined
  readonly ifRange?: string | undefined
  /** The base URL of the service as this client sees it, without a trailing slash. */
  readonly baseUrl: string
  /** Ends the search when the client disconnects or the time limit passes; undefined means never. */
  readonly deadline?: RequestDeadline
}

export interface ApiResponse {
  readonly status: number
  /** Many responses share one list. */
  readonly headers: HeaderList
  /** Further headers, of this response only. */
  readonly ownHeaders?: HeaderList
  /** A string is sent in one write with the headers, without a copy to a buffer. Null means no body. */
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
export function toLinkValue({ next, latest, alternates = [] }: ApiResponse, baseUrl: string): string | undefined {
  const links = alternates.map(
    ({ url, title }) => `<${baseUrl}/${url}>; rel="alternate"; title*=${toExtendedValue(title)}`,
  )
  if (latest !== undefined) links.unshift(`<${baseUrl}/${latest}>; rel="latest"`)
  if (next !== undefined) links.unshift(`<${baseUrl}/${next}>; rel="next"`)
  return links.length === 0 ? undefined : links.join(', ')
}

/** The value of a header parameter whose text may be outside ASCII (RFC 8187): `UTF-8''Cieza%20%28Murcia%29`. */
function toExtendedValue(text: string): string {
  // `encodeURIComponent` leaves these four characters as they are.
  const encoded = encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `UTF-8''${encoded}`
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>

export const allowedMethods = 'GET, HEAD, OPTIONS'

/** Whether the request reads a resource. HEAD gets the response to GET; only its body is not sent. */
export function isGetOrHead({ method }: { readonly method?: string | undefined }): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Scripts of any origin may read responses and the exposed headers (CORS). Browsers do not guess the content type. */
export const crossOriginHeaders: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'X-Content-Type-Options',
  'nosniff',
]

/** The shared headers of a response that clients may cache. */
export function representationHeaders(contentType: string, cacheControl: string): string[] {
  return ['Content-Type', contentType, 'Cache-Control', cacheControl, 'Vary', 'Accept-Encoding', ...crossOriginHeaders]
}

/**
 * A response whose body is in memory; or a 304 if a condition of the request applies. The body is compressed, except a
 * small one that the client accepts as it is. `tag` is the entity tag without quotes and coding. With a `dataVersion`
 * the response may be stored in the response cache. `next` is the URL of the next page.
 *
 * If `compress` has too much to do, the body is sent as it is and not stored, also to a client that refuses identity: a
 * server may disregard `Accept-Encoding` (RFC 9110, section 12.4.1).
 */
export async function toWholeResponse(
  request: ApiRequest,
  tag: string,
  headers: HeaderList,
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
  if (coding === 'identity') {
    const ownHeaders = ['ETag', entityTag, 'Content-Length', String(bytes)]
    return { status: 200, headers, ownHeaders, body, dataVersion, next }
  }
  const compressed = compress(body, coding)
  if (compressed === undefined) {
    const ownHeaders = ['ETag', toEntityTag(tag, 'identity'), 'Content-Length', String(bytes)]
    return { status: 200, headers, ownHeaders, body, next }
  }
  const encoded = await compressed
  const ownHeaders = ['ETag', entityTag, 'Content-Length', String(encoded.byteLength), 'Content-Encoding', coding]
  return { status: 200, headers, ownHeaders, body: encoded, dataVersion, next }
}

/** A response that is streamed, and compressed while it is sent. `end` ends the work that produces the chunks. */
export function toStreamedResponse(
  request: ApiRequest,
  tag: string,
  headers: HeaderList,
  chunks: StreamedBody['chunks'],
  end: StreamedBody['end'],
): ApiResponse {
  const coding = request.coding.name
  const ownHeaders = ['ETag', toEntityTag(tag, coding)]
  if (coding !== 'identity') ownHeaders.push('Content-Encoding', coding)
  return { status: 200, headers, ownHeaders, body: { chunks, coding, end } }
}

/** The error response. `ownHeaders` are further headers, such as `Retry-After`. */
export function toProblemResponse(
  problem: Problem,
  request: Pick<ApiRequest, 'baseUrl'>,
  ownHeaders: HeaderList = [],
): ApiResponse {
  const body = Buffer.from(JSON.stringify(toProblemBody(problem, request.baseUrl)))
  return {
    status: problemKinds[problem.code].status,
    headers: problemHeaders,
    ownHeaders: ['Content-Length', String(body.byteLength), ...ownHeaders],
    body,
  }
}

const problemHeaders: HeaderList = [
  'Content-Type',
  'application/problem+json',
  'Cache-Control',
  'no-store',
  ...crossOriginHeaders,
]
