// Draws the map as HTML: provinces, or the municipalities of one province, shaded by their records. Server and browser
// make the same HTML. Shapes with records are links; a table below the map has the same links for the keyboard.
import { type Box, joinBoxes, type PlaceShape } from './atlas/shapes.ts'
import type { MapCounts } from './map-counts.ts'
import type { MapLabels } from './map-labels.ts'

export interface MapDrawing {
  readonly shapes: readonly PlaceShape[]
  /** Borders that are drawn over the shapes, as one SVG path; empty for none. */
  readonly outline: string
  /** Whether the map must show the shape with the code; the others may be cut off. */
  readonly isInExtent: (code: string) => boolean
}

/** Shades of places with records; the style sheet has one more, `shade-0`, for those without. */
const shadeCount = 5
/** The margin around the map, as a fraction of its longer side. */
const marginFraction = 0.02

export function toMapHtml(counts: MapCounts, drawing: MapDrawing, labels: MapLabels): string {
  const placeByCode = new Map(counts.places.map((place) => [place.code, place]))
  const chosenCodes = new Set(counts.chosen.map(({ code }) => code))
  // The first place has the most records. Without places, `recordsMax` is 1, so that there is no legend.
  const recordsMax = counts.places[0]?.records ?? 1
  const viewBox = toViewBox(drawing)
  // SVG paints later elements on top: places with records over those without, and chosen places with records over all.
  const emptyShapes: string[] = []
  const links: string[] = []
  const chosenLinks: string[] = []
  for (const { code, path } of drawing.shapes) {
    const place = placeByCode.get(code)
    const isChosen = chosenCodes.has(code)
    const classes = `${isChosen ? 'chosen ' : ''}shade-${toShade(place?.records ?? 0, recordsMax)}`
    const element = `<path class="${classes}" d="${path}"/>`
    if (place === undefined) {
      emptyShapes.push(element)
      continue
    }
    const label = escapeText(labels.toLabel(place))
    const href = escapeText(labels.toHref(place))
    const layer = isChosen ? chosenLinks : links
    layer.push(`<a href="${href}" tabindex="-1" aria-label="${label}">${element}</a>`)
  }
  const legend = recordsMax > 1 ? toLegend(labels.formatNumber(recordsMax)) : ''
  return (
    `<svg role="group" aria-label="${escapeText(labels.map)}" aria-describedby="map-summary" viewBox="${viewBox}">` +
    `<g class="places">${[...emptyShapes, ...links, ...chosenLinks].join('')}</g>` +
    `<path class="outline" d="${drawing.outline}"/></svg>${legend}`
  )
}

/** The shades from one record to `recordsMax`, which is a formatted number. */
function toLegend(recordsMax: string): string {
  const swatches = Array.from({ length: shadeCount }, (_, index) => `<span class="swatch shade-${index + 1}"></span>`)
  const content = `<span>1</span>${swatches.join('')}<span>${escapeText(recordsMax)}</span>`
  return `<p class="legend" aria-hidden="true">${content}</p>`
}

/**
 * The shade from 1 to `shadeCount`, or 0 without records. It is logarithmic: counts differ by orders of magnitude. If
 * `recordsMax` is 1, its logarithm is 0 and cannot divide: all places with records then have the last shade.
 */
function toShade(records: number, recordsMax: number): number {
  if (records === 0) return 0
  if (recordsMax === 1) return shadeCount
  return 1 + Math.round((Math.log(records) / Math.log(recordsMax)) * (shadeCount - 1))
}

/**
 * What the map shows, in the units of the shapes, as the attribute `viewBox`: left, top, width, height. Without shapes
 * in the extent, as in a registry of unknown municipalities, it shows all.
 */
function toViewBox({ shapes, isInExtent }: MapDrawing): string {
  const inExtent = shapes.filter(({ code }) => isInExtent(code))
  const box: Box = joinBoxes((inExtent.length > 0 ? inExtent : shapes).map((shape) => shape.box))
  const margin = Math.max(box.right - box.left, box.bottom - box.top) * marginFraction
  const numbers = [
    box.left - margin,
    box.top - margin,
    box.right - box.left + 2 * margin,
    box.bottom - box.top + 2 * margin,
  ]
  return numbers.map((number) => Math.round(number)).join(' ')
}

/** Escapes text for a quoted attribute or element content. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
