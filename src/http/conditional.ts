// Conditional requests (RFC 9110, section 13): whether the client has the answer already, and the 304 that says so.

import type { Coding, CodingName } from './negotiate.ts'

/** What a request says that the client has; a date counts only where no tag is named (section 13.1.3). */
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
 * The 304 where the client names a tag that only this very answer can have. It needs no search: a tag is only ever
 * sent with a 200, and the same tag means the same answer.
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

/** Whether the client has an answer that is known to exist: by tag, by `*`, or by the date of the registry. */
export function isNotModified(conditions: Conditions, entityTag: string, headers: readonly string[]): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions
  if (ifNoneMatch !== undefined) {
    return ifNoneMatch === entityTag || ifNoneMatch.trim() === '*' || findTag(ifNoneMatch, [entityTag]) !== undefined
  }
  if (ifModifiedSince === undefined || !headers.includes('Last-Modified')) return false
  const lastModified = headers[headers.indexOf('Last-Modified') + 1] ?? ''
  return Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}

/** Says again what steers caches (section 15.4.5), and leaves out what describes a body. */
export function toNotModified(entityTag: string, headers: readonly string[]): NotModifiedResponse {
  let kept = notModifiedHeaders.get(headers)
  if (kept === undefined) {
    kept = headers.filter((_, index) => !ofBodyAlone.includes(headers[index - (index % 2)] ?? ''))
    notModifiedHeaders.set(headers, kept)
  }
  return { status: 304, headers: kept, ownHeaders: ['ETag', entityTag], body: null }
}

/** By those of the whole answer. */
const notModifiedHeaders = new WeakMap<readonly string[], readonly string[]>()

const ofBodyAlone: readonly string[] = ['Content-Type', 'Last-Modified']

/** The tag that `If-None-Match` names, by weak comparison (section 8.8.3.2). */
function findTag(ifNoneMatch: string, tags: readonly string[]): string | undefined {
  for (const [listed] of ifNoneMatch.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)) {
    if (tags.includes(listed)) return listed
  }
  return undefined
}
