// Draws a map of the municipalities that have records, darker for more records, as an SVG file:
//
//   npx node examples/map.ts http://127.0.0.1:8080/registry map.svg
//
// The outlines come from the Instituto Geográfico Nacional (package es-atlas). They are joined with the municipalities
// of the registry on the INE code, which is the number of a municipality in the national list.
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { geoArea, geoConicConformal, geoPath } from 'd3-geo'
import type { FeatureCollection, Geometry, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { createClient } from '../src/client/client.ts'

const [base, file] = process.argv.slice(2)
if (base === undefined || file === undefined) {
  console.error('Usage: map.ts BASE_ADDRESS FILE.svg')
  process.exit(2)
}

const municipalities = await createClient(base).municipalities()
const located = municipalities.flatMap(({ ine_code, ...rest }) => (ine_code === null ? [] : [{ ...rest, ine_code }]))
const byCode = new Map(located.map((municipality) => [municipality.ine_code, municipality]))
const largestCount = Math.max(1, ...located.map(({ records }) => records))

const atlas = createRequire(import.meta.url).resolve('es-atlas/es/municipalities.json')
const topology = JSON.parse(await readFile(atlas, 'utf8')) as Topology<{ municipalities: GeometryCollection }>
const shapes: FeatureCollection = feature(topology, topology.objects.municipalities)
for (const shape of shapes.features) {
  const polygons = withoutSlivers(toPolygons(shape.geometry))
  // The provinces Las Palmas and Santa Cruz de Tenerife.
  const isCanary = /^(35|38)/.test(String(shape.id))
  shape.geometry = { type: 'MultiPolygon', coordinates: isCanary ? moveCloser(polygons) : polygons }
}

const width = 1200
const height = 900
// A conic projection with two standard parallels (37° and 43° N) and a central meridian (3° W) in Spain.
const toPath = geoPath(geoConicConformal().parallels([37, 43]).rotate([3, 0]).fitSize([width, height], shapes)).digits(
  1,
)
/** Outlines of the municipalities without records. */
const emptyOutlines: string[] = []
/** SVG elements of the municipalities with records. */
const markedPaths: string[] = []
for (const shape of shapes.features) {
  const outline = toPath(shape)
  if (outline === null) continue
  const municipality = byCode.get(String(shape.id))
  if (municipality === undefined) {
    emptyOutlines.push(outline)
    continue
  }
  const { name, records } = municipality
  // Counts differ by orders of magnitude, so the shade grows with their logarithm.
  const share = Math.log(records + 1) / Math.log(largestCount + 1)
  const label = `${name}: ${records} records`.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  markedPaths.push(
    `<path d="${outline}" fill-opacity="${(0.25 + 0.75 * share).toFixed(2)}"><title>${label}</title></path>`,
  )
}

await writeFile(
  file,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Records by municipality">
<path d="${emptyOutlines.join('')}" fill="#e8e4dc"/>
<g fill="#9a3412">
${markedPaths.join('\n')}
</g>
</svg>
`,
)
console.log(
  `Drew ${markedPaths.length} municipalities into ${file}; ${municipalities.length - markedPaths.length} have no outline`,
)

/**
 * Leaves out very thin outlines that the simplification of the atlas has reversed. d3 takes such an outline for the
 * rest of the globe, whose area is nearly 4π.
 */
function withoutSlivers(polygons: Position[][][]): Position[][][] {
  return polygons.filter((coordinates) => geoArea({ type: 'Polygon', coordinates }) < Math.PI)
}

/** Moves the Canary Islands closer to the mainland, as usual on maps of Spain. */
function moveCloser(polygons: Position[][][]): Position[][][] {
  /** How far the islands are moved, in degrees. */
  const [eastDegrees, northDegrees] = [4.5, 6.5]
  return polygons.map((rings) =>
    rings.map((ring) => ring.map(([east = 0, north = 0]) => [east + eastDegrees, north + northDegrees])),
  )
}

function toPolygons(geometry: Geometry): Position[][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}
