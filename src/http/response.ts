// What a handler gives back, before a byte of it is written: status, headers, body. send.ts writes it.
import type { MaybePromise } from '../maybe-promise.ts'
import type { Problem } from '../problems.ts'
import { problemKinds, toProblemBody } from '../problems.ts'
import { compressedBytesMin, compressWhole } from './compress.ts'
import type { Conditions } from './conditional.ts'
import { isNotModified, toEntityTag, toNotModified } from './conditional.ts'
import type { Coding, CodingName } from './negotiate.ts'
import type { RequestDeadline } from './request-deadline.ts'
import type { Target } from './target.ts'

/** What of a request the handlers look at. */
export interface ApiRequest extends Conditions {
  /** Names the request in answers and in the log. */
  readonly id: string
  readonly method: string
  readonly target: Target
  readonly coding: Coding
  /** The service's own address as this client sees it, without a slash at the end. */
  readonly baseAddress: string
  /** Whether it is still worth working on; without end where undefined. */
  readonly deadline?: RequestDeadline
}

export interface ApiResponse {
  readonly status: number
  /** Names and values in turn, as `writeHead` takes them fastest; one array for many answers where they share it. */
  readonly headers: readonly string[]
  /** Those of this answer alone. */
  readonly ownHeaders?: readonly string[]
  /** Text leaves in one write with its headers, and costs no buffer. */
  readonly body: Uint8Array | string | StreamedBody | null
  /** The page after this one, relative to the base address. */
  readonly next?: string | undefined
  /** Identifies the data that the response was made from. The cache serves the response while this is current. */
  readonly dataVersion?: object | undefined
}

/** A body that is made while it is sent. */
export interface StreamedBody {
  /** Each holds until the next one is asked for. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  /** Applied on the way. */
  readonly coding: CodingName
  /** Ends the search behind the chunks, begun or not; harmless once it is over. */
  readonly end: () => Promise<void>
}

export function isStreamed(body: ApiResponse['body']): body is StreamedBody {
  return body !== null && typeof body === 'object' && 'chunks' in body
}

export type Handler = (request: ApiRequest) => MaybePromise<ApiResponse>

export const allowedMethods = 'GET, HEAD, OPTIONS'

/** Read by scripts of every origin; a browser shows them no other header than the ones exposed. */
export const crossOriginHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'X-Content-Type-Options',
  'nosniff',
]

/** The headers of everything that has an ETag. */
export function representationHeaders(contentType: string, caching: string): string[] {
  return ['Content-Type', contentType, 'Cache-Control', caching, 'Vary', 'Accept-Encoding', ...crossOriginHeaders]
}

/**
 * An answer held whole, encoded where that helps; conditions that need to know that it exists are settled here. Made of
 * a snapshot, it is kept as long as that is in service.
 */
export function toWholeResponse(
  request: ApiRequest,
  tag: string,
  headers: readonly string[],
  body: Uint8Array | string,
  dataVersion?: object,
  next?: string,
): MaybePromise<ApiResponse> {
  const bytes = Buffer.byteLength(body)
  const coding = bytes < compressedBytesMin && !request.coding.isForced ? 'identity' : request.coding.name
  const entityTag = toEntityTag(tag, coding)
  if (isNotModified(request, entityTag, headers)) return toNotModified(entityTag, headers)
  if (coding === 'identity') {
    const ownHeaders = ['ETag', entityTag, 'Content-Length', String(bytes)]
    return { status: 200, headers, ownHeaders, body, dataVersion, next }
  }
  return compressWhole(body, coding).then((encoded) => {
    const ownHeaders = ['ETag', entityTag, 'Content-Length', String(encoded.byteLength), 'Content-Encoding', coding]
    return { status: 200, headers, ownHeaders, body: encoded, dataVersion, next }
  })
}

/** An answer too long to hold, encoded on its way. */
export function toStreamedResponse(
  request: ApiRequest,
  tag: string,
  headers: readonly string[],
  chunks: StreamedBody['chunks'],
  end: StreamedBody['end'],
): ApiResponse {
  const coding = request.coding.name
  const ownHeaders = ['ETag', toEntityTag(tag, coding)]
  if (coding !== 'identity') ownHeaders.push('Content-Encoding', coding)
  return { status: 200, headers, ownHeaders, body: { chunks, coding, end } }
}

export function toProblemResponse(
  problem: Problem,
  request: Pick<ApiRequest, 'baseAddress'>,
  ownHeaders: readonly string[] = [],
): ApiResponse {
  const body = Buffer.from(JSON.stringify(toProblemBody(problem, request.baseAddress)))
  return {
    status: problemKinds[problem.code].status,
    headers: problemHeaders,
    ownHeaders: ['Content-Length', String(body.byteLength), ...ownHeaders],
    body,
  }
}

const problemHeaders: readonly string[] = [
  'Content-Type',
  'application/problem+json',
  'Cache-Control',
  'no-store',
  ...crossOriginHeaders,
]
