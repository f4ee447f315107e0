// The counts by municipality: the map, whose code is loaded when it first becomes visible, and the same counts as a
// table.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WireSummary } from '../src/client/client.ts'
import { CountTable } from './count-table.tsx'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import type { MapProps } from './municipality-map.tsx'
import { toRunningName } from './municipality-name.ts'
import { type Search, toPageUrl } from './search-url.ts'
import type { MunicipalityCount } from './service.ts'
import { useMunicipalityCounts } from './use-registry.ts'

export interface MapPanelProps {
  /** Whether to load the map: false until the panel is first visible. */
  readonly isNeeded: boolean
  /** The search that `summary` belongs to; null until the first result arrives. */
  readonly search: Search | null
  /** The counts of the search without its years. */
  readonly summary: WireSummary | null
  /** The counts of the whole registry. */
  readonly registrySummary: WireSummary | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function MapPanel({ isNeeded, search, summary, registrySummary, onChoose }: MapPanelProps): JSX.Element {
  const { strings, formatNumber, formatRecordCount } = useLocale()
  const [hovered, setHovered] = useState<MunicipalityCount | null>(null)
  const [isMissing, setMissing] = useState(false)
  const MapView = useMapComponent(isNeeded, () => setMissing(true))
  const counts = useMunicipalityCounts(search, summary, isNeeded)
  const hasMunicipality = search !== null && search.municipality.trim() !== ''
  // A name may match several municipalities.
  const chosen = hasMunicipality ? (summary?.by_municipality ?? []) : []
  const [largest] = counts ?? []
  const unplacedCount = (counts ?? []).filter(({ ine_code: code }) => code === null).length
  const choose = (municipality: string): void => onChoose({ municipality })
  return (
    <section class="panel map-panel">
      <h2 id="map-heading">{strings.map}</h2>
      <div class="map">
        {MapView !== null && registrySummary !== null && counts !== null && (
          <MapView
            registry={registrySummary.by_municipality}
            counts={counts}
            chosen={chosen}
            onChoose={choose}
            onHover={setHovered}
            onMissing={() => setMissing(true)}
          />
        )}
        {isMissing ? (
          <p class="map-note">{strings.mapMissing}</p>
        ) : (
          (MapView === null || counts === null) && <p class="map-note">{strings.mapLoading}</p>
        )}
      </div>
      <p class="readout" aria-hidden="true">
        {hovered === null ? strings.mapHint : `${toRunningName(hovered.name)}: ${formatRecordCount(hovered.records)}`}
      </p>
      {hasMunicipality && search !== null && (
        <p class="range">
          <FilterLink href={toPageUrl({ ...search, municipality: '' })} onFollow={() => choose('')}>
            {strings.allMunicipalities}
          </FilterLink>
        </p>
      )}
      {largest !== undefined && (
        <p class="visually-hidden" id="map-summary">
          {strings.mapSummary(
            counts?.length ?? 0,
            formatNumber(counts?.length ?? 0),
            toRunningName(largest.name),
            formatRecordCount(largest.records),
          )}
        </p>
      )}
      {unplacedCount > 0 && <p class="small">{strings.mapUnplaced(unplacedCount, formatNumber(unplacedCount))}</p>}
      <CountTable
        heading={strings.tableMunicipality}
        caption={strings.map}
        rows={(counts ?? []).map(({ name, ine_code: code, records: count }) => ({
          // The name follows the first space; the INE code alone may be null.
          key: `${code ?? ''} ${name}`,
          label: name,
          records: count,
          isChosen: chosen.some((each) => each.name === name && each.ine_code === code),
        }))}
        onChoose={(key) => choose(key.slice(key.indexOf(' ') + 1))}
      />
      <p class="small source">{strings.mapSource}</p>
    </section>
  )
}

type MapComponent = (props: MapProps) => JSX.Element

/** Loads the code of the map when it is first needed. Null until it has loaded. */
function useMapComponent(isNeeded: boolean, onMissing: () => void): MapComponent | null {
  const [loaded, setLoaded] = useState<{ readonly component: MapComponent } | null>(null)
  useEffect(() => {
    if (!isNeeded || loaded !== null) return
    import('./municipality-map.tsx').then(({ MunicipalityMap }) => setLoaded({ component: MunicipalityMap }), onMissing)
  }, [isNeeded, loaded])
  return loaded?.component ?? null
}
