// {base}/record.csv: all records of a search as CSV, in the order of {base}/record. Byte order mark and semicolons
// are what spreadsheets with Spanish settings expect.

import { byteOrderMark, toCsvLine } from '../csv.ts'
import { csvColumns, type WireRecord } from '../domain/record.ts'
import type { WireIncluded } from '../domain/wire.ts'
import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { type ResponseHeaders, representationHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Batch, SnapshotSource } from '../registry/contract.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { explainEmptyResult } from './empty-result.ts'
import { dataCaching, toTag } from './json-response.ts'
import { respondUnlessEmpty } from './long-response.ts'
import { withNamesakeLinks } from './namesakes.ts'
import { conditionParameters, parseParameters, toCacheKey } from './parameters.ts'

const separator = ';'

const headers: ResponseHeaders = {
  ...representationHeaders('text/csv; charset=utf-8; header=present', dataCaching),
  'Content-Disposition': 'attachment; filename="expedientes.csv"',
}

export async function handleRecordCsv(request: ApiRequest, store: SnapshotSource): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, conditionParameters, currentSnapshot(store)?.metadata)
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const tag = toTag(snapshot.metadata.id, toCacheKey('record.csv', parameters.values))
  const notModified = findNotModified(request, tag, headers)
  if (notModified !== undefined) return notModified
  const labels = snapshot.metadata.fields.map(({ label }) => label)
  const batches = snapshot.search(
    { ...parameters.query, include: ['cod_archivo', 'place', 'fields'] },
    request.deadline,
  )
  const response = await respondUnlessEmpty(request, tag, headers, toChunks(batches, labels), snapshot)
  // If several municipalities have the requested name, such as Cieza, the response links to each of them.
  if (response !== undefined) return withNamesakeLinks(response, 'record.csv', parameters, snapshot)
  return toProblemResponse(await explainEmptyResult(parameters, snapshot, request.deadline), request)
}

/**
 * The lines of the file; `labels` are those of the office's own columns, which come last. The column names are in the chunk of the first records: a result without records must have no
 * chunk, so that `respondUnlessEmpty` returns undefined for it.
 */
async function* toChunks(
  batches: AsyncGenerator<Batch, void, undefined>,
  labels: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  let columnLine = byteOrderMark + toCsvLine([...csvColumns, 'ine_code', 'province', ...labels], separator)
  for await (const { bytes } of batches) {
    // A batch is UTF-8: JSON objects separated by commas.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    const records = JSON.parse(`[${text}]`) as CodedRecord[]
    yield Buffer.from(columnLine + records.map((record) => toLine(record, labels)).join(''))
    columnLine = ''
  }
}

/** A record with its inscription code and its place, which `include` adds. */
type CodedRecord = WireRecord & WireIncluded

function toLine(record: CodedRecord, labels: readonly string[]): string {
  const { ine_code: ineCode = '', province = '' } = record.place ?? {}
  const own = labels.map((label) => record.fields?.[label] ?? '')
  return toCsvLine([...csvColumns.map((column) => record[column] ?? ''), ineCode, province, ...own], separator)
}
