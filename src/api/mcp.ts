// {base}/mcp with `serve --mcp`: the tools for AI assistants (Model Context Protocol). A tool calls the operations in
// this process, and each of its calls is admitted like a request.
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { createMcpHandler } from '../mcp/http.ts'
import type { Problem } from '../problems.ts'
import { localAddress, toLocalFetch } from './local.ts'
import type { Route } from './route.ts'
import { isForThisComputer } from './settings.ts'

/** `admit` runs a search of a request, or refuses it. */
export function toMcpRoute(
  admit: (request: ApiRequest, work: () => Promise<ApiResponse | Problem>) => Promise<ApiResponse | Problem>,
): Route {
  return {
    path: '/mcp',
    name: 'mcp',
    isAnyMethod: true,
    takesOwnSlots: true,
    handle: async (request, { store, settings }) => {
      const handler = createMcpHandler({
        address: localAddress,
        fetch: toLocalFetch(store, { deadline: request.deadline, run: (work) => admit(request, work) }),
        hasFictionalRecords: () => store.current().metadata.fictional,
        isLocal: isForThisComputer(settings),
      })
      const response = await handler(request.web)
      const body = response.body === null ? null : await response.bytes()
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    },
  }
}
