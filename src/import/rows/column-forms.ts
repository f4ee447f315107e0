// Determines where each column of a record, such as `title`, is read from. layout.ts uses it.
import { type Column, columns, recognisedHeadings, requiredColumns } from './columns.ts'
import type { HeadingIndex } from './heading-index.ts'
import { headingsOf, type Mapping, type ValueForm } from './mapping.ts'

/** A column that is read from a heading with another name, although the mapping does not name the column. */
export interface RecognisedColumn {
  readonly column: Column
  readonly heading: string
  readonly form: ValueForm
}

/** Where each column is read from, given the headings so far. It is made anew when a heading is added. */
export interface ColumnForms {
  /** A heading, a constant, joined headings … A column without a form is missing. */
  readonly forms: ReadonlyMap<Column, ValueForm>
  /** The index of the heading of each column whose value is simply the cell under it. */
  readonly indexes: ReadonlyMap<Column, number>
  readonly recognised: readonly RecognisedColumn[]
  /** Indexes of the headings that a column is read from. */
  readonly usedIndexes: ReadonlySet<number>
  /** The columns that the source needs and does not have: the required ones, and an id that the mapping names. */
  readonly missing: readonly Column[]
  /** The first column that has two headings of its name. Nothing tells which of the two has the right value. */
  readonly repeated: { readonly column: Column; readonly first: string; readonly last: string } | undefined
}

/**
 * `fixed` are recognised headings that rows were read from already: their columns are read from them even if a later
 * heading has the name of the column.
 */
export function resolveColumns(
  headings: HeadingIndex,
  mapping: Mapping,
  fixed: readonly RecognisedColumn[] = [],
): ColumnForms {
  const forms = new Map<Column, ValueForm>()
  const indexes = new Map<Column, number>()
  const recognised: RecognisedColumn[] = []
  const usedIndexes = new Set<number>()
  let repeated: ColumnForms['repeated']

  const assign = (column: Column, form: ValueForm): void => {
    forms.set(column, form)
    for (const heading of headingsOf(form)) {
      const index = headings.find(heading)
      if (index === undefined) continue
      usedIndexes.add(index)
      if (form.kind === 'heading' && form.else === undefined) indexes.set(column, index)
    }
  }
  const assignRecognised = (found: RecognisedColumn): void => {
    recognised.push(found)
    assign(found.column, found.form)
  }
  const noteRepeated = (column: Column, form: ValueForm): void => {
    for (const name of headingsOf(form)) {
      const found = headings.findRepeated(name)
      if (found !== undefined) repeated ??= { column, first: found[0], last: found[1] }
    }
  }
  const hasPartsOfCode = (): boolean => forms.has('prefix') && forms.has('registration_number')

  // A source without headings has no columns, not even constants.
  if (!headings.isEmpty) {
    for (const column of columns) {
      const form = mapping.get(column) ?? toOwnForm(column, headings)
      if (fixed.some((each) => each.column === column) || !isReadable(form, headings)) continue
      noteRepeated(column, form)
      assign(column, form)
    }
    // Determined before headings are recognised: a recognised `registration_number` is a guess, and no part of a code.
    const needsNoCode = hasPartsOfCode()
    for (const found of fixed) assignRecognised(found)
    for (const [column, headingKeys] of recognisedHeadings) {
      if (forms.has(column) || mapping.has(column) || (column === 'code' && needsNoCode)) continue
      const index = headingKeys
        .map((key) => headings.findByKey(key))
        .find((each) => each !== undefined && !usedIndexes.has(each))
      const heading = headings.headings[index ?? -1]
      if (heading === undefined) continue
      const form: ValueForm = { kind: 'heading', heading }
      // If the heading of an optional column is repeated, the first is read: a mere guess does not stop the import.
      if (requiredColumns.includes(column)) noteRepeated(column, form)
      assignRecognised({ column, heading, form })
    }
  }
  const needed = mapping.has('id') ? [...requiredColumns, 'id' as const] : requiredColumns
  const missing = needed.filter((column) => !forms.has(column) && !(column === 'code' && hasPartsOfCode()))
  return { forms, indexes, recognised, usedIndexes, missing, repeated }
}

/**
 * Returns the form that reads a column from the heading with its name. In GeoJSON, the id is read from `properties.id`
 * or, in a row where that is empty, from `id`.
 */
function toOwnForm(column: Column, headings: HeadingIndex): ValueForm {
  const own: ValueForm = { kind: 'heading', heading: column }
  const wrappedId = column === 'id' ? headings.findWrapped('id') : undefined
  return wrappedId === undefined ? own : { kind: 'heading', heading: wrappedId, else: own }
}

/** Whether the source has at least one of the headings that the form reads, or the form is a constant. */
function isReadable(form: ValueForm, headings: HeadingIndex): boolean {
  if (form.else !== undefined && isReadable(form.else, headings)) return true
  return form.kind === 'value' || headingsOf(form).some((heading) => headings.find(heading) !== undefined)
}
