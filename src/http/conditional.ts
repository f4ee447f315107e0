// Conditional requests (RFC 9110, section 13): compares the validators of a request with those of the response, and
// builds the 304 response. Here a tag is a text without quotes; an entity tag (`ETag`) has quotes and the content
// coding: the tag `x` has the entity tags `"x"` and `"x-gzip"`.

import type { Coding, CodingName } from './negotiate.ts'
import type { ResponseHeaders } from './response-headers.ts'

/** The conditions of a request; `ifModifiedSince` is ignored if there is an `ifNoneMatch` (section 13.1.3). */
export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
}

export interface NotModifiedResponse {
  readonly status: 304
  readonly headers: ResponseHeaders
  readonly body: null
}

export function toEntityTag(tag: string, coding: CodingName): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`
}

/**
 * The 304 response if `If-None-Match` contains the tag, otherwise undefined. It is called before the body is made: if
 * the tag is equal, no search is needed, because a tag is only sent with a 200, and equal tags mean equal responses.
 * `*` and dates need a response that is known to be a 200, so `isNotModified` compares them later. A small body is not
 * compressed, so the entity tag without a coding counts too.
 */
export function findNotModified(
  { ifNoneMatch }: Conditions,
  coding: Coding,
  tag: string,
  headers: ResponseHeaders,
): NotModifiedResponse | undefined {
  if (ifNoneMatch === undefined) return undefined
  const entityTags = [toEntityTag(tag, coding.name), toEntityTag(tag, 'identity')]
  const entityTag = findEntityTag(ifNoneMatch, entityTags)
  return entityTag === undefined ? undefined : toNotModified(entityTag, headers)
}

/**
 * Whether the client already has this response, which must be a 200: by entity tag, `*` or `Last-Modified`. `headers`
 * are the headers of the response.
 */
export function isNotModified(conditions: Conditions, entityTag: string, headers: ResponseHeaders): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch === entityTag || ifNoneMatch.trim() === '*') return true
    return findEntityTag(ifNoneMatch, [entityTag]) !== undefined
  }
  if (ifModifiedSince === undefined) return false
  // The dates must be equal, as in nginx. It is not enough that `Last-Modified` is earlier: a client may send the time
  // of its download, and a registry that it does not have yet may be older than that. Such a registry was built before
  // the download and put in service after it, or was restored from a backup. An absent or invalid date is NaN, which
  // equals nothing.
  return Date.parse(headers['Last-Modified'] ?? '') === Date.parse(ifModifiedSince)
}

/**
 * The 304 response: repeats the headers that control caches (section 15.4.5), but not those that describe a body or its
 * age, because it has none.
 */
export function toNotModified(entityTag: string, headers: ResponseHeaders): NotModifiedResponse {
  const { 'Content-Type': _type, 'Last-Modified': _modified, ...cacheHeaders } = headers
  return { status: 304, headers: { ...cacheHeaders, ETag: entityTag }, body: null }
}

/**
 * The first entity tag in `If-None-Match` that is one of `entityTags`; undefined if none is. Weak comparison
 * (section 8.8.3.2) ignores the prefix `W/`.
 */
function findEntityTag(ifNoneMatch: string, entityTags: readonly string[]): string | undefined {
  for (const [listed] of ifNoneMatch.matchAll(quotedTag)) {
    if (entityTags.includes(listed)) return listed
  }
  return undefined
}

/** An entity tag without `W/`, such as `"x-gzip"` (section 8.8.3). Its text has no white space and no quote. */
const quotedTag = /"[\x21\x23-\x7e\x80-\xff]*"/g
