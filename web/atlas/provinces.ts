// Build step of atlas-plugin.ts: makes small JSON files from the boundaries in the npm package es-atlas (source:
// Instituto Geográfico Nacional). One file has all provinces, and each province has a file with its municipalities. All
// have coordinates on the same grid, so that the page needs no code for map projections. shapes.ts makes SVG paths
// from them.
import { readFileSync } from 'node:fs'
import { geoConicConformal } from 'd3-geo'
import { quantize } from 'topojson-client'
import { filter, presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type AtlasFile, toArcIndex } from './shapes.ts'

/** Places as TopoJSON: shapes refer to arcs, which are lines that adjacent shapes share. */
type Boundaries = Topology<{ places: GeometryCollection }>
type Shape = GeometryCollection['geometries'][number]

/** Size of a grid unit; about a pixel on a map of one province. */
const gridMetres = 300
const earthRadiusMetres = 6_371_000
/**
 * Simplification (Visvalingam) removes a point if the triangle it forms with its two neighbours has a smaller area than
 * this, in square grid units.
 */
const municipalTriangleMin = 15
/**
 * The same limit for the map of Spain, which needs fewer points: its scale is about a tenth of that of a province, so a
 * pixel is about 10 * 10 square grid units, and the limit about three pixels.
 */
const provincialTriangleMin = 300
/** The Canary Islands, 1,000 km away, are moved closer, as on most maps of Spain. Only they are south of 30° N. */
const canaryLatitudeMax = 30
/** To the right and, because y grows downwards, up. */
const canaryShiftMetres: readonly [x: number, y: number] = [995_000, -640_000]

/** Maps a province (the first two digits of an INE code) to its municipalities: an `AtlasFile` as JSON. */
export function toProvinceFiles(): Map<string, string> {
  const simplified = simplify(presimplify(toProjected(readAtlas('municipalities'))), municipalTriangleMin)
  const shapes = simplified.objects.places.geometries
  const findAdjacentProvince = toProvinceFinder(shapes)
  const byProvince = Map.groupBy(shapes, (shape) =>
    isInProvince(shape) ? toProvince(shape) : findAdjacentProvince(shape),
  )
  return new Map([...byProvince].map(([province, group]) => [province, JSON.stringify(toAtlasFile(simplified, group))]))
}

/** The outlines of the provinces, for a map of Spain: an `AtlasFile` as JSON. */
export function toCountryFile(): string {
  const simplified = simplify(presimplify(toProjected(readAtlas('provinces'))), provincialTriangleMin)
  const shapes = simplified.objects.places.geometries.filter(isInProvince)
  return JSON.stringify(toAtlasFile(simplified, shapes))
}

/** The boundaries of es-atlas, as it has them: longitudes and latitudes, encoded as differences. */
function readAtlas(name: 'municipalities' | 'provinces'): Boundaries {
  const path = new URL(import.meta.resolve(`es-atlas/es/${name}.json`))
  const { objects, ...topology }: Topology<Record<string, GeometryCollection>> = JSON.parse(readFileSync(path, 'utf8'))
  const places = objects[name]
  if (places === undefined) throw new Error(`Cannot read ${path}: it has no ${name}`)
  return { ...topology, objects: { places } }
}

/**
 * Whether the shape belongs to a province. Two kinds of shapes do not: land that several municipalities share, whose
 * codes begin with 53, and Gibraltar, whose code begins with 54. They are drawn on the map of an adjacent province, and
 * left out of the map of Spain.
 */
function isInProvince(shape: Shape): boolean {
  return Number(toProvince(shape)) <= provinceMax
}

/** Provinces have the numbers 1 to 52. */
const provinceMax = 52

/** The first two digits of the INE code of the shape: the number of its province, if it belongs to one. */
function toProvince(shape: Shape): string {
  return String(shape.id).slice(0, 2)
}

/** Returns a function that finds the province of a municipality adjacent to a shape, and throws if there is none. */
function toProvinceFinder(shapes: readonly Shape[]): (shape: Shape) => string {
  // Adjacent shapes have arcs in common, so an arc of the shape may lead to the province of an adjacent municipality.
  const provinceByArc = new Map<number, string>()
  for (const shape of shapes) {
    if (!isInProvince(shape)) continue
    for (const arc of toRings(shape).flat()) provinceByArc.set(toArcIndex(arc), toProvince(shape))
  }
  return (shape) => {
    for (const arc of toRings(shape).flat()) {
      const province = provinceByArc.get(toArcIndex(arc))
      if (province !== undefined) return province
    }
    throw new Error(`Cannot place ${shape.id} on the map: no municipality is adjacent to it`)
  }
}

/**
 * Projects the boundaries onto the grid: a conic projection around the centre of the peninsula (40° N, 3.5° W), true to
 * scale at 37° N and 43° N. An arc of the source is a list of differences from point to point, in units of
 * `source.transform`; an arc of the result is a list of points.
 */
function toProjected(source: Boundaries): Boundaries {
  const { scale = [1, 1], translate = [0, 0] } = source.transform ?? {}
  const project = geoConicConformal()
    .parallels([37, 43])
    .rotate([3.5, 0])
    .center([0, 40])
    .scale(earthRadiusMetres / gridMetres)
    .translate([0, 0])
  const arcs = source.arcs.map((arc) => {
    // The current point, in units of the source.
    let x = 0
    let y = 0
    return arc.map(([dx = 0, dy = 0]) => {
      x += dx
      y += dy
      const longitude = x * scale[0] + translate[0]
      const latitude = y * scale[1] + translate[1]
      const [gridX = 0, gridY = 0] = project([longitude, latitude]) ?? []
      if (latitude >= canaryLatitudeMax) return [gridX, gridY]
      return [gridX + canaryShiftMetres[0] / gridMetres, gridY + canaryShiftMetres[1] / gridMetres]
    })
  })
  return { type: 'Topology', objects: source.objects, arcs }
}

/** A file of these shapes, with only the arcs that they use, in whole grid units. */
function toAtlasFile(topology: Boundaries, geometries: Shape[]): AtlasFile {
  // `filter` keeps all shapes, and removes the arcs that none of them uses.
  const pruned = filter({ ...topology, objects: { places: { type: 'GeometryCollection', geometries } } }, () => true)
  // Rounds to whole units, and replaces the points of an arc by differences again.
  const { arcs, objects } = quantize(pruned, { scale: [1, 1], translate: [0, 0] })
  const shapes = objects.places.type === 'GeometryCollection' ? objects.places.geometries : []
  return {
    arcs: arcs.map((arc) => arc.flat()),
    shapes: Object.fromEntries(shapes.map((shape) => [String(shape.id), toRings(shape)])),
  }
}

/** The rings of a shape as lists of arc indexes. Holes are rings too: the page fills by the even-odd rule. */
function toRings(shape: Shape): number[][] {
  if (shape.type === 'Polygon') return shape.arcs
  if (shape.type === 'MultiPolygon') return shape.arcs.flat()
  return []
}
