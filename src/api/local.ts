// A fetch function that calls the operations in this process instead of a server. With it, the client (src/client)
// reads a database directly, under the same rules as over HTTP. The commands `search` and `mcp` use it, and in the
// service the MCP tools (mcp.ts), the pages for people (page.ts) and the examples of the reference (reference.ts).

import { toBlocks } from '../http/compress.ts'
import { negotiateCoding } from '../http/negotiate.ts'
import type { RequestDeadline } from '../http/request-deadline.ts'
import type { ApiRequest, ApiResponse, Handler, StreamedBody } from '../http/response.ts'
import { toLinkValue, toProblemResponse } from '../http/response.ts'
import { toTarget } from '../http/target.ts'
import { Problem } from '../problems.ts'
import type { SnapshotSource } from '../registry/contract.ts'
import { operations } from './operations.ts'

/** The base address for a client with a fetch function of this file. A host in `.invalid` never exists (RFC 2606). */
export const localAddress = 'http://registry.invalid'

/**
 * Returns a function for the client's option `fetch`, which calls the operations on a registry. With a deadline the
 * requests end when it expires.
 */
export function toLocalFetch(store: SnapshotSource, deadline?: RequestDeadline): typeof fetch {
  return toFetch((request) => handleOperation(request, store), deadline)
}

/**
 * Returns a function for the client's option `fetch`, which calls `handle`. It reads the URL, and `If-None-Match` from
 * the options of the call. It ignores method, body, signal and other headers. With a deadline the requests end when it
 * expires.
 */
export function toFetch(handle: Handler, deadline?: RequestDeadline): typeof fetch {
  let requestCount = 0
  return async (input, init) => {
    requestCount += 1
    const url = input instanceof Request ? input.url : String(input)
    const request: ApiRequest = {
      id: `local-${requestCount}`,
      method: 'GET',
      target: toTarget(url),
      coding: negotiateCoding('identity'),
      ifNoneMatch: new Headers(init?.headers).get('if-none-match') ?? undefined,
      ifModifiedSince: undefined,
      baseUrl: localAddress,
      ...(deadline === undefined ? {} : { deadline }),
    }
    return toFetchResponse(await handle(request))
  }
}

/** Calls the operation with the path of the request. A path has at most one parameter, at its end. */
async function handleOperation(request: ApiRequest, store: SnapshotSource): Promise<ApiResponse> {
  const { path } = request.target
  for (const operation of operations) {
    // `/record/` for `/record/{cod_archivo}`.
    const prefix = operation.path.replace(/\{\w+\}$/, '')
    const hasParameter = prefix !== operation.path
    const isMatch = hasParameter ? path.startsWith(prefix) : path === prefix
    if (isMatch) return operation.handle(request, store, path.slice(prefix.length))
  }
  return toProblemResponse(new Problem('unknown-address', 'There is nothing at this address'), request)
}

function toFetchResponse(response: ApiResponse): Response {
  const { status, headers, ownHeaders = [], body } = response
  const fetchHeaders = new Headers()
  // Names and values alternate.
  const namesAndValues = [...headers, ...ownHeaders]
  for (let index = 0; index < namesAndValues.length; index += 2) {
    fetchHeaders.append(namesAndValues[index] ?? '', namesAndValues[index + 1] ?? '')
  }
  const link = toLinkValue(response, localAddress)
  if (link !== undefined) fetchHeaders.set('Link', link)
  return new Response(toFetchBody(body), { status, headers: fetchHeaders })
}

function toFetchBody(body: ApiResponse['body']): BodyInit | null {
  if (body === null) return null
  if (typeof body === 'string') return body
  // A copy, because the type `BodyInit` excludes views of shared memory.
  return body instanceof Uint8Array ? new Uint8Array(body) : toStream(body)
}

/** Cancelling the stream ends the search that produces the chunks. */
function toStream({ chunks, end }: StreamedBody): ReadableStream<Uint8Array> {
  // A chunk is valid only until the next one is read; `toBlocks` copies chunks.
  const blocks = toBlocks(chunks)
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await blocks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await end()
    },
  })
}
