// Responses as the handlers return them. A handler may return a problem instead, which becomes a response in one place.
// web-response.ts turns responses into web-standard ones.

import type { Problem } from '../problems.ts'
import { problemKinds, toProblemBody } from '../problems.ts'
import type { CodingName } from './negotiate.ts'
import { problemHeaders, type ResponseHeaders } from './response-headers.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** Null means no body. */
  readonly body: Uint8Array | string | StreamedBody | null
  readonly links?: readonly Link[] | undefined
  /**
   * The snapshot (the copy of the registry that an import has published) that the response was made from, compared by
   * identity. The response cache serves the response while this snapshot is current. Undefined for a response that is
   * not cached.
   */
  readonly dataVersion?: object | undefined
}

/** A link in the header `Link` (RFC 8288). */
export interface Link {
  /** `next` is the next page, `latest` where later changes will be, `alternate` the same request for a namesake. */
  readonly relation: 'next' | 'latest' | 'alternate'
  /** Relative to the base URL: the response cache serves clients with different base URLs. */
  readonly url: string
  readonly title?: string
}

/** A body that is produced while it is sent. */
export interface BodyStream {
  /** Each chunk is a view, valid until the next one is requested. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  /** Ends the work that produces the chunks, such as a search; may be called at any time and more than once. */
  readonly end: () => Promise<void>
}

export interface StreamedBody extends BodyStream {
  /** The compression that is applied while the body is sent. */
  readonly coding: CodingName
}

export function isStreamed<Body extends Uint8Array | string | BodyStream | null>(
  body: Body,
): body is Extract<Body, BodyStream> {
  return body !== null && typeof body === 'object' && 'chunks' in body
}

/** The header `Link`; undefined if the response links to nothing, as most do. */
export function toLinkHeaders(
  links: readonly Link[] = [],
  request: { readonly baseUrl: string },
): ResponseHeaders | undefined {
  if (links.length === 0) return undefined
  const { baseUrl } = request
  const values = links.map(({ relation, url, title }) => {
    const titleParameter = title === undefined ? '' : `; title*=${toExtendedValue(title)}`
    return `<${baseUrl}/${url}>; rel="${relation}"${titleParameter}`
  })
  return { Link: values.join(', ') }
}

/** The value of a header parameter whose text may be outside ASCII (RFC 8187): `UTF-8''Cieza%20%28Murcia%29`. */
export function toExtendedValue(text: string): string {
  // `encodeURIComponent` leaves these four characters as they are.
  const encoded = encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `UTF-8''${encoded}`
}

export const allowedMethods = 'GET, HEAD, OPTIONS'

export function toProblemResponse(problem: Problem, request: { readonly baseUrl: string }): ApiResponse {
  const body = JSON.stringify(toProblemBody(problem, request.baseUrl))
  const headers = { ...problemHeaders, 'Content-Length': String(Buffer.byteLength(body)), ...problem.headers }
  return { status: problemKinds[problem.code].status, headers, body }
}
