// Determines where each column of a record, such as `title`, is read from. layout.ts uses it.
import { type Column, columns, recognisedHeadings, requiredColumns } from './columns.ts'
import type { HeadingIndex } from './heading-index.ts'
import { headingsOf, type Mapping, type ValueForm } from './mapping.ts'

/** A column that is read from a heading with another name, although the mapping does not name the column. */
export interface RecognisedHeading {
  readonly column: Column
  readonly heading: string
}

interface RecognisedForm extends RecognisedHeading {
  readonly form: ValueForm
}

/** A column and two headings that both have its name. Nothing tells which of the two has the right value. */
export interface RepeatedHeading {
  readonly column: Column
  readonly first: string
  readonly last: string
}

/** Where each column is read from, given the headings so far. It is made anew when a heading is added. */
export class ColumnForms {
  /** A heading, a constant, joined headings … A column without a form is missing. */
  readonly forms: Map<Column, ValueForm> = new Map()
  /** The index of the heading of each column whose value is simply the cell under it. */
  readonly indexes: Map<Column, number> = new Map()
  readonly recognised: RecognisedForm[] = []
  /** Indexes of the headings that a column is read from. */
  readonly usedIndexes: Set<number> = new Set()
  /** The first repeated heading that a column would be read from. */
  repeated: RepeatedHeading | undefined
  readonly #headings: HeadingIndex
  readonly #mapping: Mapping

  /**
   * `fixed` are recognised headings that rows were read from already: their columns are read from them even if a later
   * heading has the name of the column.
   */
  constructor(headings: HeadingIndex, mapping: Mapping, fixed: readonly RecognisedForm[] = []) {
    this.#headings = headings
    this.#mapping = mapping
    // A source without headings has no columns, not even constants.
    if (headings.isEmpty) return
    this.#assignNamedColumns(fixed.map(({ column }) => column))
    // Determined before headings are recognised: a recognised `registration_number` is a guess, and no part of a code.
    const hasPartsOfCode = this.#hasPartsOfCode()
    for (const recognised of fixed) this.#assignRecognised(recognised)
    this.#assignRecognisedColumns(hasPartsOfCode)
  }

  /** Returns the columns that the source needs and does not have: the required ones, and an id that the mapping names. */
  missing(): Column[] {
    const needed = this.#mapping.has('id') ? [...requiredColumns, 'id' as const] : requiredColumns
    return needed.filter((column) => !this.forms.has(column) && !(column === 'code' && this.#hasPartsOfCode()))
  }

  /** Whether the code can be made of `prefix` and `registration_number`. */
  #hasPartsOfCode(): boolean {
    return this.forms.has('prefix') && this.forms.has('registration_number')
  }

  /**
   * Finds the columns, except `fixed`, that the mapping names. Any other column is found if a heading has the name of
   * the column.
   */
  #assignNamedColumns(fixed: readonly Column[]): void {
    for (const column of columns) {
      if (fixed.includes(column)) continue
      const form = this.#mapping.get(column) ?? this.#toOwnForm(column)
      if (!this.#isReadable(form)) continue
      this.#noteRepeated(column, form)
      this.#assign(column, form)
    }
  }

  /**
   * Returns the form that reads a column from the heading with its name. In GeoJSON, the id is read from
   * `properties.id` or, in a row where that is empty, from `id`.
   */
  #toOwnForm(column: Column): ValueForm {
    const own: ValueForm = { kind: 'heading', heading: column }
    const wrappedId = column === 'id' ? this.#headings.findWrapped('id') : undefined
    return wrappedId === undefined ? own : { kind: 'heading', heading: wrappedId, else: own }
  }

  /** Finds missing columns that the mapping does not name, by a recognised heading that no other column uses. */
  #assignRecognisedColumns(hasPartsOfCode: boolean): void {
    for (const [column, headingKeys] of recognisedHeadings) {
      if (this.forms.has(column) || this.#mapping.has(column)) continue
      if (column === 'code' && hasPartsOfCode) continue
      const index = headingKeys
        .map((key) => this.#headings.findByKey(key))
        .find((each) => each !== undefined && !this.usedIndexes.has(each))
      if (index === undefined) continue
      const heading = this.#headings.headings[index] ?? ''
      const form: ValueForm = { kind: 'heading', heading }
      // If the heading of an optional column is repeated, the first is read: a mere guess does not stop the import.
      if (requiredColumns.includes(column)) this.#noteRepeated(column, form)
      this.#assignRecognised({ column, heading, form })
    }
  }

  #assignRecognised(recognised: RecognisedForm): void {
    this.recognised.push(recognised)
    this.#assign(recognised.column, recognised.form)
  }

  /** Sets the form of the column, and marks the headings of the form as used. */
  #assign(column: Column, form: ValueForm): void {
    this.forms.set(column, form)
    for (const heading of headingsOf(form)) {
      const index = this.#headings.find(heading)
      if (index === undefined) continue
      this.usedIndexes.add(index)
      if (form.kind === 'heading' && form.else === undefined) this.indexes.set(column, index)
    }
  }

  /** Whether the source has at least one of the headings that the form reads, or the form is a constant. */
  #isReadable(form: ValueForm): boolean {
    if (form.else !== undefined && this.#isReadable(form.else)) return true
    return form.kind === 'value' || headingsOf(form).some((heading) => this.#headings.find(heading) !== undefined)
  }

  /** Sets `repeated` if the source repeats a heading of the form. */
  #noteRepeated(column: Column, form: ValueForm): void {
    for (const name of headingsOf(form)) {
      const repeated = this.#headings.findRepeated(name)
      if (repeated !== undefined) this.repeated ??= { column, first: repeated[0], last: repeated[1] }
    }
  }
}
