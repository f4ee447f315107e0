// Several municipalities may share the name in a request; then the records of all of them match. The response gets a
// link for each that has an INE code (its number in the national list): the same request with the code instead of the
// name, for a client that means only one municipality.
import { toReadableName } from '../domain/municipality-name.ts'
import { provinceOf } from '../domain/province.ts'
import type { Link } from '../http/response.ts'
import type { Snapshot } from '../registry/contract.ts'
import { type ParsedParameters, toRelativeUrl } from './parameters.ts'

/** The links; none if no other municipality has the name. `operation` is a path, such as `record`. */
export function toNamesakeLinks(
  operation: string,
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
): readonly Link[] {
  const { municipality, province, community } = query
  // With a province or autonomous community the client has already said which municipality it means.
  if (municipality === undefined || province !== undefined || community !== undefined) return []
  /** Indexes in `snapshot.municipalities`. */
  const namesakes = snapshot.findMunicipalities(municipality)
  if (namesakes.length <= 1) return []
  return namesakes.flatMap((index) => {
    const { name, ineCode } = snapshot.municipalities[index] ?? { name: '', ineCode: null }
    if (ineCode === null) return []
    const linkValues = new Map(values).set('municipality', ineCode)
    // A cursor points into the result for all namesakes, so the link starts at the first page.
    linkValues.delete('cursor')
    const url = toRelativeUrl(operation, linkValues)
    return [{ relation: 'alternate', url, title: toNameWithProvince(name, ineCode) } as const]
  })
}

/** `Cieza (Murcia)`; without a province if the INE code is unknown. */
export function toNameWithProvince(name: string, ineCode: string | null): string {
  const province = provinceOf(ineCode ?? '')
  return province === undefined ? toReadableName(name) : `${toReadableName(name)} (${province.name})`
}
