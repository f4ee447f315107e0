// The headers of responses, and those that many responses share.

/** By name, written as in the response. Many responses share one object. */
export type ResponseHeaders = Readonly<Record<string, string>>

const exposedHeaders = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** Scripts of any origin may read responses and the exposed headers (CORS). Browsers do not guess the content type. */
export const crossOriginHeaders: ResponseHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The header with the number of records, which only the responses that have it expose. */
export function toTotalCountHeaders(total: number): ResponseHeaders {
  return { 'Total-Count': String(total), 'Access-Control-Expose-Headers': `${exposedHeaders}, Total-Count` }
}

/** The shared headers of a response that clients may cache. */
export function representationHeaders(contentType: string, cacheControl: string): ResponseHeaders {
  return {
    'Content-Type': contentType,
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    ...crossOriginHeaders,
  }
}

export const problemHeaders: ResponseHeaders = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  ...crossOriginHeaders,
}
