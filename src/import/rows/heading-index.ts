// The headings of one source. layout.ts finds a heading by a name that need not be spelled in the same way:
// - `find` is for names of the mapping and of our columns. It ignores case, spaces and hyphens: `checkin_date` finds
//   `CHECKIN DATE`.
// - `findByKey` is for headings that Spanish offices use. It also ignores accents, stop words and camel case:
//   `n_expediente` finds `Nº de Expediente`.
// - `findObjectKey` is for keys of JSON objects and database rows. It finds the exact spelling only.
import { foldHeading, toHeadingKey, withoutWrapper } from './columns.ts'

/** No longer heading is found. A file that only looks like a table may have headings of any length. */
const headingCharactersMax = 1000

export class HeadingIndex {
  /** In the order of the source. Each cell of a row has the index of its heading. */
  readonly headings: string[] = []
  readonly #byObjectKey = new Map<string, number>()
  /** Index of the first heading with a folded name (`foldHeading`). */
  readonly #byFolded = new Map<string, number>()
  /** Index of the last heading with a folded name; only for names that occur more than once. */
  readonly #lastByRepeated = new Map<string, number>()
  /**
   * Index of the first heading with a heading key (`toHeadingKey`). In GeoJSON, which wraps the fields of a record
   * (`properties.id`), of the last wrapped one.
   */
  readonly #byHeadingKey = new Map<string, number>()
  /** Results of `find`, cleared when a heading is added. Undefined for a heading that is missing. */
  readonly #foundByName = new Map<string, number | undefined>()

  /** Whether no heading can be found: there is none, or all are blank or too long. */
  get isEmpty(): boolean {
    return this.#byFolded.size === 0
  }

  /** Whether the headings are keys of JSON objects or database rows. */
  get hasObjectKeys(): boolean {
    return this.#byObjectKey.size > 0
  }

  /** Adds the next heading, which may be blank or repeated, and returns its index. */
  append(heading: string): number {
    const index = this.headings.push(heading) - 1
    if (heading.trim() === '' || heading.length > headingCharactersMax) return index
    const folded = foldHeading(heading)
    if (this.#byFolded.has(folded)) this.#lastByRepeated.set(folded, index)
    else this.#byFolded.set(folded, index)
    const headingKey = toHeadingKey(heading)
    const isWrapped = withoutWrapper(heading) !== heading
    // A GeoJSON file may have both `properties.id`, a field of the record, and `id`, which the portal has added.
    if (!this.#byHeadingKey.has(headingKey) || isWrapped) this.#byHeadingKey.set(headingKey, index)
    this.#foundByName.clear()
    return index
  }

  /** Makes `findObjectKey` find the heading with this index by the key. */
  setObjectKey(key: string, index: number): void {
    this.#byObjectKey.set(key, index)
  }

  findObjectKey(key: string): number | undefined {
    return this.#byObjectKey.get(key)
  }

  /** Returns the index of the heading with this name. `EXP_ID` also finds `properties.EXP_ID`. */
  find(name: string): number | undefined {
    const cached = this.#foundByName.get(name)
    if (cached !== undefined || this.#foundByName.has(name)) return cached
    const index = this.#byFolded.get(foldHeading(name)) ?? this.#findWithoutWrapper(name)
    this.#foundByName.set(name, index)
    return index
  }

  /** Returns `properties.id` for `id`; undefined if the source has no such heading. */
  findWrapped(name: string): string | undefined {
    const heading = this.headings[this.#findWithoutWrapper(name) ?? -1]
    return heading === undefined || withoutWrapper(heading) === heading ? undefined : heading
  }

  findByKey(headingKey: string): number | undefined {
    return this.#byHeadingKey.get(headingKey)
  }

  /** Returns the first and the last of several headings with this name; undefined if it is not repeated. */
  findRepeated(name: string): readonly [first: string, last: string] | undefined {
    const folded = foldHeading(name)
    const lastIndex = this.#lastByRepeated.get(folded)
    if (lastIndex === undefined) return undefined
    return [this.headings[this.#byFolded.get(folded) ?? 0] ?? '', this.headings[lastIndex] ?? '']
  }

  /** Returns the index of the heading `id` or `properties.id` for the name `id`. */
  #findWithoutWrapper(name: string): number | undefined {
    const index = this.#byHeadingKey.get(toHeadingKey(name))
    const heading = index === undefined ? undefined : this.headings[index]
    // Different headings can have the same heading key, such as `Nº expediente` and `N_EXPEDIENTE`.
    const isSame = heading !== undefined && foldHeading(withoutWrapper(heading)) === foldHeading(name)
    return isSame ? index : undefined
  }
}
