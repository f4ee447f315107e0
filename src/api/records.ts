// `record` and `record/{cod_archivo}`: the one operation of the specification (section 4.1), from the raw request to
// the answer.

import { findNotModified, isNotModified, toEntityTag, toNotModified } from '../http/conditional.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toProblemResponse, toStreamedResponse, toWholeResponse } from '../http/response.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { Problem } from '../problems.ts'
import type { Batch, Page, RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { explainEmptyResult } from './empty-result.ts'
import { toJsonHeaders, toTag } from './json-response.ts'
import type { ParsedParameters } from './parameters.ts'
import { parseRequest, recordParameters, toAddress, toQuestion } from './parameters.ts'

type Batches = AsyncGenerator<Batch, void, undefined>

/** `rawCode` is what follows `record/`, still encoded; undefined for a search. */
export function handleRecords(request: ApiRequest, store: RegistryStore, rawCode?: string): MaybePromise<ApiResponse> {
  const asked = parseRequest(request.target.query, recordParameters, rawCode)
  if (asked instanceof Problem) return toProblemResponse(asked, request)

  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, toQuestion('record', asked.values))
  const unchanged = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged

  const { query } = asked
  const limit = query.limit ?? (query.code === undefined ? undefined : 1)
  if (limit === undefined) return toResult(request, tag, snapshot, asked)
  return mapMaybe(snapshot.page({ ...query, limit }, request.deadline), (page) =>
    page === null ? toEmpty(request, snapshot, asked) : toPage(request, tag, snapshot, asked, page),
  )
}

async function toEmpty(request: ApiRequest, snapshot: Snapshot, asked: ParsedParameters): Promise<ApiResponse> {
  return toProblemResponse(await explainEmptyResult(asked, snapshot, request.deadline), request)
}

/** One page, and the address of the next where there is one: no `Link` ever leads to a 404. */
function toPage(
  request: ApiRequest,
  tag: string,
  snapshot: Snapshot,
  asked: ParsedParameters,
  page: Page,
): MaybePromise<ApiResponse> {
  const next = page.next === null ? undefined : toAddress('record', asked.values, page.next)
  return toWholeResponse(request, tag, toJsonHeaders(snapshot), opening + page.text + closing, snapshot, next)
}

/** Everything that matches: whole where it is small, streamed where it is not. */
async function toResult(
  request: ApiRequest,
  tag: string,
  snapshot: Snapshot,
  asked: ParsedParameters,
): Promise<ApiResponse> {
  const headers = toJsonHeaders(snapshot)
  const batches = snapshot.search(asked.query, request.deadline)
  const begun: Batch[] = []
  for (let bytes = 0; bytes < wholeBytesMax; ) {
    const next = await batches.next()
    if (next.done) {
      // An empty search is 404, so the first batch comes before the status.
      if (begun.length === 0) return toEmpty(request, snapshot, asked)
      return toWholeResponse(request, tag, headers, toEnvelope(begun), snapshot)
    }
    // Its memory is that of the next one too.
    begun.push({ ...next.value, bytes: Buffer.from(next.value.bytes) })
    bytes += next.value.bytes.byteLength
  }
  const entityTag = toEntityTag(tag, request.coding.name)
  if (isNotModified(request, entityTag, headers)) {
    await batches.return()
    return toNotModified(entityTag, headers)
  }
  request.deadline?.begin()
  return toStreamedResponse(request, tag, headers, streamEnvelope(begun, batches), async () => {
    await batches.return()
  })
}

/** Up to here an answer is worth holding whole, for its Content-Length and for the cache. */
const wholeBytesMax = 256 * 1024

const opening = '{"resultadoBusqueda":['
const closing = ']}'

const openingBytes = Buffer.from(opening)
const commaBytes = Buffer.from(',')
const closingBytes = Buffer.from(closing)

function toEnvelope(batches: readonly Batch[]): Buffer {
  const parts: Uint8Array[] = []
  for (const batch of batches) parts.push(parts.length === 0 ? openingBytes : commaBytes, batch.bytes)
  return Buffer.concat([...parts, closingBytes])
}

/** Separators go as chunks of their own: copying megabytes to put a comma before them costs more. */
async function* streamEnvelope(begun: readonly Batch[], rest: Batches): AsyncGenerator<Uint8Array, void, undefined> {
  let separator = openingBytes
  for (const { bytes } of begun) {
    yield separator
    yield bytes
    separator = commaBytes
  }
  for await (const { bytes } of rest) {
    yield commaBytes
    yield bytes
  }
  yield closingBytes
}
