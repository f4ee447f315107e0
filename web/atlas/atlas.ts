// Draws the boundaries of the npm package es-atlas (source: Instituto Geográfico Nacional) as SVG files: a map of the
// provinces, and a map of the municipalities of each province. Pages refer to the shapes in them (`<use>`). The build
// writes the files, and replaces this module by `maps` (vite.config.ts).
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type GeoPath, geoConicConformal, geoPath } from 'd3-geo'
import { feature, mesh, neighbors } from 'topojson-client'
import { presimplify, simplify, sphericalTriangleArea } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Left, top, right and bottom. */
type Box = readonly [left: number, top: number, right: number, bottom: number]

/** A file with a path for each shape, whose id is `p` and its INE code; all of them are in the group `all`. */
export interface AtlasMap {
  /** Relative to the base URL. The name has a hash of the content. */
  readonly href: string
  /** What its shapes cover, by INE code. A map of municipalities has one box for all. */
  readonly boxes: Readonly<Record<string, Box>>
}

interface DrawnMap extends AtlasMap {
  readonly svg: string
}

interface Shape {
  /** The INE code of the municipality or the province. */
  readonly code: string
  /** The `d` attribute of an SVG path. */
  readonly path: string
  readonly box: Box
}

/** TopoJSON: shapes refer to arcs, which are lines that adjacent shapes share. */
type Boundaries = Topology<{ places: GeometryCollection }>
type Geometry = GeometryCollection['geometries'][number]

interface Scale {
  /** A unit of the map in metres. */
  readonly unit: number
  /**
   * Simplification (Visvalingam) removes a point if the triangle it forms with its two neighbours has a smaller area
   * than this, in square metres: some pixels.
   */
  readonly triangleMin: number
}

/** A pixel is about 300 m on a map of one province, and about 3 km on the map of Spain. */
const municipalScale: Scale = { unit: 300, triangleMin: 1.35e6 }
const provincialScale: Scale = { unit: 1000, triangleMin: 27e6 }
const earthRadiusMetres = 6_371_000
/** The Canary Islands, 1,000 km away, are moved closer on the map of Spain, as on most: to the right and up. */
const canaryProvinces = ['35', '38']
const canaryShiftMetres: readonly [x: number, y: number] = [995_000, -640_000]

/** Draws shapes with a conic projection around the centre of the peninsula, true to scale at 37° N and 43° N. */
function toPath({ unit }: Scale, [x, y]: readonly [x: number, y: number] = [0, 0]): GeoPath {
  const projection = geoConicConformal()
    .parallels([37, 43])
    .rotate([3.5, 0])
    .center([0, 40])
    .scale(earthRadiusMetres / unit)
    .translate([x / unit, y / unit])
    // No points are added to curved lines.
    .precision(0)
  return geoPath(projection).digits(0)
}

/** The boundaries of es-atlas without the points that a map with this limit does not need. */
function readBoundaries(name: 'municipalities' | 'provinces', { triangleMin }: Scale): Boundaries {
  const path = new URL(import.meta.resolve(`es-atlas/es/${name}.json`))
  const { objects, ...rest }: Topology<Record<string, GeometryCollection>> = JSON.parse(readFileSync(path, 'utf8'))
  const places = objects[name]
  if (places === undefined) throw new Error(`Cannot read ${path}: it has no ${name}`)
  const areaMin = triangleMin / earthRadiusMetres ** 2
  return simplify(presimplify({ ...rest, objects: { places } }, sphericalTriangleArea), areaMin)
}

function draw(topology: Boundaries, geometries: Geometry[], toShapePath: (geometry: Geometry) => GeoPath): Shape[] {
  return geometries.map((geometry) => {
    const path = toShapePath(geometry)
    const shape = feature(topology, geometry)
    const [[left, top], [right, bottom]] = path.bounds(shape)
    const box = [left, top, right, bottom].map(Math.round) as [number, number, number, number]
    return { code: String(geometry.id), path: path(shape) ?? '', box }
  })
}

/** Provinces have the numbers 1 to 52. */
function toProvince({ id }: Geometry): string | null {
  const province = String(id).slice(0, 2)
  return Number(province) <= 52 ? province : null
}

function drawProvinces(): DrawnMap {
  const topology = readBoundaries('provinces', provincialScale)
  const path = toPath(provincialScale)
  const canaryPath = toPath(provincialScale, canaryShiftMetres)
  const geometries = topology.objects.places.geometries.filter((shape) => toProvince(shape) !== null)
  const isCanary = (shape: Geometry): boolean => canaryProvinces.includes(toProvince(shape) ?? '')
  const shapes = draw(topology, geometries, (shape) => (isCanary(shape) ? canaryPath : path))
  return toDrawnMap('provinces', shapes, '', Object.fromEntries(shapes.map(({ code, box }) => [code, box])))
}

/**
 * By province. Two kinds of shapes belong to none: land that several municipalities share, whose codes begin with 53,
 * and Gibraltar, whose code begins with 54. They are drawn with the province of an adjacent municipality.
 */
function drawMunicipalities(): [province: string, map: DrawnMap][] {
  const topology = readBoundaries('municipalities', municipalScale)
  const { geometries } = topology.objects.places
  const adjacent = neighbors(geometries)
  const byProvince = Map.groupBy(geometries, (shape) => {
    const own = toProvince(shape)
    if (own !== null) return own
    const nearby = adjacent[geometries.indexOf(shape)] ?? []
    return nearby.map((index) => toProvince(geometries[index] as Geometry)).find((province) => province !== null) ?? ''
  })
  const path = toPath(municipalScale)
  return [...byProvince].map(([province, group]) => {
    const shapes = draw(topology, group, () => path)
    // An arc of one shape alone is on the outer border.
    const border = mesh(topology, { type: 'GeometryCollection', geometries: group }, (a, b) => a === b)
    return [
      province,
      toDrawnMap(province, shapes, path(border) ?? '', { all: uniteBoxes(shapes.map(({ box }) => box)) }),
    ]
  })
}

function uniteBoxes(boxes: readonly Box[]): Box {
  const side = (index: 0 | 1 | 2 | 3, choose: (...values: number[]) => number): number =>
    choose(...boxes.map((box) => box[index]))
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
}

function toDrawnMap(name: string, shapes: readonly Shape[], outline: string, boxes: AtlasMap['boxes']): DrawnMap {
  // Presentation attributes that a page could not set, because shapes of another file do not inherit them.
  const attributes = 'fill-rule="evenodd" vector-effect="non-scaling-stroke"'
  const paths = shapes.map(({ code, path }) => `<path id="p${code}" ${attributes} d="${path}"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g id="all">${paths.join('')}</g><path id="outline" ${attributes} d="${outline}"/></svg>`
  return { href: `assets/map-${name}-${hash('sha256', svg, 'hex').slice(0, 10)}.svg`, boxes, svg }
}

/** By province (two digits), and `provinces` for the map of all provinces. */
export function drawMaps(): Record<string, DrawnMap> {
  return { provinces: drawProvinces(), ...Object.fromEntries(drawMunicipalities()) }
}

/** Empty until the build replaces this module. */
export const maps: Readonly<Record<string, AtlasMap>> = {}
