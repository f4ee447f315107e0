// The properties that a request adds to each record with `include`. They are appended to the stored JSON of the record,
// which is not parsed.
import { provinceOf } from '../domain/province.ts'
import type { IncludeName } from '../domain/query.ts'
import type { WirePlace } from '../domain/wire.ts'
import type { RecordRow } from './storage.ts'

/**
 * The records in wire format (JSON objects) with the included properties in the order of `include`, joined by commas.
 * `passages` has the JSON of that property for each record; if it is missing, the record has no passages.
 */
export function joinWithIncluded(
  rows: readonly RecordRow[],
  include: readonly IncludeName[],
  passages: readonly string[] = [],
): string {
  return rows.map((row, index) => addIncluded(row, include, passages[index] ?? '[]')).join(',')
}

function addIncluded(row: RecordRow, include: readonly IncludeName[], passages: string): string {
  // The JSON object is never empty, so its closing brace is replaced by a comma and the properties.
  let text = row.wire.slice(0, -1)
  for (const name of include) text += `,"${name}":${name === 'passages' ? passages : toJson[name](row)}`
  return `${text}}`
}

/** The JSON of each property that is made from the row alone. */
const toJson: Readonly<Record<Exclude<IncludeName, 'passages'>, (row: RecordRow) => string>> = {
  documents: ({ documents }) => documents,
  cod_archivo: ({ code }) => JSON.stringify(code),
  place: ({ ineCode }) => (ineCode === null ? 'null' : toPlace(ineCode)),
}

/** Cache of the property `place` as JSON, by INE code. It needs no limit: there are about 8,000 municipalities. */
const placesJson = new Map<string, string>()

/** Returns the JSON `null` if the code is of no province. */
function toPlace(ineCode: string): string {
  const cached = placesJson.get(ineCode)
  if (cached !== undefined) return cached
  const province = provinceOf(ineCode)
  const place: WirePlace | null =
    province === undefined ? null : { ine_code: ineCode, province: province.name, community: province.community.name }
  const json = JSON.stringify(place)
  placesJson.set(ineCode, json)
  return json
}
