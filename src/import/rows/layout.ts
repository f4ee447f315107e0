// Where each column of a record, such as `title`, is read from in one source. A column in the mapping (`--mapping`) is
// read as the mapping says. Any other column is read from the heading with its name, or else from a heading that
// Spanish offices use for it, such as `Denominación` (column-forms.ts). The parsers in sources/ add the headings, and
// normalise.ts reads the columns.
import { withoutFormulaApostrophe } from '../../csv.ts'
import { isInscriptionCode } from '../../domain/inscription-code.ts'
import { t } from '../../language.ts'
import { MissingColumns, SourceFault } from '../source-fault.ts'
import { type ColumnForms, type RecognisedColumn, resolveColumns } from './column-forms.ts'
import { type Column, identifierColumns, toHeadingKey } from './columns.ts'
import { HeadingIndex } from './heading-index.ts'
import { headingsOf, type Mapping, readForm, toFormJson, type ValueForm, wholeHeadingsOf } from './mapping.ts'
import { describeMissing } from './missing-columns.ts'
import { toQuoted } from './quote.ts'
import { areHeadingsOfOurCsv } from './rejects-headings.ts'

/** A file that only looks like a table may have any number of headings. */
const headingsMax = 10_000

export interface LayoutOptions {
  readonly mapping: Mapping
  /** Whether a text is a code of the registry; by default, whether it is `<prefix>-<number>`. */
  readonly isCode?: ((text: string) => boolean) | undefined
  /** If true, `requireColumns` accepts missing columns: `--inspect` also shows sources that lack some. */
  readonly mayLackColumns?: boolean
}

export class Layout {
  /** What the source decided by itself, such as lines that were skipped; one sentence each, for the report. */
  readonly notes: string[] = []
  /** What the user should check, such as a sheet that was not read; for the report too. */
  readonly warnings: string[] = []
  /** The character between cells, which the rejects file uses too; a comma for sources other than CSV. */
  separator = ','
  /** Whether messages say `record 812` instead of `line 812`, because records are not on lines of their own. */
  countsRecords = false
  readonly isCode: (text: string) => boolean
  /** Name of the source, for messages. */
  readonly #source: string
  readonly #options: LayoutOptions
  readonly #headingIndex = new HeadingIndex()
  /** Of the headings that the office's own columns are read from. */
  readonly #ownIndexes = new Set<number>()
  /** Made of the first `#resolvedCount` headings; read it through `#columns`. */
  #resolvedColumns: ColumnForms
  #resolvedCount = 0
  /**
   * Whether cells that look like formulas begin with an apostrophe: `'=1+1`. They do if the source is a CSV file that
   * this program has written, such as a rejects file (`areHeadingsOfOurCsv`).
   */
  #hasApostrophes = false
  /**
   * Set by `requireColumns`, before rows are passed on. Later objects of a JSON file may add headings; recognised
   * columns then keep the headings that the rows so far were read from.
   */
  #isFixed = false

  constructor(source: string, options: LayoutOptions) {
    this.#source = source
    this.#options = options
    this.isCode = options.isCode ?? isInscriptionCode
    this.#resolvedColumns = resolveColumns(this.#headingIndex, options.mapping)
  }

  /** In the order of the source. Each cell of a row has the index of its heading. */
  get headings(): readonly string[] {
    return this.#headingIndex.headings
  }

  /** Number of the headings without blank ones at the end. */
  get namedCount(): number {
    return this.headings.findLastIndex((heading) => heading.trim() !== '') + 1
  }

