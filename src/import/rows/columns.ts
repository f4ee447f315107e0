// The columns an import knows and how the headings of a source are told apart: hyphens or underscores, any case, or
// whatever `--mapping` says. Sources add their headings to a `Layout`; normalise.ts asks it where a column stands.

import { nearestWords } from '../../analysis/nearest.ts'
import { UsageFault } from '../../cli/config.ts'
import { SourceFault, toQuoted } from './row-fault.ts'

export const columns = [
  'code',
  'prefix',
  'id',
  'registration_number',
  'title',
  'area',
  'checkin_date',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
  'content',
  'document',
] as const

export type Column = (typeof columns)[number]

/** Our column → the heading of the source that holds it. */
export type Mapping = ReadonlyMap<Column, string>

/** The headings of one source in their order; it grows where records name their own keys (JSON). */
export class Layout {
  readonly headings: string[] = []
  readonly #source: string
  readonly #mapping: Mapping
  /** One heading may be mapped to several columns: a registry may have no id but the code. */
  readonly #columnsOfHeading: ReadonlyMap<string, readonly Column[]>
  readonly #indexOfHeading = new Map<string, number>()
  /** An object rather than a map: it is asked for every cell of a million rows. */
  readonly #indexOfColumn: Partial<Record<Column, number>> = {}
  readonly #used = new Set<number>()

  constructor(source: string, mapping: Mapping) {
    this.#source = source
    this.#mapping = mapping
    this.#columnsOfHeading = Map.groupBy(columns, (column) => foldHeading(mapping.get(column) ?? column))
  }

  /** The index of the heading, which is added where it is new. */
  add(heading: string): number {
    const known = this.#indexOfHeading.get(heading)
    if (known !== undefined) return known
    const index = this.append(heading)
    this.#indexOfHeading.set(heading, index)
    return index
  }

  /** Adds a heading of a table, where two of the same name are two columns of cells. */
  append(heading: string): number {
    const index = this.headings.push(heading) - 1
    if (index >= headingsMax) throw new SourceFault(`Cannot read ${this.#source}: it has over ${headingsMax} headings`)
    for (const column of this.#columnsOfHeading.get(foldHeading(heading)) ?? []) {
      const earlier = this.#indexOfColumn[column]
      if (earlier !== undefined) {
        const both = `headings ${toQuoted(this.headings[earlier] ?? '')} and ${toQuoted(heading)}`
        throw new SourceFault(`Cannot read ${this.#source}: ${both} both mean ${column}; rename or remove one`)
      }
      this.#indexOfColumn[column] = index
      this.#used.add(index)
    }
    return index
  }

  /** Whether some column is read from a heading like this. */
  means(heading: string): boolean {
    return this.#columnsOfHeading.has(foldHeading(heading))
  }

  indexOf(column: Column): number | undefined {
    return this.#indexOfColumn[column]
  }

  isUsed(index: number): boolean {
    return this.#used.has(index)
  }

  /** Headings that no column is read from. */
  unused(): string[] {
    return this.headings.filter((heading, index) => !this.#used.has(index) && heading.trim() !== '')
  }

  /** Throws a `SourceFault` that names the nearest heading when a needed column is not there. */
  requireColumns(): void {
    for (const column of neededColumns) {
      const { [column]: index, prefix, registration_number: number } = this.#indexOfColumn
      if (index !== undefined || (column === 'code' && prefix !== undefined && number !== undefined)) continue
      throw new SourceFault(`Cannot read ${this.#source}: ${this.#describeMissing(column)}`)
    }
  }

  #describeMissing(column: Column): string {
    const mapped = this.#mapping.get(column)
    const instead = column === 'code' ? ' (or prefix and registration_number)' : ''
    const what =
      mapped === undefined ? `column ${column}${instead}` : `column ${column}, mapped to ${toQuoted(mapped)},`
    if (this.#used.size === 0) {
      const needed = neededColumns.join(', ')
      const got = this.headings.filter((heading) => heading.trim() !== '').slice(0, shownMax)
      return `none of its headings is known, which are ${got.map(toQuoted).join(', ')}; its first line must name the columns (${needed}), or --mapping says what its own are`
    }
    const candidates = this.unused().slice(0, candidatesMax)
    const folded = new Map(candidates.map((heading) => [foldHeading(heading).slice(0, headingCharactersMax), heading]))
    const [nearest] = nearestWords(foldHeading(mapped ?? column), [...folded.keys()])
    const heading = nearest === undefined ? undefined : folded.get(nearest)
    if (heading === undefined) return `${what} is missing; add it`
    return `${what} is missing; the nearest heading is ${toQuoted(heading)}: rename it, or name it with --mapping`
  }
}

const neededColumns = ['code', 'id', 'title', 'municipality', 'checkin_date'] as const satisfies Column[]

/** A source of bytes that only looks like a table may have any number of headings of any length. */
const headingsMax = 10_000
const candidatesMax = 200
const headingCharactersMax = 64
/** Of headings that are not known. */
const shownMax = 12

/** `Checkin-Date `, `checkin_date` and `CHECKIN DATE` are one heading. */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
}

/** The text of a `--mapping` file: a JSON object of our column → their heading. */
export function parseMapping(text: string, file: string): Mapping {
  const refuse = (why: string): UsageFault => new UsageFault(`Cannot read mapping ${file}: ${why}`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw refuse('it is not JSON; expected an object such as {"title": "Denominación"}')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw refuse('expected an object such as {"title": "Denominación"}')
  }
  const mapping = new Map<Column, string>()
  for (const [key, heading] of Object.entries(parsed)) {
    const column = columns.find((each) => each === foldHeading(key))
    if (column === undefined) {
      throw refuse(`${toQuoted(key)} is no column; did you mean ${nearestWords(foldHeading(key), columns)[0]}?`)
    }
    if (typeof heading !== 'string' || heading.trim() === '') {
      throw refuse(`${column}: expected the heading of the source as text, got ${toQuoted(String(heading))}`)
    }
    mapping.set(column, heading)
  }
  return mapping
}
