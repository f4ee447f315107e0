// The texts and links of the map, for map-svg.ts.
import type { Locale } from './locale.ts'
import type { PlaceCount } from './map-counts.ts'

export interface MapLabels {
  /** The name of the whole map, for screen readers. */
  readonly map: string
  /** `Ávila: 317 records` */
  readonly toLabel: (place: PlaceCount) => string
  /** The address of the search in the place. */
  readonly toHref: (place: PlaceCount) => string
  readonly formatNumber: (value: number) => string
}

export function toMapLabels(
  { strings, formatNumber, formatRecordCount }: Locale,
  toHref: (place: PlaceCount) => string,
): MapLabels {
  const toLabel = ({ name, records }: PlaceCount): string => `${name}: ${formatRecordCount(records)}`
  return { map: strings.map, toLabel, toHref, formatNumber }
}
