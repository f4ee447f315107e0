// A fetch function that calls the operations in this process instead of a server. With it, the client (src/client)
// reads a database directly, under the same rules as over HTTP. The commands `search` and `mcp` use it, and in the
// service MCP (mcp.ts) and the examples of the reference (reference.ts).
import { ApiRequest, type Bindings, type RequestDeadline } from '../http/request.ts'
import { type ApiResponse, toLinkHeaders, toProblemResponse } from '../http/response.ts'
import { toWebResponse } from '../http/web-response.ts'
import { Problem } from '../problems.ts'
import type { SnapshotSource } from '../registry/contract.ts'
import { createApp, toPathParameter, toPatterns } from './hono.ts'
import { runOperation } from './operation.ts'
import { operations } from './operations.ts'

/** The base address for a client with a fetch function of this file. A host in `.invalid` never exists (RFC 2606). */
export const localAddress = 'http://registry.invalid'

const settings = { basePath: '', publicUrl: undefined, isSecure: false }

export interface LocalOptions {
  /** The requests end when it expires. */
  readonly deadline?: RequestDeadline | undefined
  /** Called with the work of each request, which it may refuse; by default it only runs the work. */
  readonly run?: (work: () => Promise<ApiResponse | Problem>) => Promise<ApiResponse | Problem>
}

interface LocalBindings extends Bindings, LocalOptions {
  readonly source: SnapshotSource
}

const app = createApp<LocalBindings>()
for (const operation of operations) {
  const { path } = operation
  app.on('GET', toPatterns(path), async ({ req, env: { source, deadline, run } }) => {
    const request = new ApiRequest(req.raw, { deadline }, settings)
    const work = (): Promise<ApiResponse | Problem> =>
      runOperation(operation, request, source, toPathParameter(request, '', path))
    return send(request, await (run === undefined ? work() : run(work)))
  })
}
app.notFound(({ req }) => {
  const problem = new Problem('unknown-address', 'There is nothing at this address')
  return send(new ApiRequest(req.raw, {}, settings), problem)
})
app.onError((error) => {
  throw error
})

function send(request: ApiRequest, result: ApiResponse | Problem): Response {
  const response = result instanceof Problem ? toProblemResponse(result, request) : result
  const headers = { ...response.headers, ...toLinkHeaders(response.links, request) }
  return toWebResponse({ ...response, headers }, { method: request.method })
}

/** Returns a function for the client's option `fetch`, which calls the operations on a registry. */
export function toLocalFetch(source: SnapshotSource, options: LocalOptions = {}): typeof fetch {
  return async (input, init) => app.fetch(new Request(input, init), { source, ...options })
}
