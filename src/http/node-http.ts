// Loads Node's HTTP modules without `import`. Importing node:http runs all its getters, and one of them loads undici:
// 90 ms of processor time instead of 30 at the start of a process.

export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** Loaded only for TLS. */
export function loadSecure(): { readonly http2: typeof import('node:http2'); readonly tls: typeof import('node:tls') } {
  return { http2: process.getBuiltinModule('node:http2'), tls: process.getBuiltinModule('node:tls') }
}
