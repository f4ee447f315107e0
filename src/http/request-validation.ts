// Validation of a request before anything else reads it: the length of its address, its host and its method.
// listen.ts calls it for every request.
import { type IncomingMessage, METHODS } from 'node:http'
import { headerBytesMax, urlCharactersMax } from '../limits.ts'
import { Problem, quote } from '../problems.ts'
import { isHost } from './request.ts'
import { toAuthority, toOriginForm } from './target.ts'

/** What is wrong with the request; undefined if nothing. Changes a request with an absolute target. */
export function findRequestProblem(request: IncomingMessage): Problem | undefined {
  return validate(request) ?? acceptAbsoluteTarget(request)
}

/**
 * What is wrong with the length of the headers (HTTP/2) or of the address, with `Transfer-Encoding` or `Host`
 * (HTTP/1.1), or with the method (HTTP/2); undefined if nothing.
 */
function validate(request: IncomingMessage): Problem | undefined {
  // Node limits the headers of HTTP/2 only once the client has confirmed the settings of the session.
  if (request.httpVersionMajor === 2 && countHeaderBytes(request) > headerBytesMax) {
    return new Problem('headers-too-large', 'Cannot read the request: its headers have more than 16 KB')
  }
  // Node's parser also accepts the versions 0.9 and 2.0 in a request line.
  if (!('stream' in request) && request.httpVersionMajor !== 1) {
    return new Problem('malformed-request', 'Cannot read the request: it is not valid HTTP/1.1 (RFC 9112)')
  }
  const urlCharacters = request.url?.length ?? 0
  if (urlCharacters > urlCharactersMax) {
    const detail = `Cannot read the address: expected at most ${urlCharactersMax} characters, got ${urlCharacters}`
    return new Problem('address-too-long', detail)
  }
  if (request.httpVersionMajor === 2) return validateHttp2(request)
  return validateTransferEncoding(request) ?? validateHost(request)
}

/** The names and values of the headers, which have one byte for each character. */
function countHeaderBytes({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, 0)
}

/**
 * Changes a request with an absolute target (`http://host/path`): its `url` becomes the path and query, and the host of
 * the target replaces the `Host` header, which must be ignored (RFC 9112, section 3.2.2). Returns a problem if the host
 * is not valid.
 */
function acceptAbsoluteTarget(request: IncomingMessage): Problem | undefined {
  if (request.url === undefined || request.url.startsWith('/')) return undefined
  const authority = toAuthority(request.url)
  // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
  if (request.url === '*' && request.method === 'OPTIONS') request.url = '/'
  if (authority === undefined) return undefined
  if (!isHost(authority)) return new Problem('malformed-request', 'Cannot read the address: its host is not valid')
  request.headers.host = authority
  request.url = toOriginForm(request.url)
  return undefined
}

/**
 * Removes a host of HTTP/2 that no URL can have, so that links have the address of the service instead. Refuses the
 * methods that with HTTP/1.1 are refused earlier: unknown ones by Node's parser, and CONNECT by
 * protocol-errors.ts. Known methods such as POST get their 405 from the router.
 */
function validateHttp2({ method = 'GET', headers }: IncomingMessage): Problem | undefined {
  const authority = headers[':authority']?.toString()
  if (authority !== undefined && !isHost(authority)) delete headers[':authority']
  if (method === 'CONNECT') return new Problem('method-not-allowed', 'Cannot CONNECT: the service is not a proxy')
  if (METHODS.includes(method)) return undefined
  return new Problem('method-not-allowed', `Cannot ${quote(method)}: the service is read-only`)
}

/**
 * Returns a problem (400) if the end of the body cannot be found (RFC 9112, section 6.3): the last transfer coding must
 * be `chunked`. Node's parser notices it too, but only after the request.
 */
function validateTransferEncoding({ headers }: IncomingMessage): Problem | undefined {
  const codings = headers['transfer-encoding']?.toLowerCase().split(',')
  if (codings === undefined) return undefined
  const isChunkedOnceAtEnd = codings.findIndex((coding) => coding.trim() === 'chunked') === codings.length - 1
  if (isChunkedOnceAtEnd) return undefined
  return new Problem('malformed-request', 'Cannot read Transfer-Encoding: expected chunked once, as the last coding')
}

/**
 * Returns a problem (400) if there are several Host headers, an invalid one or, except with HTTP/1.0, none (RFC 9112,
 * section 3.2). Several headers allow request smuggling, because a proxy and the service may read different ones. An
 * empty value is valid.
 */
function validateHost(request: IncomingMessage): Problem | undefined {
  const { rawHeaders } = request
  let hostHeaderCount = 0
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    // The length is compared first, because most headers differ in it.
    if (name?.length === 'host'.length && name.toLowerCase() === 'host') hostHeaderCount++
  }
  if (hostHeaderCount > 1) return new Problem('malformed-request', 'Cannot read Host: it is given more than once')
  if (hostHeaderCount === 0 && request.httpVersion !== '1.0') {
    return new Problem('malformed-request', 'Cannot read Host: it is missing')
  }
  const host = request.headers.host ?? ''
  if (host !== '' && !isHost(host)) return new Problem('malformed-request', 'Cannot read Host: it is not a valid host')
  // A host may end in a colon without a port (RFC 3986, section 3.2.3), which makes no URL of a framework.
  request.headers.host = host.replace(/:$/, '')
  return undefined
}
