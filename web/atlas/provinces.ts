// Build time only: cuts the municipal boundaries of es-atlas (Instituto Geográfico Nacional) into one small planar
// file for each province, all on one grid, so that a page loads the provinces its registry covers and draws them
// without any projection of its own. `shapes.ts` reads what is written here.
import { readFileSync } from 'node:fs'
import { geoConicConformal } from 'd3-geo'
import { quantize } from 'topojson-client'
import { filter, presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { ProvinceFile } from './shapes.ts'

type Boundaries = Topology<{ municipalities: GeometryCollection }>
type Shape = GeometryCollection['geometries'][number]

/** One unit of the grid in metres: a pixel of a map of one province is about as wide. */
const gridMetres = 300
const earthRadiusMetres = 6_371_000
/** Corners flatter than this many square grid units are left out. */
const detailMin = 15
/** The Canary Islands lie 1,000 km away and are drawn nearer, as Spanish maps do. */
const canaryLatitudeMax = 30
const canaryShiftMetres: readonly [number, number] = [995_000, -640_000]

/** Province (the first two digits of an INE code) → its boundaries as JSON text. */
export function toProvinceFiles(): Map<string, string> {
  const source: Boundaries = JSON.parse(
    readFileSync(new URL(import.meta.resolve('es-atlas/es/municipalities.json')), 'utf8'),
  )
  const light = simplify(presimplify(toPlanar(source)), detailMin)
  const shapes = light.objects.municipalities.geometries
  const neighbour = toNeighbours(shapes)
  const provinces = Map.groupBy(shapes, (shape) => (isShared(shape) ? neighbour(shape) : toProvince(shape)))
  return new Map([...provinces].map(([province, group]) => [province, JSON.stringify(toProvinceFile(light, group))]))
}

/** Land that several municipalities share belongs to none of them; it is drawn with a province it lies beside. */
function isShared(shape: Shape): boolean {
  return Number(toProvince(shape)) > provinceMax
}

const provinceMax = 52

function toProvince(shape: Shape): string {
  return String(shape.id).slice(0, 2)
}

/** The province of a municipality that has a border with the shape. */
function toNeighbours(shapes: readonly Shape[]): (shape: Shape) => string {
  const provinceOf = new Map<number, string>()
  for (const shape of shapes) {
    if (isShared(shape)) continue
    for (const arc of toRings(shape).flat()) provinceOf.set(arc < 0 ? ~arc : arc, toProvince(shape))
  }
  return (shape) => {
    for (const arc of toRings(shape).flat()) {
      const province = provinceOf.get(arc < 0 ? ~arc : arc)
      if (province !== undefined) return province
    }
    throw new Error(`Cannot place ${shape.id} on the map: it touches no municipality`)
  }
}

function toPlanar(source: Boundaries): Boundaries {
  const { scale = [1, 1], translate = [0, 0] } = source.transform ?? {}
  const project = geoConicConformal()
    .parallels([37, 43])
    .rotate([3.5, 0])
    .center([0, 40])
    .scale(earthRadiusMetres / gridMetres)
    .translate([0, 0])
  const arcs = source.arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx = 0, dy = 0]) => {
      x += dx
      y += dy
      const latitude = y * scale[1] + translate[1]
      const [px = 0, py = 0] = project([x * scale[0] + translate[0], latitude]) ?? []
      if (latitude >= canaryLatitudeMax) return [px, py]
      return [px + canaryShiftMetres[0] / gridMetres, py + canaryShiftMetres[1] / gridMetres]
    })
  })
  return { type: 'Topology', objects: { municipalities: source.objects.municipalities }, arcs }
}

function toProvinceFile(topology: Boundaries, geometries: Shape[]): ProvinceFile {
  const pruned = filter(
    { ...topology, objects: { municipalities: { type: 'GeometryCollection', geometries } } },
    () => true,
  )
  const { arcs, objects } = quantize(pruned, { scale: [1, 1], translate: [0, 0] })
  const shapes = objects.municipalities.type === 'GeometryCollection' ? objects.municipalities.geometries : []
  return {
    arcs: arcs.map((arc) => arc.flat()),
    shapes: Object.fromEntries(shapes.map((shape) => [String(shape.id), toRings(shape)])),
  }
}

/** Holes and islands alike are rings: the page fills by the even-odd rule. */
function toRings(shape: Shape): number[][] {
  if (shape.type === 'Polygon') return shape.arcs
  if (shape.type === 'MultiPolygon') return shape.arcs.flat()
  return []
}
