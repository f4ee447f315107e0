// The headings of one source and the column that each of them holds. Sources add headings; normalise.ts looks up
// columns.
import { nearestWords } from '../../analysis/nearest.ts'
import { SourceFault } from '../source-fault.ts'
import { type Column, columns, foldHeading, requiredColumns } from './columns.ts'
import type { Mapping } from './mapping.ts'
import { toQuoted } from './quote.ts'

/** A file that only looks like a table may have any number of headings of any length. */
const headingsMax = 10_000
/** Headings compared with the name of a missing column, and characters of each. */
const candidatesMax = 200
const candidateCharactersMax = 64
/** Headings listed in a message. */
const listedMax = 12

export class Layout {
  readonly headings: string[] = []
  readonly #source: string
  readonly #mapping: Mapping
  /** A mapping may give several columns the same heading: some registries have no id except the code. */
  readonly #columnsByHeading: ReadonlyMap<string, readonly Column[]>
  /** Only for sources of objects, whose keys are added with `addKey`. */
  readonly #indexByKey = new Map<string, number>()
  readonly #indexByColumn: Partial<Record<Column, number>> = {}
  /** Indexes of the headings that a column is read from. */
  readonly #used = new Set<number>()

  constructor(source: string, mapping: Mapping) {
    this.#source = source
    this.#mapping = mapping
    this.#columnsByHeading = Map.groupBy(columns, (column) => foldHeading(mapping.get(column) ?? column))
  }

  /** Returns the index of a JSON key. A new key becomes a new heading. */
  addKey(key: string): number {
    const known = this.#indexByKey.get(key)
    if (known !== undefined) return known
    const index = this.append(key)
    this.#indexByKey.set(key, index)
    return index
  }

  /** Adds the next heading of a table and returns its index. Headings that no column is read from may be repeated. */
  append(heading: string): number {
    const index = this.headings.push(heading) - 1
    if (index >= headingsMax) {
      throw new SourceFault(`Cannot read ${this.#source}: it has more than ${headingsMax} headings`)
    }
    for (const column of this.#columnsByHeading.get(foldHeading(heading)) ?? []) {
      const earlier = this.#indexByColumn[column]
      if (earlier !== undefined) {
        const both = `headings ${toQuoted(this.headings[earlier] ?? '')} and ${toQuoted(heading)}`
        throw new SourceFault(`Cannot read ${this.#source}: ${both} both mean ${column}; rename or remove one`)
      }
      this.#indexByColumn[column] = index
      this.#used.add(index)
    }
    return index
  }

  /** Whether a column is read from a heading like this one. */
  isKnown(heading: string): boolean {
    return this.#columnsByHeading.has(foldHeading(heading))
  }

  /** Returns the index of the heading that a column is read from. */
  indexOf(column: Column): number | undefined {
    return this.#indexByColumn[column]
  }

  /** Whether a column is read from the heading with this index. */
  isUsed(index: number): boolean {
    return this.#used.has(index)
  }

  /** Headings that no column is read from. */
  unused(): string[] {
    return this.headings.filter((heading, index) => !this.#used.has(index) && heading.trim() !== '')
  }

  /** Throws a `SourceFault` that names the nearest heading if a required column is missing. */
  requireColumns(): void {
    const hasPartsOfCode = this.indexOf('prefix') !== undefined && this.indexOf('registration_number') !== undefined
    for (const column of requiredColumns) {
      const isPresent = this.indexOf(column) !== undefined || (column === 'code' && hasPartsOfCode)
      if (!isPresent) throw new SourceFault(`Cannot read ${this.#source}: ${this.#describeMissing(column)}`)
    }
  }

  #describeMissing(column: Column): string {
    const mapped = this.#mapping.get(column)
    if (this.#used.size === 0) {
      const found = this.headings.filter((heading) => heading.trim() !== '').slice(0, listedMax)
      return (
        `none of its headings is known: ${found.map(toQuoted).join(', ')}; ` +
        `put the column names (${requiredColumns.join(', ')}) in its first line, or map its headings with --mapping`
      )
    }
    const alternative = column === 'code' ? ' (or prefix and registration_number)' : ''
    const missing =
      mapped === undefined ? `column ${column}${alternative}` : `column ${column}, mapped to ${toQuoted(mapped)},`
    const heading = this.#nearestUnused(mapped ?? column)
    if (heading === undefined) return `${missing} is missing; add it`
    return `${missing} is missing; the nearest heading is ${toQuoted(heading)}: rename it, or map it with --mapping`
  }

  #nearestUnused(name: string): string | undefined {
    const candidates = this.unused().slice(0, candidatesMax)
    const headingByFolded = new Map(
      candidates.map((heading) => [foldHeading(heading).slice(0, candidateCharactersMax), heading]),
    )
    const [nearest] = nearestWords(foldHeading(name), [...headingByFolded.keys()])
    return nearest === undefined ? undefined : headingByFolded.get(nearest)
  }
}
