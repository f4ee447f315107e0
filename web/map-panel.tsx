// Records by municipality: the map, which is a part of the page loaded on its own when it is first seen, and the
// table behind it.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CountTable } from './count-table.tsx'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import type { MapProps } from './municipality-map.tsx'
import { type Search, toPageUrl } from './search-url.ts'
import type { MunicipalityCount, WireSummary } from './service.ts'
import { useMunicipalityCounts } from './use-registry.ts'

export interface MapPanelProps {
  readonly seen: boolean
  readonly search: Search | null
  readonly summary: WireSummary | null
  readonly whole: WireSummary | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function MapPanel({ seen, search, summary, whole, onChoose }: MapPanelProps): JSX.Element {
  const { strings, formatNumber, formatRecordCount } = useLocale()
  const [hovered, setHovered] = useState<MunicipalityCount | null>(null)
  const [missing, setMissing] = useState(false)
  const MapPart = useMapPart(seen, () => setMissing(true))
  const counts = useMunicipalityCounts(search, summary, seen)
  const isNarrowed = search !== null && search.municipality.trim() !== ''
  const chosen = isNarrowed ? (summary?.by_municipality ?? []) : []
  const [most] = counts ?? []
  const unplaced = (counts ?? []).filter(({ ine_code: code }) => code === null).length
  const choose = (municipality: string): void => onChoose({ municipality })
  return (
    <section class="panel map-panel">
      <h2 id="map-heading">{strings.map}</h2>
      <div class="map">
        {MapPart !== null && whole !== null && counts !== null && (
          <MapPart
            registry={whole.by_municipality}
            counts={counts}
            chosen={chosen}
            onChoose={choose}
            onHover={setHovered}
            onMissing={() => setMissing(true)}
          />
        )}
        {missing ? (
          <p class="map-note">{strings.mapMissing}</p>
        ) : (
          (MapPart === null || counts === null) && <p class="map-note">{strings.mapLoading}</p>
        )}
      </div>
      <p class="readout" aria-hidden="true">
        {hovered === null
          ? strings.mapHint
          : strings.municipalityRecords(hovered.name, hovered.records, formatNumber(hovered.records))}
      </p>
      {isNarrowed && search !== null && (
        <p class="range">
          <FilterLink href={toPageUrl({ ...search, municipality: '' })} onFollow={() => choose('')}>
            {strings.everyMunicipality}
          </FilterLink>
        </p>
      )}
      {most !== undefined && (
        <p class="visually-hidden" id="map-summary">
          {strings.mapSummary(
            counts?.length ?? 0,
            formatNumber(counts?.length ?? 0),
            most.name,
            formatRecordCount(most.records).toLowerCase(),
          )}
        </p>
      )}
      {unplaced > 0 && <p class="small">{strings.mapUnplaced(unplaced, formatNumber(unplaced))}</p>}
      <CountTable
        heading={strings.tableMunicipality}
        caption={strings.map}
        rows={(counts ?? []).map(({ name, ine_code: code, records: count }) => ({
          key: `${code ?? ''} ${name}`,
          label: name,
          records: count,
          chosen: chosen.some((each) => each.name === name && each.ine_code === code),
        }))}
        onChoose={(key) => choose(key.slice(key.indexOf(' ') + 1))}
      />
      <p class="small source">{strings.mapSource}</p>
    </section>
  )
}

type MapComponent = (props: MapProps) => JSX.Element

function useMapPart(wanted: boolean, onMissing: () => void): MapComponent | null {
  const [part, setPart] = useState<{ readonly component: MapComponent } | null>(null)
  useEffect(() => {
    if (!wanted || part !== null) return
    import('./municipality-map.tsx').then(({ MunicipalityMap }) => setPart({ component: MunicipalityMap }), onMissing)
  }, [wanted, part])
  return part?.component ?? null
}
