// The address of a request as it came over the wire, taken apart and decoded by one strict rule: percent-encoded UTF-8,
// decoded once. Routing and parsing both start here, so that they never disagree about what was asked.
import { Problem } from '../problems.ts'

export interface Target {
  /** Raw, still percent-encoded, always beginning with a slash. */
  readonly path: string
  /** Raw, without the question mark; empty where there is none. */
  readonly query: string
}

/** Takes the request target apart; an absolute one (RFC 9112, section 3.2.2) counts from its path on. */
export function toTarget(url: string): Target {
  const origin = url.startsWith('/') ? url : toOriginForm(url)
  const mark = origin.indexOf('?')
  return mark < 0 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark + 1) }
}

/** `http://host/path?query` as `/path?query`; what is no absolute address stays as it is. */
export function toOriginForm(url: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)
  if (authority === null) return url
  const rest = url.slice(authority[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** What comes after `count` slashes of the path, raw: the path below a route, whatever is encoded in it. */
export function pathAfterSlashes(path: string, count: number): string {
  let from = 0
  for (let slash = 0; slash < count; slash++) {
    from = path.indexOf('/', from) + 1
    if (from === 0) return ''
  }
  return path.slice(from)
}

/**
 * Decodes a value of the query (where `+` is a space) or a part of the path, to NFC, so that a letter typed with a
 * combining accent means the same as the letter. `decodeURIComponent` refuses what is not well-formed UTF-8 (overlong
 * forms and surrogates included); it is applied once, so `%252e` is the text `%2e`.
 */
export function parseText(raw: string, place: 'query' | 'path', name?: string): string | Problem {
  const shown = name === undefined ? 'the path' : name
  if (!/^[\x21-\x7e]*$/.test(raw) || raw.includes('#')) return malformedEncoding(shown, name)
  let text = place === 'query' && raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!text.includes('%')) return text
  try {
    text = decodeURIComponent(text)
  } catch {
    return malformedEncoding(shown, name)
  }
  if (plainLatin.test(text)) return text
  if (/\p{Cc}/u.test(text)) {
    return new Problem('control-character', `Cannot read ${shown}: it holds a control character`, name)
  }
  return text.normalize('NFC')
}

/** No control character, and none that Unicode could write otherwise: marks that are set on letters come later. */
const plainLatin = /^[\x20-\x7e\xa0-\u02ff]*$/

function malformedEncoding(shown: string, name: string | undefined): Problem {
  return new Problem('malformed-encoding', `Cannot read ${shown}: it is not percent-encoded UTF-8`, name)
}
