// Conditional requests (RFC 9110, section 13): compares the validators of a request with those of the response, and
// builds the 304 response. Here a tag is the opaque text without quotes; an entity tag (`ETag`) also has the content
// coding.

import type { Coding, CodingName } from './negotiate.ts'

/** The conditions of a request; `ifModifiedSince` is ignored if there is an `ifNoneMatch` (section 13.1.3). */
export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
}

export interface NotModifiedResponse {
  readonly status: 304
  /** Shared headers and those of this response only, see `ApiResponse`. */
  readonly headers: readonly string[]
  readonly ownHeaders: readonly string[]
  readonly body: null
}

export function toEntityTag(tag: string, coding: CodingName): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`
}

/**
 * The 304 response if `If-None-Match` contains the tag, otherwise undefined. A handler calls it before it searches: a
 * tag is only sent with a 200, and equal tags mean equal responses. `*` and dates need a response that is known to be a
 * 200, so `isNotModified` compares them later. A small body is not compressed, so the tag of identity counts too.
 */
export function findNotModified(
  request: Conditions & { readonly coding: Coding },
  tag: string,
  headers: readonly string[],
): NotModifiedResponse | undefined {
  if (request.ifNoneMatch === undefined) return undefined
  const entityTags = [toEntityTag(tag, request.coding.name), toEntityTag(tag, 'identity')]
  const entityTag = findEntityTag(request.ifNoneMatch, entityTags)
  return entityTag === undefined ? undefined : toNotModified(entityTag, headers)
}

/** Whether the client already has this response, which must be a 200: by entity tag, `*` or `Last-Modified`. */
export function isNotModified(conditions: Conditions, entityTag: string, headers: readonly string[]): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch === entityTag || ifNoneMatch.trim() === '*') return true
    return findEntityTag(ifNoneMatch, [entityTag]) !== undefined
  }
  if (ifModifiedSince === undefined || !headers.includes('Last-Modified')) return false
  // Names and values alternate.
  const lastModified = headers[headers.indexOf('Last-Modified') + 1] ?? ''
  return Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}

/** The 304 response: repeats the headers that control caches (section 15.4.5), but not those that describe a body. */
export function toNotModified(entityTag: string, headers: readonly string[]): NotModifiedResponse {
  let cached = notModifiedHeaders.get(headers)
  if (cached === undefined) {
    // Names and values alternate; a value is removed with its name, which has the even index before it.
    const nameAt = (index: number): string => headers[index - (index % 2)] ?? ''
    cached = headers.filter((_, index) => !bodyHeaders.includes(nameAt(index)))
    notModifiedHeaders.set(headers, cached)
  }
  return { status: 304, headers: cached, ownHeaders: ['ETag', entityTag], body: null }
}

/** The headers of a 304 by the array of headers of the 200, which many responses share. */
const notModifiedHeaders = new WeakMap<readonly string[], readonly string[]>()

/** The headers that describe a body, which a 304 does not have. */
const bodyHeaders: readonly string[] = ['Content-Type', 'Last-Modified']

/** Finds one of the entity tags in `If-None-Match`; weak comparison (section 8.8.3.2) ignores the prefix `W/`. */
function findEntityTag(ifNoneMatch: string, entityTags: readonly string[]): string | undefined {
  for (const [listed] of ifNoneMatch.matchAll(quotedTag)) {
    if (entityTags.includes(listed)) return listed
  }
  return undefined
}

/** An opaque tag with its quotes, such as `"x-gzip"` (section 8.8.3). It contains no white space and no quote. */
const quotedTag = /"[\x21\x23-\x7e\x80-\xff]*"/g
