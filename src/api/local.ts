// The service without a network: a fetch that answers from a store in this process. `search` and `mcp` ask a database
// through it, by the same handlers and so by the same rules as over HTTP.

import { toBlocks } from '../http/compress.ts'
import { negotiateCoding } from '../http/negotiate.ts'
import type { ApiRequest, ApiResponse, StreamedBody } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { toTarget } from '../http/target.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../snapshot/contract.ts'
import { operations } from './operations.ts'

/** Where the requests of a client go that uses `toLocalFetch`; no such host can exist (RFC 2606). */
export const localAddress = 'http://registry.invalid'

export function toLocalFetch(store: RegistryStore): typeof fetch {
  let count = 0
  return async (input, init) => {
    count += 1
    const url = input instanceof Request ? input.url : String(input)
    const request: ApiRequest = {
      id: `local-${count}`,
      method: 'GET',
      target: toTarget(url),
      coding: negotiateCoding('identity'),
      ifNoneMatch: new Headers(init?.headers).get('if-none-match') ?? undefined,
      ifModifiedSince: undefined,
      baseAddress: localAddress,
    }
    return toResponse(await answer(request, store))
  }
}

async function answer(request: ApiRequest, store: RegistryStore): Promise<ApiResponse> {
  const { path } = request.target
  for (const { path: template, handle } of operations) {
    const prefix = template.replace(/\{\w+\}$/, '')
    const isMatch = prefix === template ? path === template : path.startsWith(prefix)
    if (isMatch) return handle(request, store, path.slice(prefix.length))
  }
  return toProblemResponse(new Problem('unknown-address', 'There is nothing at this address'), request)
}

function toResponse({ status, headers, ownHeaders = [], body, next }: ApiResponse): Response {
  const fields = new Headers()
  const all = [...headers, ...ownHeaders]
  for (let index = 0; index < all.length; index += 2) fields.append(all[index] ?? '', all[index + 1] ?? '')
  if (next !== undefined) fields.set('Link', `<${localAddress}/${next}>; rel="next"`)
  return new Response(toContent(body), { status, headers: fields })
}

function toContent(body: ApiResponse['body']): BodyInit | null {
  if (body === null) return null
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : toStream(body)
}

function toStream({ chunks, end }: StreamedBody): ReadableStream<Uint8Array> {
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
