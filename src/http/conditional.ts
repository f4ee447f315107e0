// Conditional requests (RFC 9110, section 13): compares the validators of a request and builds the 304 response.

import type { Coding, CodingName } from './negotiate.ts'

/** The conditions of a request; `ifModifiedSince` is ignored if there is an `ifNoneMatch` (section 13.1.3). */
export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
}

export interface NotModifiedResponse {
  readonly status: 304
  readonly headers: readonly string[]
  readonly ownHeaders: readonly string[]
  readonly body: null
}

export function toEntityTag(tag: string, coding: CodingName): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`
}

/**
 * The 304 response if `If-None-Match` contains the tag of this response. It needs no search: a tag is only sent with a
 * 200, and equal tags mean equal responses.
 */
export function findNotModified(
  request: Conditions & { readonly coding: Coding },
  tag: string,
  headers: readonly string[],
): NotModifiedResponse | undefined {
  if (request.ifNoneMatch === undefined) return undefined
  const tags = [toEntityTag(tag, request.coding.name), toEntityTag(tag, 'identity')]
  const entityTag = findTag(request.ifNoneMatch, tags)
  return entityTag === undefined ? undefined : toNotModified(entityTag, headers)
}

/** Whether the client has the current response, which must exist: by tag, by `*`, or by `Last-Modified`. */
export function isNotModified(conditions: Conditions, entityTag: string, headers: readonly string[]): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions
  if (ifNoneMatch !== undefined) {
    return ifNoneMatch === entityTag || ifNoneMatch.trim() === '*' || findTag(ifNoneMatch, [entityTag]) !== undefined
  }
  if (ifModifiedSince === undefined || !headers.includes('Last-Modified')) return false
  const lastModified = headers[headers.indexOf('Last-Modified') + 1] ?? ''
  return Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}

/** Repeats the headers that control caches (section 15.4.5), without those that describe a body. */
export function toNotModified(entityTag: string, headers: readonly string[]): NotModifiedResponse {
  let cached = notModifiedHeaders.get(headers)
  if (cached === undefined) {
    cached = headers.filter((_, index) => !bodyHeaders.includes(headers[index - (index % 2)] ?? ''))
    notModifiedHeaders.set(headers, cached)
  }
  return { status: 304, headers: cached, ownHeaders: ['ETag', entityTag], body: null }
}

/** Caches the headers of a 304 by those of the 200. */
const notModifiedHeaders = new WeakMap<readonly string[], readonly string[]>()

const bodyHeaders: readonly string[] = ['Content-Type', 'Last-Modified']

/** Finds one of the tags in `If-None-Match`, by weak comparison (section 8.8.3.2). */
function findTag(ifNoneMatch: string, tags: readonly string[]): string | undefined {
  for (const [listed] of ifNoneMatch.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)) {
    if (tags.includes(listed)) return listed
  }
  return undefined
}
