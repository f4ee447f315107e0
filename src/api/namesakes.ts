// Several municipalities may share the name in a request; then the records of all of them match. The response gets a
// link for each that has an INE code (its number in the national list): the same request with the code instead of the
// name, for a client that means only one municipality.
import { toReadableName } from '../domain/municipality-name.ts'
import { provinceOf } from '../domain/province.ts'
import type { AlternateLink, ApiResponse } from '../http/response.ts'
import type { Snapshot } from '../registry/contract.ts'
import { type ParsedParameters, toRelativeUrl } from './parameters.ts'

/**
 * Adds the links, if there are any, to a 200 response. `operation` is a path, such as `record`. `values` are the
 * decoded parameters of the request.
 */
export function withNamesakeLinks(
  response: ApiResponse,
  operation: string,
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
): ApiResponse {
  const { municipality, province, community } = query
  // With a province or autonomous community the client has already said which municipality it means.
  const isRegionGiven = province !== undefined || community !== undefined
  if (municipality === undefined || isRegionGiven) return response
  /** Indexes in `snapshot.municipalities`. */
  const namesakes = snapshot.findMunicipalities(municipality)
  const isShared = namesakes.length > 1
  if (!isShared || response.status !== 200) return response
  const alternates: AlternateLink[] = []
  for (const index of namesakes) {
    const { name, ineCode } = snapshot.municipalities[index] ?? { name: '', ineCode: null }
    if (ineCode === null) continue
    const linkValues = new Map(values).set('municipality', ineCode)
    // A cursor points into the result for all namesakes, so the link starts at the first page.
    linkValues.delete('cursor')
    alternates.push({ url: toRelativeUrl(operation, linkValues), title: toNameWithProvince(name, ineCode) })
  }
  return alternates.length === 0 ? response : { ...response, alternates }
}

/** `Cieza (Murcia)`; without a province if the INE code is unknown. */
export function toNameWithProvince(name: string, ineCode: string | null): string {
  const province = provinceOf(ineCode ?? '')
  return province === undefined ? toReadableName(name) : `${toReadableName(name)} (${province.name})`
}
