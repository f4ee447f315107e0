// The headers of responses, and those that many responses share.

/** By name, written as in the response. Many responses share one object. */
export type ResponseHeaders = Readonly<Record<string, string>>

/** Scripts of any origin may read responses and the exposed headers (CORS). Browsers do not guess the content type. */
export const crossOriginHeaders: ResponseHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
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
