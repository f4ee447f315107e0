// {base}/record.csv: all records of a search as CSV, in the order of {base}/record. Byte order mark and semicolons
// are what spreadsheets with Spanish settings expect.

import { byteOrderMark, toCsvLine } from '../csv.ts'
import { csvColumns, type WireRecord } from '../domain/record.ts'
import type { WireIncluded } from '../domain/wire.ts'
import { toBody } from '../http/respond.ts'
import { type ResponseHeaders, representationHeaders } from '../http/response-headers.ts'
import type { Batch } from '../registry/contract.ts'
import { dataCaching } from './json-response.ts'
import { toNamesakeLinks } from './namesakes.ts'
import type { OperationCode } from './operation.ts'

const separator = ';'

const headers: ResponseHeaders = {
  ...representationHeaders('text/csv; charset=utf-8; header=present', dataCaching),
  'Content-Disposition': 'attachment; filename="expedientes.csv"',
}

export const exportRecords: OperationCode = {
  headers,
  answer: (parameters, snapshot, deadline) => ({
    make: async () => {
      const labels = snapshot.metadata.fields.map(({ label }) => label)
      const query = { ...parameters.query, include: ['cod_archivo', 'place', 'fields'] } as const
      const body = await toBody(toChunks(snapshot.search(query, deadline), labels))
      return body && { body, links: toNamesakeLinks('record.csv', parameters, snapshot) }
    },
  }),
}

/**
 * The lines of the file; `labels` are those of the office's own columns, which come last. The column names are in the
 * chunk of the first records: a result without records must have no chunk, so that it becomes a 404.
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
