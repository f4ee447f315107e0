// Draws the map on the server, from the atlas: boundaries that the build puts into the server's bundle
// (atlas/atlas-plugin.ts).
import { provinceFiles, provinces } from 'virtual:atlas-server'
import { type AtlasFile, toOutline, toShapes } from './atlas/shapes.ts'
import type { MapCounts } from './map-counts.ts'
import type { MapLabels } from './map-labels.ts'
import { type MapDrawing, toMapHtml } from './map-svg.ts'

/**
 * The HTML of the map; empty if the atlas does not have the province. A map of provinces shows the smallest part of
 * Spain that contains all `registryProvinces`, which are the INE codes of the provinces that have records.
 */
export function drawServerMap(counts: MapCounts, registryProvinces: readonly string[], labels: MapLabels): string {
  if (counts.province === null) {
    const isInExtent = (code: string): boolean => registryProvinces.includes(code)
    return toMapHtml(counts, { shapes: provinceShapes, outline: '', isInExtent }, labels)
  }
  const drawing = findDrawing(counts.province)
  return drawing === undefined ? '' : toMapHtml(counts, drawing, labels)
}

const provinceShapes = toShapes(provinces)

/** By the code of the province, the drawing of its municipalities, which is made when it is first needed. */
const drawings = new Map<string, MapDrawing>()

/** The drawing of the municipalities of the province; undefined if the atlas does not have the province. */
function findDrawing(province: string): MapDrawing | undefined {
  const text = provinceFiles[province]
  if (text === undefined) return undefined
  const cached = drawings.get(province)
  if (cached !== undefined) return cached
  const file: AtlasFile = JSON.parse(text)
  const drawing = { shapes: toShapes(file), outline: toOutline(file), isInExtent: () => true }
  drawings.set(province, drawing)
  return drawing
}
