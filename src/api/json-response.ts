// Headers and ETags of the responses that are built from a snapshot, such as records, municipalities, feed and
// catalogue.
import { hash } from 'node:crypto'
import { type Headers, representationHeaders } from '../http/response.ts'
import type { Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'

/** A cache may use a response for a minute; then it revalidates, which costs a 304 while the snapshot is the same. */
export const dataCaching = 'public, max-age=60, must-revalidate'

/** The results of `toJsonHeaders`. */
const headersBySnapshot = new WeakMap<Snapshot, Headers>()

/** The headers of a JSON response. All JSON responses from a snapshot share the object. */
export function toJsonHeaders(snapshot: Snapshot): Headers {
  const cached = headersBySnapshot.get(snapshot)
  if (cached !== undefined) return cached
  const headers = { ...representationHeaders('application/json', dataCaching), ...toLastModified(snapshot) }
  headersBySnapshot.set(snapshot, headers)
  return headers
}

/** The header `Last-Modified`: when the snapshot was published. */
export function toLastModified({ metadata }: Snapshot): Headers {
  return { 'Last-Modified': metadata.publishedAt.toUTCString() }
}

/** How many characters of a snapshot's id a tag begins with: enough to tell snapshots apart. */
const snapshotIdCharacters = 16

/**
 * The tag of a response: its ETag without quotes and coding, which `toEntityTag` adds. It depends on the snapshot, on
 * the version of the service and on `key`: for example the operation and its parameters (`toCacheKey`), or the body
 * itself. If `key` has the body, `snapshotId` may be empty: a new snapshot that gives the same body keeps the tag.
 */
export function toTag(snapshotId: string, key: readonly string[]): string {
  // NUL separates the parts of the key; none contains it.
  const keyHash = hash('sha1', [version, ...key].join('\0'), 'base64url')
  return `${snapshotId.slice(0, snapshotIdCharacters)}-${keyHash}`
}
