// The operations `record` and `record/{cod_archivo}`: search for records, and get one record (section 4.1 of the
// specification of the interface, see docs/decisions/specification-gaps.md). A snapshot, the published copy of the
// registry, already has the records as the JSON that clients receive, so a response joins their bytes in an envelope,
// `{"resultadoBusqueda":[…]}`.

import type { Deadline } from '../domain/deadline.ts'
import type { Query } from '../domain/query.ts'
import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toProblemResponse, toWholeResponse } from '../http/response.ts'
import { toTotalCountHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Batch, Snapshot, SnapshotSource } from '../registry/contract.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { explainEmptyResult, withCodeReadings } from './empty-result.ts'
import { toJsonHeaders, toLastModified, toTag } from './json-response.ts'
import { respondUnlessEmpty } from './long-response.ts'
import { withNamesakeLinks } from './namesakes.ts'
import type { ParsedParameters } from './parameters.ts'
import { parseParameters, recordParameters, toCacheKey, toRelativeUrl } from './parameters.ts'

/**
 * Parses the parameters, checks whether the client already has the response, and searches: one page with `limit` or for
 * a code, otherwise all matching records. `rawCode` is the percent-encoded inscription code; undefined for a search.
 */
export async function handleRecords(
  request: ApiRequest,
  store: SnapshotSource,
  rawCode?: string,
): Promise<ApiResponse> {
  // While the registry is unavailable, a code is checked by the standard format. A malformed code gives 400. For a
  // well-formed one, `store.current()` below throws, and the response is 503.
  const registry = currentSnapshot(store)?.metadata
  const parameters = parseParameters(request.target.query, recordParameters, registry, { rawCode })
  if (parameters instanceof Problem) {
    const isOtherNumber = parameters.code === 'malformed-code' && rawCode !== undefined
    const snapshot = isOtherNumber ? currentSnapshot(store) : undefined
    const problem =
      snapshot === undefined
        ? parameters
        : await withCodeReadings(parameters, decodeURIComponent(rawCode ?? ''), snapshot)
    return toProblemResponse(problem, request)
  }

  const snapshot = store.current()
  if (parameters.query.include?.includes('passages') && !snapshot.hasPassages) {
    const detail = 'Cannot include passages: this registry was imported with --no-passages'
    return toProblemResponse(new Problem('passages-unavailable', detail, { parameter: 'include' }), request)
  }
  // The addresses of documents depend on the service. Any other response is the same on every host, with its tag.
  const hasAddresses = parameters.query.include?.some((name) => name === 'documents' || name === 'passages') === true
  const base = hasAddresses ? [String(snapshot.documentBase)] : []
  const key = [...toCacheKey('record', parameters.values), ...base]
  const tag = toTag(snapshot.metadata.id, key)
  const notModified = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (notModified !== undefined) return notModified

  const { query } = parameters
  // A code belongs to one record at most, so its result is a page of one.
  const limit = query.cod_archivo === undefined ? query.limit : (query.limit ?? 1)
  const response =
    limit === undefined
      ? await toUnpagedResponse(request, tag, snapshot, parameters)
      : await toPageResponse(request, tag, snapshot, parameters, limit)
  // If several municipalities have the requested name, such as Cieza, the response links to each of them.
  const linked = withNamesakeLinks(response, 'record', parameters, snapshot)
  const isCounted = parameters.values.has('count') && linked.status === 200
  return isCounted ? withTotalCount(linked, query, snapshot, request.deadline) : linked
}

/** With `count=exact`: adds the number of matching records on all pages as a header. */
async function withTotalCount(
  response: ApiResponse,
  { limit: _limit, after: _after, include: _include, ...filters }: Query,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<ApiResponse> {
  const { total } = await snapshot.summarise(filters, deadline)
  return { ...response, headers: { ...response.headers, ...toTotalCountHeaders(total) } }
}

async function toEmptyResponse(
  request: ApiRequest,
  snapshot: Snapshot,
  parameters: ParsedParameters,
): Promise<ApiResponse> {
  const problem = await explainEmptyResult(parameters, snapshot, request.deadline)
  // The 404 for a code has `Last-Modified` too. A client that keeps a copy of the registry compares this time with
  // that of the list of changes: a 404 from an older snapshot does not mean that the record is gone (docs/api.md).
  const lastModified = parameters.query.cod_archivo === undefined ? {} : toLastModified(snapshot)
  return toProblemResponse(problem, request, lastModified)
}

/** One page. It links to the next page only if that has records. */
async function toPageResponse(
  request: ApiRequest,
  tag: string,
  snapshot: Snapshot,
  parameters: ParsedParameters,
  limit: number,
): Promise<ApiResponse> {
  const page = await snapshot.page({ ...parameters.query, limit }, request.deadline)
  if (page === null) return toEmptyResponse(request, snapshot, parameters)
  const next = page.next === null ? undefined : toRelativeUrl('record', parameters.values, page.next)
  return toWholeResponse(request, tag, toJsonHeaders(snapshot), opening + page.text + closing, snapshot, next)
}

/** All matching records, buffered or streamed (long-response.ts). */
async function toUnpagedResponse(
  request: ApiRequest,
  tag: string,
  snapshot: Snapshot,
  parameters: ParsedParameters,
): Promise<ApiResponse> {
  const chunks = toChunks(snapshot.search(parameters.query, request.deadline))
  const response = await respondUnlessEmpty(request, tag, toJsonHeaders(snapshot), chunks, snapshot)
  return response ?? toEmptyResponse(request, snapshot, parameters)
}

const opening = '{"resultadoBusqueda":['
const closing = ']}'

const openingBytes = Buffer.from(opening)
const commaBytes = Buffer.from(',')
const closingBytes = Buffer.from(closing)

/** Yields no chunk if there is no record. Separators are chunks of their own: joining them to a batch would copy it. */
async function* toChunks(batches: AsyncGenerator<Batch, void, undefined>): AsyncGenerator<Uint8Array, void, undefined> {
  let separator = openingBytes
  for await (const { bytes } of batches) {
    yield separator
    yield bytes
    separator = commaBytes
  }
  const hasRecords = separator === commaBytes
  if (hasRecords) yield closingBytes
}
