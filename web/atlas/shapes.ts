// Converts the files that provinces.ts makes at build time to SVG paths, on the server and in the browser.

/** The provinces of Spain, or the municipalities of one province. Coordinates are whole grid units (provinces.ts). */
export interface AtlasFile {
  /** Each arc is a flat list: x and y of the first point, then the differences of x and y from point to point. */
  readonly arcs: readonly (readonly number[])[]
  /** Maps an INE code to rings of arc indexes; `~n` is arc n reversed, as in TopoJSON. */
  readonly shapes: Readonly<Record<string, readonly (readonly number[])[]>>
}

export interface PlaceShape {
  /** The INE code of the municipality or the province. */
  readonly code: string
  /** The `d` attribute of an SVG path, to be filled by the even-odd rule. */
  readonly path: string
  readonly box: Box
}

/** In grid units; y grows downwards. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The shapes of the file as SVG paths. */
export function toShapes(file: AtlasFile): PlaceShape[] {
  const arcs = file.arcs.map(toPoints)
  return Object.entries(file.shapes).map(([code, rings]) => {
    const points = rings.map((ring) =>
      ring.flatMap((arc) => (arc < 0 ? [...(arcs[~arc] ?? [])].reverse() : (arcs[arc] ?? []))),
    )
    return { code, path: points.map(toPath).join(''), box: toBox(points.flat()) }
  })
}

/** The border around all shapes together, as an SVG path: the arcs that belong to only one shape. */
export function toOutline(file: AtlasFile): string {
  /** By arc, how many times shapes use it. */
  const usages = new Uint8Array(file.arcs.length)
  for (const arc of Object.values(file.shapes).flat(2)) {
    const index = toArcIndex(arc)
    usages[index] = (usages[index] ?? 0) + 1
  }
  return file.arcs
    .filter((_, index) => usages[index] === 1)
    .map((arc) => toLine(toPoints(arc)))
    .join('')
}

/** The index of an arc in a ring: both `n` and `~n`, which is arc n reversed, have the index n. */
export function toArcIndex(arc: number): number {
  return arc < 0 ? ~arc : arc
}

/** The smallest box that contains all boxes; infinite and inverted for no box. */
export function joinBoxes(boxes: readonly Box[]): Box {
  return {
    left: boxes.reduce((least, box) => Math.min(least, box.left), Number.POSITIVE_INFINITY),
    top: boxes.reduce((least, box) => Math.min(least, box.top), Number.POSITIVE_INFINITY),
    right: boxes.reduce((most, box) => Math.max(most, box.right), Number.NEGATIVE_INFINITY),
    bottom: boxes.reduce((most, box) => Math.max(most, box.bottom), Number.NEGATIVE_INFINITY),
  }
}

type Point = readonly [x: number, y: number]

/** The points of an arc of an `AtlasFile`: adds up the differences. */
function toPoints(arc: readonly number[]): Point[] {
  const points: Point[] = []
  let x = 0
  let y = 0
  for (let i = 0; i + 1 < arc.length; i += 2) {
    x += arc[i] ?? 0
    y += arc[i + 1] ?? 0
    points.push([x, y])
  }
  return points
}

/** An open SVG path through the points. */
function toLine(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${x},${y}`).join('L')}`
}

/** A closed SVG path; empty if simplification has left fewer than three points. */
function toPath(points: readonly Point[]): string {
  return points.length < 3 ? '' : `${toLine(points)}Z`
}

function toBox(points: readonly Point[]): Box {
  return joinBoxes(points.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y })))
}
