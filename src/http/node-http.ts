// Loads Node's HTTP modules without `import`. Importing node:http reads all its exported getters, and one of them loads
// undici (Node's fetch): 90 ms of processor time instead of 30 at the start of a process.

import type { IncomingMessage, ServerResponse } from 'node:http'

export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** The modules that only TLS needs. */
export function loadSecure(): { readonly http2: typeof import('node:http2'); readonly tls: typeof import('node:tls') } {
  return { http2: process.getBuiltinModule('node:http2'), tls: process.getBuiltinModule('node:tls') }
}

/** Handles one request of HTTP/1.1 or HTTP/2: Node's compatibility API gives both the same objects. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void
