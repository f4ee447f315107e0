// The counts by place: the map of the provinces, or of the municipalities of one province, and the same counts as a
// table. The server renders the map; for a new search the browser loads the code that draws it.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CountTable } from './count-table.tsx'
import { FilterLink, isPlainClick } from './filter-link.tsx'
import { type MapCounts, type PlaceCount, toProvinceName } from './map-counts.ts'
import { toMapLabels } from './map-labels.ts'
import { toPlaceChange } from './place-change.ts'
import { parsePageUrl, type Search } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface MapPanelProps {
  readonly search: Search
  readonly counts: MapCounts
  readonly onChoose: (change: Partial<Search>) => void
}

/** How many places the table shows before it is opened. */
const visibleRows = 8

export function MapPanel({ search, counts, onChoose }: MapPanelProps): JSX.Element {
  const { strings, formatNumber, formatRecordCount } = useLocale()
  const urls = useUrls()
  const { registry } = useSite()
  /** The label of the place under the pointer; null for none. */
  const [hovered, setHovered] = useState<string | null>(null)
  const { html, isMissing } = useMapHtml(search, counts)
  // The pointer need not move for the next map, so the label would stay that of the map before.
  useEffect(() => setHovered(null), [counts, html])
  const { province, places, recordsWithoutProvince, chosen } = counts
  // The first place has the most records.
  const [largest] = places
  const registryProvinces = registry?.provinces ?? []
  // Whether the map shows one province of several, so that there is a map of provinces to go back to.
  const isZoomed = province !== null && registryProvinces.length > 1
  // The shapes of the map are found by INE code, so a municipality without a code has no shape.
  const placesWithoutShape = places.filter(({ code }) => code === null).length
  /** The link around the shape under the pointer; null if there is no shape, or the shape has no records. */
  const linkAt = (event: Event): SVGAElement | null =>
    event.target instanceof Element ? event.target.closest<SVGAElement>('a') : null
  const follow = (event: MouseEvent): void => {
    const href = linkAt(event)?.getAttribute('href') ?? null
    if (href === null || !isPlainClick(event)) return
    event.preventDefault()
    // The map may still be that of an earlier search, so only the place is taken from its link, not the other filters.
    const { municipality, province } = parsePageUrl(href.slice(href.indexOf('?')))
    onChoose({ municipality, province })
  }
  const title = province === null ? strings.mapOfProvinces : strings.mapOfMunicipalities(toProvinceName(province))
  return (
    <section class="panel map-panel">
      <h2 id="map-heading">{title}</h2>
      {isMissing ? (
        <p class="map-note">{strings.mapMissing}</p>
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the table below the map works by keyboard
        // biome-ignore lint/a11y/noStaticElementInteractions: its children are links
        <div
          class="map"
          onClick={follow}
          onPointerMove={(event) => setHovered(linkAt(event)?.getAttribute('aria-label') ?? null)}
          onPointerLeave={() => setHovered(null)}
          // map-svg.ts escapes every text.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
      <p class="readout" aria-hidden="true">
        {hovered ?? (province === null ? strings.mapProvinceHint : strings.mapHint)}
      </p>
      {(isZoomed || search.municipality !== '') && (
        <p class="range">
          {search.municipality !== '' && (
            <FilterLink
              href={urls.search({ ...search, municipality: '' })}
              onFollow={() => onChoose({ municipality: '' })}
            >
              {strings.allMunicipalities}
            </FilterLink>
          )}
          {isZoomed && (
            <FilterLink
              href={urls.search({ ...search, municipality: '', province: '' })}
              onFollow={() => onChoose({ municipality: '', province: '' })}
            >
              {strings.allProvinces}
            </FilterLink>
          )}
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
        summary={strings.showMoreRows(formatNumber(Math.max(0, places.length - visibleRows)))}
        heading={province === null ? strings.tableProvince : strings.tableMunicipality}
        caption={title}
        visibleRows={visibleRows}
        rows={places.map((place) => {
          const change = toPlaceChange(place, counts, registryProvinces)
          return {
            key: `${place.code ?? ''} ${place.name}`,
            label: place.name,
            records: place.records,
            // The search names a municipality; several may share the name, and then all of them are chosen.
            isChosen: chosen.some(({ code, name }) => code === place.code && name === place.name),
            href: urls.search({ ...search, ...change }),
            onFollow: () => onChoose(change),
          }
        })}
      />
      <p class="small source">{strings.mapSource}</p>
    </section>
  )
}

/**
 * The HTML of the map. The server renders the first map; in the browser `html` is then empty, and Preact keeps what the
 * server has rendered. The maps of later searches are drawn in the browser. `isMissing` tells that the code that draws
 * them, or the boundaries, could not be loaded.
 */
function useMapHtml(search: Search, counts: MapCounts): { html: string; isMissing: boolean } {
  const locale = useLocale()
  const urls = useUrls()
  const { mapHtml, registry } = useSite()
  const [html, setHtml] = useState(mapHtml ?? '')
  const [isMissing, setMissing] = useState(false)
  /** Whether the effect runs for the first time. */
  const isFirstRun = useRef(true)
  useEffect(() => {
    // The map of the server is kept. If the server could not render one, the browser draws it at once.
    const hasServerMap = isFirstRun.current && document.querySelector('.map svg') !== null
    isFirstRun.current = false
    if (hasServerMap) return
    const controller = new AbortController()
    const provinces = registry?.provinces ?? []
    const toHref = (place: PlaceCount): string => urls.search({ ...search, ...toPlaceChange(place, counts, provinces) })
    import('./map-picture.ts')
      .then(({ drawMap }) => drawMap(counts, provinces, toMapLabels(locale, toHref), controller.signal))
      .then(
        (drawn) => {
          if (controller.signal.aborted) return
          setHtml(drawn)
          setMissing(false)
        },
        () => {
          if (!controller.signal.aborted) setMissing(true)
        },
      )
    return () => controller.abort()
    // Three values that the effect uses are not listed here. `search` is the search of the counts, so it changes with
    // them. `urls` is a new object at each rendering, but gives other addresses only in another locale. `registry`
    // never changes.
  }, [counts, locale])
  return { html, isMissing }
}
