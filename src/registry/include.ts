// The properties that the parameter `include` of a request adds to each record, such as `cod_archivo` (its code). They
// are appended to the stored JSON of the record, which is not parsed.

import type { IncludeName } from '../domain/parameters.ts'
import { provinceOf } from '../domain/province.ts'
import type { WirePlace } from '../domain/wire.ts'
import type { RecordRow, RegistryFile } from './registry-file.ts'

/**
 * The records in wire format (JSON objects) with the properties that `include` names, in its order, joined by commas.
 * `passages` has the JSON of the property `passages` for each row; a missing one counts as the empty list, `[]`.
 */
export function joinWithIncluded(
  rows: readonly RecordRow[],
  include: readonly IncludeName[],
  file: RegistryFile,
  passages: readonly string[] = [],
): string {
  return rows
    .map((row, index) => {
      const properties = include.map((name) => {
        return `,"${name}":${name === 'passages' ? (passages[index] ?? '[]') : propertyMakers[name](row, file)}`
      })
      // `{"id":"1"}` becomes `{"id":"1","cod_archivo":"A-1"}`. The JSON object of a record is never empty.
      return `${row.wire.slice(0, -1)}${properties.join('')}}`
    })
    .join(',')
}

/** For each property that is made without the term of the search: the function that returns its JSON. */
const propertyMakers: Readonly<
  Record<Exclude<IncludeName, 'passages'>, (row: RecordRow, file: RegistryFile) => string>
> = {
  documents: ({ position }, file) => JSON.stringify(file.readDocuments(position)),
  fields: ({ fields }) => fields ?? '{}',
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
