// The counts by place: the map of the provinces, or of the municipalities of one province, and the same counts as a
// table. Shapes with records are links; the table has the same links for the keyboard.

import { type AtlasMap, maps } from './atlas/atlas.ts'
import { CountTable } from './count-table.tsx'
import type { JSX } from './jsx-runtime.ts'
import { type MapCounts, type PlaceCount, toPlaceChange, toProvinceName } from './map-counts.ts'
import type { Search } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface MapPanelProps {
  readonly search: Search
  readonly counts: MapCounts
}

/** How many places the table shows before it is opened. */
const visibleRows = 8

export function MapPanel({ search, counts }: MapPanelProps): JSX.Element {
  const { strings, formatNumber, formatRecordCount } = useLocale()
  const urls = useUrls()
  const { registry } = useSite()
  const { province, places, recordsWithoutProvince, chosen } = counts
  const toHref = (place: PlaceCount): string =>
    urls.search({ ...search, ...toPlaceChange(place, counts, registry.provinces) })
  // The first place has the most records.
  const [largest] = places
  // Whether the map shows one province of several, so that there is a map of provinces to go back to.
  const isZoomed = province !== null && registry.provinces.length > 1
  // The shapes of the map are found by INE code, so a municipality without a code has no shape.
  const placesWithoutShape = places.filter(({ code }) => code === null).length
  const title = province === null ? strings.mapOfProvinces : strings.mapOfMunicipalities(toProvinceName(province))
  return (
    <section class="panel map-panel" data-readout>
      <h2 id="map-heading">{title}</h2>
      <PlaceMap counts={counts} toHref={toHref} />
      <p class="readout" aria-hidden="true">
        {province === null ? strings.mapProvinceHint : strings.mapHint}
      </p>
      {(isZoomed || search.municipality !== '') && (
        <p class="range">
          {search.municipality !== '' && (
            <a href={urls.search({ ...search, municipality: '' })}>{strings.allMunicipalities}</a>
          )}
          {isZoomed && <a href={urls.search({ ...search, municipality: '', province: '' })}>{strings.allProvinces}</a>}
        </p>
      )}
      {largest !== undefined && (
        <p class="visually-hidden" id="map-summary">
          {strings.mapSummary(
            formatNumber(places.length),
            largest.name,
            formatRecordCount(largest.records),
            province === null,
          )}
        </p>
      )}
      {placesWithoutShape > 0 && (
        <p class="small">{strings.mapUnplaced(placesWithoutShape, formatNumber(placesWithoutShape))}</p>
      )}
      {recordsWithoutProvince > 0 && (
        <p class="small">{strings.mapUnplacedRecords(formatRecordCount(recordsWithoutProvince))}</p>
      )}
      <CountTable
        id="places-table"
        summary={strings.showMoreRows(formatNumber(Math.max(0, places.length - visibleRows)))}
        heading={province === null ? strings.tableProvince : strings.tableMunicipality}
        caption={title}
        visibleRows={visibleRows}
        rows={places.map((place) => ({
          label: place.name,
          records: place.records,
          // The search names a municipality; several may share the name, and then all of them are chosen.
          isChosen: chosen.some(({ code, name }) => code === place.code && name === place.name),
          href: toHref(place),
        }))}
      />
      <p class="small source">{strings.mapSource}</p>
    </section>
  )
}

/** Shades of places with records; the style sheet has one more, `shade-0`, for those without. */
const shadeCount = 5

interface MapProps {
  readonly counts: MapCounts
  readonly toHref: (place: PlaceCount) => string
}

function PlaceMap({ counts, toHref }: MapProps): JSX.Element | null {
  const { strings, formatNumber, formatRecordCount } = useLocale()
  const { registry } = useSite()
  const { province, places, chosen } = counts
  const map = maps[province ?? 'provinces']
  if (map === undefined) return null
  const isChosen = ({ code }: PlaceCount): boolean => chosen.some((each) => each.code === code)
  // The first place has the most records. Without places, `recordsMax` is 1, so that there is no legend.
  const recordsMax = places[0]?.records ?? 1
  const placed = places.filter(({ code }) => code !== null)
  // SVG paints later elements on top: first all shapes without records, at last the chosen ones.
  const links = [...placed.filter((place) => !isChosen(place)), ...placed.filter(isChosen)]
  return (
    <div class="map">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of links in SVG */}
      <svg
        role="group"
        aria-label={strings.map}
        aria-describedby="map-summary"
        viewBox={toViewBox(map, province === null ? registry.provinces : null)}
      >
        <g class="places">
          <use class="shade-0" href={`${map.href}#all`} />
          {chosen
            .filter(({ records }) => records === 0)
            .map(({ code }) => (
              <use key={code ?? ''} class="shade-0 chosen" href={`${map.href}#p${code}`} />
            ))}
          {links.map((place) => (
            <a
              key={place.code ?? ''}
              href={toHref(place)}
              tabindex={-1}
              aria-label={`${place.name}: ${formatRecordCount(place.records)}`}
            >
              <use
                class={`${isChosen(place) ? 'chosen ' : ''}shade-${toShade(place.records, recordsMax)}`}
                href={`${map.href}#p${place.code}`}
              />
            </a>
          ))}
        </g>
        <use class="outline" href={`${map.href}#outline`} />
      </svg>
      {recordsMax > 1 && (
        <p class="legend" aria-hidden="true">
          <span>1</span>
          {Array.from({ length: shadeCount }, (_, index) => (
            <span key={index} class={`swatch shade-${index + 1}`} />
          ))}
          <span>{formatNumber(recordsMax)}</span>
        </p>
      )}
    </div>
  )
}

/** The shade from 1 to `shadeCount`. It is logarithmic: counts differ by orders of magnitude. */
function toShade(records: number, recordsMax: number): number {
  // The logarithm of 1 is 0 and cannot divide.
  if (recordsMax === 1) return shadeCount
  return 1 + Math.round((Math.log(records) / Math.log(recordsMax)) * (shadeCount - 1))
}

/** The margin around the map, as a fraction of its longer side. */
const marginFraction = 0.02

/**
 * What the map shows, in its units: left, top, width, height. It is the smallest part that contains the shapes with
 * these codes; all shapes if `codes` is null, or the registry knows no place.
 */
function toViewBox({ boxes }: AtlasMap, codes: readonly string[] | null): string {
  const inExtent = (codes ?? []).flatMap((code) => (boxes[code] === undefined ? [] : [boxes[code]]))
  const shown = inExtent.length > 0 ? inExtent : Object.values(boxes)
  const left = Math.min(...shown.map((box) => box[0]))
  const top = Math.min(...shown.map((box) => box[1]))
  const width = Math.max(...shown.map((box) => box[2])) - left
  const height = Math.max(...shown.map((box) => box[3])) - top
  const margin = Math.max(width, height) * marginFraction
  return [left - margin, top - margin, width + 2 * margin, height + 2 * margin].map(Math.round).join(' ')
}
