// The service without a network: a fetch that answers from a store in this process. `search` and `mcp` ask a database
// through it, by the same handlers and so by the same rules as over HTTP.

import { toBlocks } from '../http/compress.ts'
import { negotiateCoding } from '../http/negotiate.ts'
import type { Answer, Ask, StreamedBody } from '../http/response.ts'
import { toProblemAnswer } from '../http/response.ts'
import { toTarget } from '../http/target.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../snapshot/contract.ts'
import { answerMunicipalities, answerSummary } from './overview.ts'
import { answerRecords } from './records.ts'

/** Where the requests of a client go that uses `toLocalFetch`; no such host can exist (RFC 2606). */
export const localAddress = 'http://registry.invalid'

export function toLocalFetch(store: RegistryStore): typeof fetch {
  let count = 0
  return async (input, init) => {
    count += 1
    const url = input instanceof Request ? input.url : String(input)
    const ask: Ask = {
      id: `local-${count}`,
      method: 'GET',
      target: toTarget(url),
      coding: negotiateCoding('identity'),
      ifNoneMatch: new Headers(init?.headers).get('if-none-match') ?? undefined,
      ifModifiedSince: undefined,
      baseAddress: localAddress,
    }
    return toResponse(await answer(ask, store))
  }
}

async function answer(ask: Ask, store: RegistryStore): Promise<Answer> {
  const { path } = ask.target
  if (path === '/record') return answerRecords(ask, store)
  if (path.startsWith('/record/')) return answerRecords(ask, store, path.slice('/record/'.length))
  if (path === '/municipality') return answerMunicipalities(ask, store)
  if (path === '/summary') return answerSummary(ask, store)
  return toProblemAnswer(new Problem('unknown-address', 'There is nothing at this address'), ask)
}

function toResponse({ status, headers, ownHeaders = [], body, next }: Answer): Response {
  const fields = new Headers()
  const all = [...headers, ...ownHeaders]
  for (let index = 0; index < all.length; index += 2) fields.append(all[index] ?? '', all[index + 1] ?? '')
  if (next !== undefined) fields.set('Link', `<${localAddress}/${next}>; rel="next"`)
  return new Response(toContent(body), { status, headers: fields })
}

function toContent(body: Answer['body']): BodyInit | null {
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
