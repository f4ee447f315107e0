// The one way to a 200 response: its tag is compared with the conditions of the request before its body is made; then
// the body is made, compressed, and sent whole or streamed. byte-range.ts does the same for files on the disk.

import { Problem } from '../problems.ts'
import { type Compress, type CompressionName, compressedBytesMin, compressWhole } from './compress.ts'
import { findNotModified, isNotModified, toEntityTag, toNotModified } from './conditional.ts'
import { type Coding, negotiateFileCoding } from './negotiate.ts'
import type { ApiRequest } from './request.ts'
import { type ApiResponse, type BodyStream, isStreamed, type Link } from './response.ts'
import type { ResponseHeaders } from './response-headers.ts'

/** What is known of a response before its body is made. */
export interface Representation {
  /** The `ETag` without quotes and coding, which `toEntityTag` adds. Equal tags mean equal responses. */
  readonly tag: string
  readonly headers: ResponseHeaders
  /** Forms of the body that are compressed already, the smallest first. */
  readonly compressed?: ReadonlyMap<CompressionName, Uint8Array>
  readonly compress?: Compress
}

/** The body, and what is known only once it is made. */
export interface Content {
  readonly body: Uint8Array | string | BodyStream
  readonly headers?: ResponseHeaders
  readonly links?: readonly Link[]
  /** As in `ApiResponse`. */
  readonly dataVersion?: object | undefined
}

/**
 * The response with the content that `make` returns, or a 304 if the client has it already. `make` may also return
 * another response, which is not a 200.
 */
export async function respond(
  request: ApiRequest,
  representation: Representation,
  make: () => Promise<Content | ApiResponse | Problem>,
): Promise<ApiResponse | Problem> {
  const { tag, headers, compressed } = representation
  const coding =
    compressed === undefined || compressed.size === 0
      ? request.coding
      : negotiateFileCoding(request.header('accept-encoding'), [...compressed.keys()])
  const notModified = findNotModified(request, coding, tag, headers)
  if (notModified !== undefined) return notModified
  const content = await make()
  if (content instanceof Problem || 'status' in content) return content
  const { body } = content
  return isStreamed(body)
    ? toStreamedResponse(request, representation, content, body)
    : toWholeResponse(request, coding, representation, content, body)
}

/**
 * A body in memory. It is compressed, except a small one that the client accepts as it is. If too many bodies are being
 * compressed, it is sent as it is, also to a client that refuses identity: a server may disregard `Accept-Encoding`
 * (RFC 9110, section 12.4.1).
 */
async function toWholeResponse(
  request: ApiRequest,
  acceptedCoding: Coding,
  { tag, headers, compressed, compress = compressWhole }: Representation,
  { links, dataVersion, headers: ownHeaders }: Content,
  body: Uint8Array | string,
): Promise<ApiResponse> {
  const bytes = Buffer.byteLength(body)
  const isSentPlain = bytes < compressedBytesMin && !acceptedCoding.refusesIdentity
  const coding = isSentPlain ? 'identity' : acceptedCoding.name
  const entityTag = toEntityTag(tag, coding)
  if (isNotModified(request, entityTag, headers)) return toNotModified(entityTag, headers)
  const encoded = coding === 'identity' ? undefined : (compressed?.get(coding) ?? (await compress(body, coding)))
  if (coding === 'identity' || encoded === undefined) {
    const plainHeaders = { ETag: toEntityTag(tag, 'identity'), 'Content-Length': String(bytes) }
    // A body that should have been compressed is not cached as it is.
    const cachedVersion = coding === 'identity' ? dataVersion : undefined
    return {
      status: 200,
      headers: { ...headers, ...ownHeaders, ...plainHeaders },
      body,
      links,
      dataVersion: cachedVersion,
    }
  }
  const codingHeaders = { ETag: entityTag, 'Content-Length': String(encoded.byteLength), 'Content-Encoding': coding }
  return { status: 200, headers: { ...headers, ...ownHeaders, ...codingHeaders }, body: encoded, links, dataVersion }
}

/** A body that is compressed while it is sent. */
async function toStreamedResponse(
  request: ApiRequest,
  { tag, headers }: Representation,
  { links, headers: ownHeaders }: Content,
  body: BodyStream,
): Promise<ApiResponse> {
  const coding = request.coding.name
  const entityTag = toEntityTag(tag, coding)
  // `If-None-Match: *` and `If-Modified-Since` apply only to a 200, which the response is known to be only now.
  if (isNotModified(request, entityTag, headers)) {
    await body.end()
    return toNotModified(entityTag, headers)
  }
  // The first byte is ready, so the deadline for it ends.
  request.deadline?.markStarted()
  const codingHeaders: ResponseHeaders = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  const sentHeaders = { ...headers, ...ownHeaders, ETag: entityTag, ...codingHeaders }
  return { status: 200, headers: sentHeaders, body: { ...body, coding }, links }
}

/** A body of this size or more is streamed. */
const wholeBytesMax = 256 * 1024

/**
 * The body that the chunks make: in memory if it is small, so that the response has a Content-Length and can be cached.
 * Undefined if there are no chunks.
 */
export async function toBody(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<Uint8Array | BodyStream | undefined> {
  const firstChunks: Buffer[] = []
  let bytes = 0
  while (bytes < wholeBytesMax) {
    const next = await chunks.next()
    if (next.done) return firstChunks.length === 0 ? undefined : Buffer.concat(firstChunks)
    firstChunks.push(Buffer.from(next.value))
    bytes += next.value.byteLength
  }
  const end = async (): Promise<void> => {
    await chunks.return()
  }
  return { chunks: joinChunks(firstChunks, chunks), end }
}

/** The chunks that have been read, then the rest. */
async function* joinChunks(
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first
  yield* rest
}
