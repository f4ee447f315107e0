// The properties that the parameter `include` of a request adds to each record, such as `cod_archivo` (its code). They
// are appended to the stored JSON of the record, which is not parsed.
import { provinceOf } from '../domain/province.ts'
import type { IncludeName } from '../domain/query.ts'
import type { WirePlace } from '../domain/wire.ts'
import type { RecordRow } from './storage.ts'

/**
 * The records in wire format (JSON objects) with the properties that `include` names, in its order, joined by commas.
 * `passages` has the JSON of the property `passages` for each row; a missing one counts as the empty list, `[]`.
 */
export function joinWithIncluded(
  rows: readonly RecordRow[],
  include: readonly IncludeName[] = [],
  passages: readonly string[] = [],
): string {
  return rows.map((row, index) => addIncluded(row, include, passages[index] ?? '[]')).join(',')
}

function addIncluded(row: RecordRow, include: readonly IncludeName[], passagesJson: string): string {
  if (include.length === 0) return row.wire
  // `{"id":"1"}` becomes `{"id":"1","cod_archivo":"A-1"}`. The JSON object of a record is never empty.
  const closingBrace = '}'
  let text = row.wire.slice(0, -closingBrace.length)
  for (const name of include) text += `,"${name}":${name === 'passages' ? passagesJson : propertyMakers[name](row)}`
  return text + closingBrace
}

/** For each property that is made from the row alone: the function that returns its JSON. */
const propertyMakers: Readonly<Record<Exclude<IncludeName, 'passages'>, (row: RecordRow) => string>> = {
  documents: ({ documents }) => documents,
  cod_archivo: ({ code }) => JSON.stringify(code),
  place: ({ ineCode }) => (ineCode === null ? 'null' : toPlaceJson(ineCode)),
}

/** Cache of the property `place` as JSON, by INE code. It needs no limit: there are about 8,000 municipalities. */
const placeJsonCache = new Map<string, string>()

/** The property `place`; the JSON `null` if the first two digits of the INE code are not those of a province. */
function toPlaceJson(ineCode: string): string {
  const cached = placeJsonCache.get(ineCode)
  if (cached !== undefined) return cached
  const province = provinceOf(ineCode)
  const place: WirePlace | null =
    province === undefined ? null : { ine_code: ineCode, province: province.name, community: province.community.name }
  const json = JSON.stringify(place)
  placeJsonCache.set(ineCode, json)
  return json
}
