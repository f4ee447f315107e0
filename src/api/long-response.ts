// The response to a request for a whole result, which may have any size: a whole response while it is small, so that it
// has a Content-Length and can be cached, otherwise a streamed one.
import { isNotModified, toEntityTag, toNotModified } from '../http/conditional.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toStreamedResponse, toWholeResponse } from '../http/response.ts'

/** A result up to about this size is built in memory. */
const wholeBytesMax = 256 * 1024

/**
 * Reads the `chunks` of the body, each of which is valid until the next is read. Returns undefined if there are none.
 * With a `dataVersion` (the snapshot that the body was made from) a whole response may be cached.
 */
export async function respondUnlessEmpty(
  request: ApiRequest,
  tag: string,
  headers: readonly string[],
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  dataVersion?: object,
): Promise<ApiResponse | undefined> {
  const firstChunks: Buffer[] = []
  for (let bytes = 0; bytes < wholeBytesMax; ) {
    const next = await chunks.next()
    if (next.done) {
      if (firstChunks.length === 0) return undefined
      return toWholeResponse(request, tag, headers, Buffer.concat(firstChunks), dataVersion)
    }
    firstChunks.push(Buffer.from(next.value))
    bytes += next.value.byteLength
  }
  // The caller has compared the tags. `*` and `If-Modified-Since` also require that the result is not empty.
  const entityTag = toEntityTag(tag, request.coding.name)
  if (isNotModified(request, entityTag, headers)) {
    await chunks.return()
    return toNotModified(entityTag, headers)
  }
  // The first byte is ready, so the deadline for it ends.
  request.deadline?.markStarted()
  return toStreamedResponse(request, tag, headers, joinChunks(firstChunks, chunks), async () => {
    await chunks.return()
  })
}

async function* joinChunks(
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first
  for await (const chunk of rest) yield chunk
}