  /**
   * Returns a layout without headings for the same source and options, in which a row or the keys of an object can be
   * tried as headings.
   */
  toEmpty(): Layout {
    return new Layout(this.#source, this.#options)
  }

  /** Returns the index of a key of a JSON object or database row. A new key becomes a new heading. */
  addKey(key: string): number {
    const known = this.#headingIndex.findObjectKey(key)
    if (known !== undefined) return known
    const index = this.append(key)
    this.#headingIndex.setObjectKey(key, index)
    return index
  }

  /**
   * Adds the next heading of a table and returns its index. A repeated heading is accepted here; `requireColumns`
   * refuses it later if a column is read from it.
   */
  append(heading: string): number {
    const index = this.#headingIndex.append(heading)
    if (index < headingsMax) return index
    throw new SourceFault(t`Cannot read ${this.#source}: it has more than ${headingsMax} headings`)
  }

  /** Counts the columns read from headings, not constants. The parsers use it to tell whether a row is the headings. */
  countColumns(): number {
    return [...this.#columns.forms.values()].filter((form) => form.kind !== 'value').length
  }

  hasColumn(column: Column): boolean {
    return this.#columns.forms.has(column)
  }

  /**
   * Returns the index of the heading that a column is read from. Returns undefined if the column is missing, or if its
   * value is not simply the cell under one heading: a constant, joined or rewritten cells, or a form with an `else`.
   */
  indexOf(column: Column): number | undefined {
    return this.#columns.indexes.get(column)
  }

  /** Returns the value of a column in a row; empty if the row or the whole source does not have it. */
  read(column: Column, cells: readonly (string | undefined)[]): string {
    const { forms, indexes } = this.#columns
    const index = this.#hasApostrophes ? undefined : indexes.get(column)
    if (index !== undefined) return cells[index] ?? ''
    const form = forms.get(column)
    return form === undefined ? '' : this.#readForm(form, cells, (heading) => this.#headingIndex.find(heading))
  }

  /** Returns the value of one of the office's own columns in a row. */
  readOwn(form: ValueForm, cells: readonly (string | undefined)[]): string {
    return this.#readForm(form, cells, (heading) => this.find(heading))
  }

  #readForm(
    form: ValueForm,
    cells: readonly (string | undefined)[],
    find: (heading: string) => number | undefined,
  ): string {
    return readForm(form, (heading) => {
      const cell = cells[find(heading) ?? -1] ?? ''
      return this.#hasApostrophes ? withoutFormulaApostrophe(cell) : cell
    })
  }

  /** Marks the headings that the office's own columns are read from as used. */
  useOwn(forms: readonly ValueForm[]): void {
    for (const heading of forms.flatMap(headingsOf)) {
      const index = this.find(heading)
      if (index !== undefined) this.#ownIndexes.add(index)
    }
  }

  /** Returns the index of the heading of this name, which need not be spelled in the same way. */
  find(name: string): number | undefined {
    return this.#headingIndex.find(name) ?? this.#headingIndex.findByKey(toHeadingKey(name))
  }

  /** Whether the column is read from the heading with this index. */
  readsFrom(column: Column, index: number): boolean {
    const form = this.#columns.forms.get(column)
    return form !== undefined && headingsOf(form).some((heading) => this.#headingIndex.find(heading) === index)
  }

  /** Like `readsFrom`, but only if the cell may be the whole value: it is neither joined nor rewritten. */
  readsWhole(column: Column, index: number): boolean {
    const form = this.#columns.forms.get(column)
    return form !== undefined && wholeHeadingsOf(form).some((heading) => this.#headingIndex.find(heading) === index)
  }

  /** Whether the value under the heading is one that identifies a record, or a part of it unless `asWhole` is set. */
  identifies(index: number, { asWhole = false }: { readonly asWhole?: boolean } = {}): boolean {
    return identifierColumns.some((column) =>
      asWhole ? this.readsWhole(column, index) : this.readsFrom(column, index),
    )
  }

  /** Returns where a column is read from, as a mapping file has it; undefined if the column is missing. */
  toMappingJson(column: Column): unknown {
    const form = this.#columns.forms.get(column)
    return form === undefined ? undefined : toFormJson(form)
  }

  /** Whether any column is read from the heading with this index. */
  isUsed(index: number): boolean {
    return this.#columns.usedIndexes.has(index) || this.#ownIndexes.has(index)
  }

  /** Headings, except blank ones, that no column is read from. */
  unused(): string[] {
    return this.headings.filter((heading, index) => !this.isUsed(index) && heading.trim() !== '')
  }

  /** Headings that were recognised without a mapping. */
  recognised(): readonly RecognisedColumn[] {
    return this.#columns.recognised
  }

  /** Headings that the mapping names for the column, but that the source does not have. */
  missingMapped(column: Column): readonly string[] {
    const form = this.#options.mapping.get(column)
    return form === undefined
      ? []
      : headingsOf(form).filter((heading) => this.#headingIndex.find(heading) === undefined)
  }

  /**
   * Throws a `SourceFault` if a column would be read from a repeated heading or, unless `mayLackColumns` is set, if a
   * required column is missing.
   */
  requireColumns(): void {
    const missing = this.missingColumns()
    this.#isFixed = true
    this.#refuseRepeated()
    if (this.#options.mayLackColumns === true || missing.length === 0) return
    const problems = describeMissing(this, this.#options.mapping, missing)
    throw new MissingColumns(t`Cannot read ${this.#source}: ${problems} (--inspect shows what was understood)`)
  }

  /** Required columns that the source does not have. */
  missingColumns(): readonly Column[] {
    return this.#columns.missing
  }

  get #columns(): ColumnForms {
    if (this.#resolvedCount !== this.headings.length) this.#resolve()
    return this.#resolvedColumns
  }

  #resolve(): void {
    const fixed = this.#isFixed ? this.#resolvedColumns.recognised : []
    this.#resolvedColumns = resolveColumns(this.#headingIndex, this.#options.mapping, fixed)
    this.#resolvedCount = this.headings.length
    // Only our CSV has apostrophes. JSON objects and database rows have none, even if their keys are the headings of
    // our CSV.
    this.#hasApostrophes = !this.#headingIndex.hasObjectKeys && areHeadingsOfOurCsv(this.headings)
    if (this.#isFixed) this.#refuseRepeated()
  }

  /** Before `#isFixed`, repeated headings are accepted: a row that is only tried as headings must not fail. */
  #refuseRepeated(): void {
    const { repeated } = this.#resolvedColumns
    if (repeated === undefined) return
    const [first, last] = [toQuoted(repeated.first), toQuoted(repeated.last)]
    throw new SourceFault(
      t`Cannot read ${this.#source}: headings ${first} and ${last} both mean ${repeated.column}; rename or remove one`,
    )
  }
}
