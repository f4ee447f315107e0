// The map: the municipalities of the provinces that the registry covers, shaded by how many records were found in
// each. It is drawn by hand rather than by Preact, because a country has eight thousand shapes and a search changes
// nothing but their shade.

import { provinceAddresses } from 'virtual:atlas'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Box, joinBoxes, type MunicipalityShape, type ProvinceFile, toOutline, toShapes } from './atlas/shapes.ts'
import { useLocale } from './locale-context.ts'
import { askPatiently, type MunicipalityCount } from './service.ts'

export interface MapProps {
  /** Every municipality of the registry: the extent of the map. */
  readonly registry: readonly MunicipalityCount[]
  readonly counts: readonly MunicipalityCount[]
  readonly chosen: readonly MunicipalityCount[]
  readonly onChoose: (name: string) => void
  readonly onHover: (municipality: MunicipalityCount | null) => void
  readonly onMissing: () => void
}

interface Land {
  readonly shapes: readonly MunicipalityShape[]
  readonly outlines: string
}

const shades = 5
/** A view as wide as several provinces: there small municipalities get a rim, or nobody would see them. */
const farUnits = 1200

export function MunicipalityMap({ registry, counts, chosen, onChoose, onHover, onMissing }: MapProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const land = useLand(registry, onMissing)
  const ground = useRef<SVGGElement>(null)
  const paths = useRef<ReadonlyMap<string, SVGPathElement>>(new Map())
  const byCode = useMemo(() => new Map(counts.map((count) => [count.ine_code, count])), [counts])
  const most = counts[0]?.records ?? 1

  useEffect(() => {
    if (land === null || ground.current === null) return
    paths.current = new Map(land.shapes.map((shape) => [shape.ineCode, toPathElement(shape)]))
    ground.current.replaceChildren(...paths.current.values())
  }, [land])

  useEffect(() => {
    const chosenCodes = new Set(chosen.map(({ ine_code: code }) => code))
    for (const [code, path] of paths.current) {
      const records = byCode.get(code)?.records ?? 0
      path.setAttribute('class', `${chosenCodes.has(code) ? 'chosen ' : ''}shade-${toShade(records, most)}`)
    }
    // What is painted last is on top: shapes with records over those without, the chosen one over all.
    for (const { ine_code: code } of [...counts.toReversed(), ...chosen]) {
      const path = paths.current.get(code ?? '')
      if (path !== undefined) ground.current?.append(path)
    }
  }, [land, counts, byCode, chosen, most])

  const municipalityAt = (event: Event): MunicipalityCount | null => {
    const code = event.target instanceof SVGPathElement ? event.target.dataset.code : undefined
    return byCode.get(code ?? '') ?? null
  }
  const choose = (event: Event): void => {
    const municipality = municipalityAt(event)
    if (municipality !== null) onChoose(municipality.name)
  }
  const box = land === null ? null : toView(land.shapes, registry, chosen)
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table behind the map and the municipality field take keys */}
      <svg
        role="img"
        class={box !== null && box.right - box.left > farUnits ? 'zoomed-out' : undefined}
        aria-label={strings.map}
        aria-describedby="map-summary"
        viewBox={box === null ? '0 0 1 1' : `${box.left} ${box.top} ${box.right - box.left} ${box.bottom - box.top}`}
        onClick={choose}
        onPointerMove={(event) => onHover(municipalityAt(event))}
        onPointerLeave={() => onHover(null)}
      >
        <g class="municipalities" ref={ground} />
        {land !== null && <path class="outline" d={land.outlines} />}
      </svg>
      {land === null && <p class="map-note">{strings.mapLoading}</p>}
      {most > 1 && (
        <p class="legend" aria-hidden="true">
          <span>1</span>
          {Array.from({ length: shades }, (_, index) => (
            <span key={index} class={`swatch shade-${index + 1}`} />
          ))}
          <span>{formatNumber(most)}</span>
        </p>
      )}
    </>
  )
}

/** The boundaries of every province with records; those the atlas does not have are left out. */
function useLand(registry: readonly MunicipalityCount[], onMissing: () => void): Land | null {
  const [land, setLand] = useState<Land | null>(null)
  useEffect(() => {
    const provinces = new Set(registry.map(({ ine_code: code }) => code?.slice(0, 2) ?? ''))
    const addresses = [...provinces].flatMap((province) => provinceAddresses[province] ?? [])
    if (addresses.length === 0) return onMissing()
    const cancel = new AbortController()
    Promise.all(addresses.map((address) => readProvince(address, cancel.signal))).then(
      (files) => setLand({ shapes: files.flatMap(toShapes), outlines: files.map(toOutline).join('') }),
      () => cancel.signal.aborted || onMissing(),
    )
    return () => cancel.abort()
  }, [registry])
  return land
}

async function readProvince(address: string, signal: AbortSignal): Promise<ProvinceFile> {
  const outcome = await askPatiently<ProvinceFile>(address, signal)
  if (outcome.kind !== 'found') throw new Error(`Cannot load the map: ${address} is ${outcome.kind}`)
  return outcome.value
}

function toPathElement(shape: MunicipalityShape): SVGPathElement {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', shape.path)
  path.dataset.code = shape.ineCode
  return path
}

/** Counts are spread over magnitudes, so shades are too; 0 is "none". */
function toShade(records: number, most: number): number {
  if (records === 0) return 0
  if (most === 1) return shades
  return 1 + Math.round((Math.log(records) / Math.log(most)) * (shades - 1))
}

/** The registry's extent, or the province of the municipality chosen, with a margin. */
function toView(
  shapes: readonly MunicipalityShape[],
  registry: readonly MunicipalityCount[],
  chosen: readonly MunicipalityCount[],
): Box {
  const codes = new Set(registry.map(({ ine_code: code }) => code))
  const provinces = new Set(chosen.map(({ ine_code: code }) => code?.slice(0, 2)))
  const near = shapes.filter(({ ineCode }) => provinces.has(ineCode.slice(0, 2)))
  const inRegistry = shapes.filter(({ ineCode }) => codes.has(ineCode))
  const box = joinBoxes((near.length > 0 ? near : inRegistry).map((shape) => shape.box))
  const margin = Math.max(box.right - box.left, box.bottom - box.top) * 0.02
  return { left: box.left - margin, top: box.top - margin, right: box.right + margin, bottom: box.bottom + margin }
}
