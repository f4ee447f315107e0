// A response whose body may have any size: the result of a search without `limit`, or a sitemap. A small body is
// buffered, so that the response has a Content-Length and the service can cache it; a larger one is streamed.
import { isNotModified, toEntityTag, toNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse, ResponseHeaders } from '../http/response.ts'
import { toStreamedResponse, toWholeResponse } from '../http/response.ts'

/** A body of this size or more is streamed. */
const bufferedBytesMax = 256 * 1024

/**
 * Makes the response from the `chunks` of its body. A chunk is valid until the next one is read. Returns undefined if
 * there are no chunks. With a `dataVersion` (the snapshot that the body was made from) a buffered response may be
 * stored in the response cache of the service.
 */
export async function respondUnlessEmpty(
  request: ApiRequest,
  tag: string,
  headers: ResponseHeaders,
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  dataVersion?: object,
): Promise<ApiResponse | undefined> {
  const firstChunks: Buffer[] = []
  let bufferedBytes = 0
  while (bufferedBytes < bufferedBytesMax) {
    const next = await chunks.next()
    if (next.done) {
      if (firstChunks.length === 0) return undefined
      return toWholeResponse(request, tag, headers, Buffer.concat(firstChunks), dataVersion)
    }
    firstChunks.push(Buffer.from(next.value))
    bufferedBytes += next.value.byteLength
  }
  // The caller has already compared the tag with `If-None-Match`. `If-None-Match: *` and `If-Modified-Since` apply only
  // if the response would be a 200. That is known only now that the body is not empty. For a buffered body,
  // `toWholeResponse` applies them.
  const entityTag = toEntityTag(tag, request.coding.name)
  if (isNotModified(request, entityTag, headers)) {
    await chunks.return()
    return toNotModified(entityTag, headers)
  }
  // The first byte is ready, so the deadline for it ends.
  request.deadline?.markStarted()
  // Called when the body has been sent, or will not be sent to its end. Ends the work behind the chunks: the search, or
  // the list of codes of a sitemap.
  const endChunks = async (): Promise<void> => {
    await chunks.return()
  }
  return toStreamedResponse(request, tag, headers, joinChunks(firstChunks, chunks), endChunks)
}

/** The chunks that have been read, then the rest. */
async function* joinChunks(
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first
  for await (const chunk of rest) yield chunk
}
