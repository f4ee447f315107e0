// A fetch function that calls the operations in this process instead of a server. With it, the client (src/client)
// reads a database directly, under the same rules as over HTTP. The commands `search` and `mcp` use it, and in the
// service MCP (application.ts), the pages for people (page.ts) and the examples of the reference (reference.ts).
import { ApiRequest, type Bindings, type RequestDeadline } from '../http/request.ts'
import { toLinkValue, toProblemResponse } from '../http/response.ts'
import { toWebResponse } from '../http/web-response.ts'
import { Problem } from '../problems.ts'
import type { SnapshotSource } from '../registry/contract.ts'
import { createApp, toPathParameter, toPatterns } from './hono.ts'
import { operations } from './operations.ts'

/** The base address for a client with a fetch function of this file. A host in `.invalid` never exists (RFC 2606). */
export const localAddress = 'http://registry.invalid'

const settings = { basePath: '', publicUrl: undefined, isSecure: false }

interface LocalBindings extends Bindings {
  readonly source: SnapshotSource
}

const app = createApp<LocalBindings>()
for (const { path, handle } of operations) {
  app.on('GET', toPatterns(path), async ({ req, env: { source, deadline } }) => {
    const request = new ApiRequest(req.raw, { deadline }, settings)
    const response = await handle(request, source, toPathParameter(request, '', path))
    const link = toLinkValue(response, request)
    const links = link === undefined ? undefined : { Link: link }
    return toWebResponse({ ...response, headers: { ...response.headers, ...links } }, { method: request.method })
  })
}
app.notFound(() => {
  const problem = new Problem('unknown-address', 'There is nothing at this address')
  const response = toProblemResponse(problem, { baseUrl: localAddress })
  return toWebResponse(response, { method: 'GET' })
})
app.onError((error) => {
  throw error
})

/**
 * Returns a function for the client's option `fetch`, which calls the operations on a registry. With a deadline the
 * requests end when it expires.
 */
export function toLocalFetch(source: SnapshotSource, deadline?: RequestDeadline): typeof fetch {
  return async (input, init) => app.fetch(new Request(input, init), { source, deadline })
}
