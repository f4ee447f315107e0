// Choropleth map of the municipalities in the provinces that the registry covers. It updates the DOM directly, not
// through Preact, because Spain has eight thousand shapes and a search changes only their shade.

import { provinceUrls } from 'virtual:atlas'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Box, joinBoxes, type MunicipalityShape, type ProvinceFile, toOutline, toShapes } from './atlas/shapes.ts'
import { useLocale } from './locale-context.ts'
import { type MunicipalityCount, readJsonAsset } from './service.ts'

export interface MapProps {
  /** Every municipality of the registry; they define the extent of the map. */
  readonly registry: readonly MunicipalityCount[]
  /** The counts of the search, most records first. */
  readonly counts: readonly MunicipalityCount[]
  /** The municipalities of the search. */
  readonly chosen: readonly MunicipalityCount[]
  readonly onChoose: (name: string) => void
  readonly onHover: (municipality: MunicipalityCount | null) => void
  /** Called if the map cannot be shown. */
  readonly onMissing: () => void
}

interface Boundaries {
  readonly shapes: readonly MunicipalityShape[]
  /** The borders of the provinces as one SVG path. */
  readonly outlines: string
}

const shadeCount = 5
/** The margin around the map, as a fraction of its longer side. */
const marginFraction = 0.02
/** In a view wider than this, in units of the atlas grid, small municipalities get an outline to stay visible. */
const wideViewUnits = 1200

export function MunicipalityMap({ registry, counts, chosen, onChoose, onHover, onMissing }: MapProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const boundaries = useBoundaries(registry, onMissing)
  const group = useRef<SVGGElement>(null)
  const paths = useRef<ReadonlyMap<string, SVGPathElement>>(new Map())
  const countsByCode = useMemo(() => new Map(counts.map((count) => [count.ine_code, count])), [counts])
  const recordsMax = counts[0]?.records ?? 1

  useEffect(() => {
    if (boundaries === null || group.current === null) return
    paths.current = new Map(boundaries.shapes.map((shape) => [shape.ineCode, toPathElement(shape)]))
    group.current.replaceChildren(...paths.current.values())
  }, [boundaries])

  useEffect(() => {
    const chosenCodes = new Set(chosen.map(({ ine_code: code }) => code))
    for (const [code, path] of paths.current) {
      const records = countsByCode.get(code)?.records ?? 0
      path.setAttribute('class', `${chosenCodes.has(code) ? 'chosen ' : ''}shade-${toShade(records, recordsMax)}`)
    }
    // SVG paints later elements on top: shapes with records over those without, the chosen ones over all.
    for (const { ine_code: code } of [...counts.toReversed(), ...chosen]) {
      const path = paths.current.get(code ?? '')
      if (path !== undefined) group.current?.append(path)
    }
  }, [boundaries, counts, countsByCode, chosen, recordsMax])

  const municipalityAt = (event: Event): MunicipalityCount | null => {
    const code = event.target instanceof SVGPathElement ? event.target.dataset.code : undefined
    return countsByCode.get(code ?? '') ?? null
  }
  const choose = (event: Event): void => {
    const municipality = municipalityAt(event)
    if (municipality !== null) onChoose(municipality.name)
  }
  const view = boundaries === null ? null : toView(boundaries.shapes, registry, chosen)
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table below the map and the municipality field work by keyboard */}
      <svg
        role="img"
        class={view !== null && view.right - view.left > wideViewUnits ? 'zoomed-out' : undefined}
        aria-label={strings.map}
        aria-describedby="map-summary"
        viewBox={view === null ? '0 0 1 1' : toViewBox(view)}
        onClick={choose}
        onPointerMove={(event) => onHover(municipalityAt(event))}
        onPointerLeave={() => onHover(null)}
      >
        <g class="municipalities" ref={group} />
        {boundaries !== null && <path class="outline" d={boundaries.outlines} />}
      </svg>
      {boundaries === null && <p class="map-note">{strings.mapLoading}</p>}
      {recordsMax > 1 && (
        <p class="legend" aria-hidden="true">
          <span>1</span>
          {Array.from({ length: shadeCount }, (_, index) => (
            <span key={index} class={`swatch shade-${index + 1}`} />
          ))}
          <span>{formatNumber(recordsMax)}</span>
        </p>
      )}
    </>
  )
}

/** The boundaries of every province with records, except provinces that the atlas does not have. */
function useBoundaries(registry: readonly MunicipalityCount[], onMissing: () => void): Boundaries | null {
  const [boundaries, setBoundaries] = useState<Boundaries | null>(null)
  useEffect(() => {
    const provinces = new Set(registry.map(({ ine_code: code }) => code?.slice(0, 2) ?? ''))
    const urls = [...provinces].flatMap((province) => provinceUrls[province] ?? [])
    if (urls.length === 0) return onMissing()
    const controller = new AbortController()
    Promise.all(urls.map((url) => readProvince(url, controller.signal))).then(
      (files) => setBoundaries({ shapes: files.flatMap(toShapes), outlines: files.map(toOutline).join('') }),
      () => {
        if (!controller.signal.aborted) onMissing()
      },
    )
    return () => controller.abort()
  }, [registry])
  return boundaries
}

async function readProvince(url: string, signal: AbortSignal): Promise<ProvinceFile> {
  const outcome = await readJsonAsset<ProvinceFile>(url, signal)
  if (outcome.kind !== 'found') throw new Error(`Cannot load the map: ${url} is ${outcome.kind}`)
  return outcome.value
}

function toPathElement(shape: MunicipalityShape): SVGPathElement {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', shape.path)
  path.dataset.code = shape.ineCode
  return path
}

/** Shades are logarithmic, because counts differ by orders of magnitude; 0 means no records. */
function toShade(records: number, recordsMax: number): number {
  if (records === 0) return 0
  if (recordsMax === 1) return shadeCount
  return 1 + Math.round((Math.log(records) / Math.log(recordsMax)) * (shadeCount - 1))
}

function toViewBox({ left, top, right, bottom }: Box): string {
  return `${left} ${top} ${right - left} ${bottom - top}`
}

/** The extent of the registry, or of the provinces of the chosen municipalities, with a margin. */
function toView(
  shapes: readonly MunicipalityShape[],
  registry: readonly MunicipalityCount[],
  chosen: readonly MunicipalityCount[],
): Box {
  const codes = new Set(registry.map(({ ine_code: code }) => code))
  const provinces = new Set(chosen.map(({ ine_code: code }) => code?.slice(0, 2)))
  const inProvinces = shapes.filter(({ ineCode }) => provinces.has(ineCode.slice(0, 2)))
  const inRegistry = shapes.filter(({ ineCode }) => codes.has(ineCode))
  const box = joinBoxes((inProvinces.length > 0 ? inProvinces : inRegistry).map((shape) => shape.box))
  const margin = Math.max(box.right - box.left, box.bottom - box.top) * marginFraction
  return { left: box.left - margin, top: box.top - margin, right: box.right + margin, bottom: box.bottom + margin }
}
