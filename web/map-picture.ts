// Draws the map in the browser. The first map usually comes with the page, so this code is loaded only for the map of a
// later search, or if the server could not draw the first one.
import { provinces, provinceUrls } from 'virtual:atlas'
import { type AtlasFile, toOutline, toShapes } from './atlas/shapes.ts'
import type { MapCounts } from './map-counts.ts'
import type { MapLabels } from './map-labels.ts'
import { toMapHtml } from './map-svg.ts'

/**
 * The HTML of the map. A map of provinces shows the smallest part of Spain that contains all `registryProvinces`, which
 * are the INE codes of the provinces that have records. Rejects if the boundaries do not exist or cannot be loaded.
 */
export async function drawMap(
  counts: MapCounts,
  registryProvinces: readonly string[],
  labels: MapLabels,
  signal: AbortSignal,
): Promise<string> {
  if (counts.province === null) {
    const isInExtent = (code: string): boolean => registryProvinces.includes(code)
    return toMapHtml(counts, { shapes: toShapes(provinces), outline: '', isInExtent }, labels)
  }
  const file = await readProvince(counts.province, signal)
  return toMapHtml(counts, { shapes: toShapes(file), outline: toOutline(file), isInExtent: () => true }, labels)
}

/** The boundaries of municipalities that have been loaded, by the INE code of the province. */
const files = new Map<string, AtlasFile>()

async function readProvince(province: string, signal: AbortSignal): Promise<AtlasFile> {
  const cached = files.get(province)
  if (cached !== undefined) return cached
  const url = provinceUrls[province]
  if (url === undefined) throw new Error(`Cannot draw the map: the atlas has no province ${province}`)
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`Cannot load ${url}: status ${response.status}`)
  const file: AtlasFile = await response.json()
  files.set(province, file)
  return file
}
