// The modules of HTTP, asked for by name. An `import` of node:http runs every getter it has, one of which loads all of
// undici: 90 ms of processor time against 30 for the start of a process that does nothing else.

export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** For those who serve by TLS alone. */
export function loadSecure(): { readonly http2: typeof import('node:http2'); readonly tls: typeof import('node:tls') } {
  return { http2: process.getBuiltinModule('node:http2'), tls: process.getBuiltinModule('node:tls') }
}
