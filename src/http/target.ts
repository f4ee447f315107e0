// Splits the request target (the URL in the request line) into path and query, and decodes percent-encoded values of
// both.
import { Problem } from '../problems.ts'

export interface Target {
  /** Percent-encoded, starting with a slash; `*` for `OPTIONS *`. */
  readonly path: string
  /** Percent-encoded, without the question mark; empty if there is none. */
  readonly query: string
}

/** Splits the request target. Scheme and host of an absolute one (RFC 9112, section 3.2.2) are ignored. */
export function toTarget(url: string): Target {
  const originForm = url.startsWith('/') ? url : toOriginForm(url)
  const questionMark = originForm.indexOf('?')
  if (questionMark < 0) return { path: originForm, query: '' }
  return { path: originForm.slice(0, questionMark), query: originForm.slice(questionMark + 1) }
}

/** The host and port of an absolute target, `http://host:port/path`; undefined for any other target. */
export function toAuthority(url: string): string | undefined {
  return absoluteTarget.exec(url)?.[1]
}

/** Scheme and authority of `http://host:port/path`; the group is `host:port`. */
const absoluteTarget = /^https?:\/\/([^/?#]*)/i

/** Converts `http://host/path?query` to `/path?query`; any other target is unchanged. */
export function toOriginForm(url: string): string {
  const schemeAndAuthority = absoluteTarget.exec(url)
  if (schemeAndAuthority === null) return url
  const rest = url.slice(schemeAndAuthority[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * The percent-encoded rest of a path after `count` slashes: `b/c` of `/a/b/c` after two. Empty if it has fewer slashes.
 */
export function pathAfterSlashes(path: string, count: number): string {
  let from = 0
  for (let slash = 0; slash < count; slash++) {
    from = path.indexOf('/', from) + 1
    if (from === 0) return ''
  }
  return path.slice(from)
}

/**
 * Decodes a query value (in which `+` is a space) or a path segment, and normalises it to NFC. Returns a problem if the
 * text cannot be decoded or has a control character. The message of the problem calls the text by `name`, the name of
 * the parameter whose value it is. Without `name` it calls a text of a path "the path", and a text of a query "the name
 * of a parameter".
 */
export function parseNormalisedText(raw: string, place: 'query' | 'path', name?: string): string | Problem {
  const text = parseUnnormalisedText(raw, place, name)
  return text instanceof Problem || unaffectedText.test(text) ? text : text.normalize('NFC')
}

/**
 * Like `parseNormalisedText`, but without NFC, for values that the service itself has written. `decodeURIComponent`
 * rejects malformed UTF-8, including overlong forms and surrogates. It is applied once, so `%252e` is the text `%2e`.
 */
export function parseUnnormalisedText(raw: string, place: 'query' | 'path', name?: string): string | Problem {
  const shownName = name ?? (place === 'path' ? 'the path' : 'the name of a parameter')
  // A URL has only visible ASCII characters, and clients do not send the fragment after `#`.
  if (!visibleAscii.test(raw) || raw.includes('#')) return malformedEncoding(shownName, name)
  let text = place === 'query' && raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!text.includes('%')) return text
  try {
    text = decodeURIComponent(text)
  } catch {
    return malformedEncoding(shownName, name)
  }
  if (!unaffectedText.test(text) && /\p{Cc}/u.test(text)) {
    return new Problem('control-character', `Cannot read ${shownName}: it contains a control character`, {
      parameter: name,
    })
  }
  return text
}

/** The ASCII characters without space and control characters. */
const visibleAscii = /^[\x21-\x7e]*$/

/** Text without control characters that NFC leaves unchanged: combining marks start at U+0300. */
const unaffectedText = /^[\x20-\x7e\xa0-\u02ff]*$/

function malformedEncoding(shownName: string, name: string | undefined): Problem {
  return new Problem('malformed-encoding', `Cannot read ${shownName}: it is not percent-encoded UTF-8`, {
    parameter: name,
  })
}
