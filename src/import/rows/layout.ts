// The headings of one source, and where each column of a record, such as `title`, is read from. A column in the mapping
// (`--mapping`) is read as the mapping says. Any other column is read from the heading with its name, or else from a
// heading that Spanish offices use for it, such as `Denominación`. The parsers in sources/ add the headings, and
// normalise.ts reads the columns.
import { withoutFormulaApostrophe } from '../../csv.ts'
import { isInscriptionCode } from '../../domain/inscription-code.ts'
import { t } from '../../language.ts'
import { MissingColumns, SourceFault } from '../source-fault.ts'
import { type Column, columns, foldHeading, requiredColumns } from './columns.ts'
import { headingsOf, type Mapping, readForm, toFormJson, type ValueForm, wholeHeadingsOf } from './mapping.ts'
import { describeMissing } from './missing-columns.ts'
import { toQuoted } from './quote.ts'
import { recognisedHeadings, toHeadingKey, withoutWrapper } from './recognised-headings.ts'
import { areHeadingsOfOurCsv } from './rejects-headings.ts'

/** Limits for a file that only looks like a table, which may have any number of headings of any length. */
const headingsMax = 10_000
const headingCharactersMax = 1000

export interface LayoutOptions {
  readonly mapping: Mapping
  /** Whether a text is a code of the registry; by default, whether it is `<prefix>-<number>`. */
  readonly isCode?: (text: string) => boolean
  /** If true, `requireColumns` accepts missing columns: `--inspect` also shows sources that lack some. */
  readonly mayLackColumns?: boolean
}

/** A column that is read from a heading with another name, although the mapping does not name the column. */
export interface RecognisedHeading {
  readonly column: Column
  readonly heading: string
}

export class Layout {
  /** In the order of the source. Each cell of a row has the index of its heading. */
  readonly headings: string[] = []
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
  /** Index of a key of JSON objects or database rows (`addKey`), by its exact spelling; empty for other sources. */
  readonly #indexByObjectKey = new Map<string, number>()
  /**
   * Index of the first heading with a folded name (`foldHeading`), which ignores case and separators only. The mapping
   * and the names of our columns find a heading by it.
   */
  readonly #indexByFolded = new Map<string, number>()
  /** Index of the last heading with a folded name; only for names that occur more than once. */
  readonly #lastIndexByRepeated = new Map<string, number>()
  /**
   * Index of the heading with a heading key (`toHeadingKey`), which also ignores accents, stop words and wrappers such
   * as `properties.`. Headings are recognised by it. If several have the same key, `append` says which is kept.
   */
  readonly #indexByHeadingKey = new Map<string, number>()
  /** Results of `#indexOfHeading`, cleared when a heading is added. Undefined for a heading that is missing. */
  readonly #indexCache = new Map<string, number | undefined>()
  /** Where each column is read from: a heading, a constant, joined headings … A column without a form is missing. */
  #forms = new Map<Column, ValueForm>()
  #recognised: (RecognisedHeading & { readonly form: ValueForm })[] = []
  /** Indexes of the headings that a column is read from. */
  #usedIndexes = new Set<number>()
  /**
   * Whether cells that look like formulas begin with an apostrophe: `'=1+1`. They do if the source is a CSV file that
   * this program has written, such as a rejects file (`areHeadingsOfOurCsv`).
   */
  #hasApostrophes = false
  /**
   * False after a heading was added: `#forms`, `#recognised` and `#usedIndexes` have to be determined again. True at
   * first, while all three are empty: a source without headings has no columns, not even constants.
   */
  #isResolved = true
  /**
   * Set by `requireColumns`, before rows are passed on. Later objects of a JSON file may add headings; recognised
   * columns then keep the headings that the rows so far were read from.
   */
  #isFixed = false
  /**
   * The fault of the first column with a repeated heading, found before `#isFixed` is set. Only `requireColumns` throws
   * it: a layout in which a row is tried as headings (`toEmpty`) must not fail.
   */
  #repeatedFault: SourceFault | undefined

  constructor(source: string, options: LayoutOptions) {
    this.#source = source
    this.#options = options
    this.isCode = options.isCode ?? isInscriptionCode
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
    const known = this.#indexByObjectKey.get(key)
    if (known !== undefined) return known
    const index = this.append(key)
    this.#indexByObjectKey.set(key, index)
    return index
  }

  /**
   * Adds the next heading of a table and returns its index. A repeated heading is accepted here; `#refuseRepeated`
   * refuses it later if a column is read from it.
   */
  append(heading: string): number {
    const index = this.headings.push(heading) - 1
    if (index >= headingsMax) {
      throw new SourceFault(t`Cannot read ${this.#source}: it has more than ${headingsMax} headings`)
    }
    // No column is read from a blank or very long heading; its cells are kept for the rejects file.
    if (heading.trim() === '' || heading.length > headingCharactersMax) return index
    const folded = foldHeading(heading)
    if (this.#indexByFolded.has(folded)) this.#lastIndexByRepeated.set(folded, index)
    else this.#indexByFolded.set(folded, index)
    const headingKey = toHeadingKey(heading)
    const isWrapped = withoutWrapper(heading) !== heading
    // A GeoJSON file may have both `properties.id` and `id`. The wrapped one is preferred: it is a field of the record,
    // while the portal adds `id` by itself.
    if (!this.#indexByHeadingKey.has(headingKey) || isWrapped) this.#indexByHeadingKey.set(headingKey, index)
    this.#isResolved = false
    this.#indexCache.clear()
    return index
  }

  /** Counts the columns read from headings, not constants. The parsers use it to tell whether a row is the headings. */
  countColumns(): number {
    this.#resolve()
    return [...this.#forms.values()].filter((form) => form.kind !== 'value').length
  }

  hasColumn(column: Column): boolean {
    this.#resolve()
    return this.#forms.has(column)
  }

  /**
   * Returns the index of the heading that a column is read from. Returns undefined if the column is missing, or if its
   * value is not simply the cell under one heading: a constant, joined or rewritten cells, or a form with an `else`.
   */
  indexOf(column: Column): number | undefined {
    this.#resolve()
    const form = this.#forms.get(column)
    return form?.kind === 'heading' && form.else === undefined ? this.#indexOfHeading(form.heading) : undefined
  }

  /** Returns the value of a column in a row; empty if the row or the whole source does not have it. */
  read(column: Column, cells: readonly (string | undefined)[]): string {
    this.#resolve()
    const form = this.#forms.get(column)
    if (form === undefined) return ''
    return readForm(form, (heading) => {
      const cell = cells[this.#indexOfHeading(heading) ?? -1] ?? ''
      return this.#hasApostrophes ? withoutFormulaApostrophe(cell) : cell
    })
  }

  /** Whether the column is read from the heading with this index. */
  readsFrom(column: Column, index: number): boolean {
    this.#resolve()
    const form = this.#forms.get(column)
    return form !== undefined && headingsOf(form).some((heading) => this.#indexOfHeading(heading) === index)
  }

  /** Like `readsFrom`, but only if the cell may be the whole value: it is neither joined nor rewritten. */
  readsWhole(column: Column, index: number): boolean {
    this.#resolve()
    const form = this.#forms.get(column)
    return form !== undefined && wholeHeadingsOf(form).some((heading) => this.#indexOfHeading(heading) === index)
  }

  /** Returns where a column is read from, as a mapping file has it; undefined if the column is missing. */
  toMappingJson(column: Column): unknown {
    this.#resolve()
    const form = this.#forms.get(column)
    return form === undefined ? undefined : toFormJson(form)
  }

  /** Whether any column is read from the heading with this index. */
  isUsed(index: number): boolean {
    this.#resolve()
    return this.#usedIndexes.has(index)
  }

  /** Headings, except blank ones, that no column is read from. */
  unused(): string[] {
    this.#resolve()
    return this.headings.filter((heading, index) => !this.#usedIndexes.has(index) && heading.trim() !== '')
  }

  /** Headings that were recognised without a mapping. */
  recognised(): readonly RecognisedHeading[] {
    this.#resolve()
    return this.#recognised
  }

  /** Headings that the mapping names for the column, but that the source does not have. */
  missingMapped(column: Column): readonly string[] {
    const form = this.#options.mapping.get(column)
    return form === undefined ? [] : headingsOf(form).filter((heading) => this.#indexOfHeading(heading) === undefined)
  }

  /**
   * Throws a `SourceFault` if `#refuseRepeated` has found a repeated heading or, unless `mayLackColumns` is set, if a
   * required column is missing.
   */
  requireColumns(): void {
    this.#resolve()
    this.#isFixed = true
    if (this.#repeatedFault !== undefined) throw this.#repeatedFault
    if (this.#options.mayLackColumns === true) return
    const missing = this.missingColumns()
    if (missing.length === 0) return
    const problems = describeMissing(this, this.#options.mapping, missing)
    throw new MissingColumns(t`Cannot read ${this.#source}: ${problems} (--inspect shows what was understood)`)
  }

  /**
   * Required columns that the source does not have. If the code is missing, a missing id is left out: once a heading is
   * mapped to the code, the codes become the ids (`#assignCodeToId`). They do not if the mapping names the id, or if
   * the code will be made of the prefix that the source has, so the id is then included.
   */
  missingColumns(): Column[] {
    this.#resolve()
    const lacksCode = !this.#forms.has('code') && !this.#hasPartsOfCode()
    const isIdOptional = lacksCode && !this.#options.mapping.has('id') && !this.#forms.has('prefix')
    return requiredColumns.filter((column) => {
      if (this.#forms.has(column)) return false
      return column === 'code' ? lacksCode : !(column === 'id' && isIdOptional)
    })
  }

  /** Whether the code can be made of `prefix` and `registration_number`. */
  #hasPartsOfCode(): boolean {
    return this.#forms.has('prefix') && this.#forms.has('registration_number')
  }

  /** Determines where every column is read from. */
  #resolve(): void {
    if (this.#isResolved) return
    this.#isResolved = true
    this.#forms = new Map()
    this.#usedIndexes = new Set()
    // Only our CSV has apostrophes. JSON objects and database rows have none, even if their keys are the headings of
    // our CSV.
    this.#hasApostrophes = this.#indexByObjectKey.size === 0 && areHeadingsOfOurCsv(this.headings)
    // The fault is found anew each time, because a later heading may make it go away: `Código` and `CÓDIGO` are a
    // repeated heading of the code until the heading `code` is added.
    this.#repeatedFault = undefined
    this.#assignNamedColumns()
    // If the source has both parts of the code, no heading is recognised as the code itself. That is determined before
    // any heading is recognised: a recognised `registration_number` is only a guess and does not count as a part.
    const hasPartsOfCode = this.#hasPartsOfCode()
    if (!this.#isFixed) this.#recognised = []
    for (const { column, form } of this.#recognised) this.#assign(column, form)
    this.#assignRecognisedColumns(hasPartsOfCode)
    this.#assignCodeToId()
  }

  /** Finds the columns that the mapping names. Any other column is found if a heading has the name of the column. */
  #assignNamedColumns(): void {
    for (const column of columns) {
      const form = this.#options.mapping.get(column) ?? this.#toOwnForm(column)
      if (!this.#isReadable(form)) continue
      this.#refuseRepeated(column, form)
      this.#assign(column, form)
    }
  }

  /**
   * Returns the form that reads a column from the heading with its name. In GeoJSON, the id is read from
   * `properties.id` or, in a row where that is empty, from `id`.
   */
  #toOwnForm(column: Column): ValueForm {
    const own: ValueForm = { kind: 'heading', heading: column }
    const wrapped = this.headings[this.#searchWrapped(column) ?? -1]
    const isIdInProperties = column === 'id' && wrapped !== undefined && withoutWrapper(wrapped) !== wrapped
    return isIdInProperties ? { kind: 'heading', heading: wrapped, else: own } : own
  }

  /** Finds missing columns that the mapping does not name, by a recognised heading that no other column uses. */
  #assignRecognisedColumns(hasPartsOfCode: boolean): void {
    for (const [column, headingKeys] of recognisedHeadings) {
      if (this.#forms.has(column) || this.#options.mapping.has(column)) continue
      if (column === 'code' && hasPartsOfCode) continue
      const index = headingKeys
        .map((key) => this.#indexByHeadingKey.get(key))
        .find((each) => each !== undefined && !this.#usedIndexes.has(each))
      if (index === undefined) continue
      const heading = this.headings[index] ?? ''
      const form: ValueForm = { kind: 'heading', heading }
      // If the heading of an optional column is repeated, the first is read: a mere guess does not stop the import.
      if (requiredColumns.includes(column)) this.#refuseRepeated(column, form)
      this.#recognised.push({ column, heading, form })
      this.#assign(column, form)
    }
  }

  /**
   * The codes of a source without ids become its ids, unless their heading is `code`. That is our own name, so the
   * source is made for this import, and a missing `id` is a mistake.
   */
  #assignCodeToId(): void {
    const code = this.#forms.get('code')
    if (this.#forms.has('id') || this.#options.mapping.has('id') || code === undefined) return
    if (code.kind === 'heading' && foldHeading(code.heading) === 'code') return
    this.#forms.set('id', code)
    const [heading] = headingsOf(code)
    if (heading !== undefined) this.#recognised.push({ column: 'id', heading, form: code })
  }

  /** Sets the form of the column, and marks the headings of the form as used. */
  #assign(column: Column, form: ValueForm): void {
    this.#forms.set(column, form)
    for (const heading of headingsOf(form)) {
      const index = this.#indexOfHeading(heading)
      if (index !== undefined) this.#usedIndexes.add(index)
    }
  }

  /** Whether the source has at least one of the headings that the form reads, or the form is a constant. */
  #isReadable(form: ValueForm): boolean {
    if (form.else !== undefined && this.#isReadable(form.else)) return true
    return form.kind === 'value' || headingsOf(form).some((heading) => this.#indexOfHeading(heading) !== undefined)
  }

  /**
   * If the source repeats a heading of the form, that is a fault: nothing tells which of the two has the right
   * value. Throws it if `#isFixed` is set, and otherwise keeps it for `requireColumns`.
   */
  #refuseRepeated(column: Column, form: ValueForm): void {
    for (const name of headingsOf(form)) {
      const folded = foldHeading(name)
      const lastIndex = this.#lastIndexByRepeated.get(folded)
      if (lastIndex === undefined) continue
      const first = toQuoted(this.headings[this.#indexByFolded.get(folded) ?? 0] ?? '')
      const last = toQuoted(this.headings[lastIndex] ?? '')
      const fault = new SourceFault(
        t`Cannot read ${this.#source}: headings ${first} and ${last} both mean ${column}; rename or remove one`,
      )
      if (this.#isFixed) throw fault
      this.#repeatedFault ??= fault
    }
  }

  /**
   * Returns the index of the heading with this name; undefined if the source does not have it. `EXP_ID` also finds
   * `properties.EXP_ID` (`withoutWrapper`).
   */
  #indexOfHeading(name: string): number | undefined {
    const cached = this.#indexCache.get(name)
    if (cached !== undefined || this.#indexCache.has(name)) return cached
    const index = this.#searchHeading(name)
    this.#indexCache.set(name, index)
    return index
  }

  #searchHeading(name: string): number | undefined {
    return this.#indexByFolded.get(foldHeading(name)) ?? this.#searchWrapped(name)
  }

  /** Returns the index of the heading that has this name after its wrapper, such as `properties.id` for `id`. */
  #searchWrapped(name: string): number | undefined {
    const similarIndex = this.#indexByHeadingKey.get(toHeadingKey(name))
    const heading = similarIndex === undefined ? undefined : this.headings[similarIndex]
    // Different headings can have the same heading key, such as `Nº expediente` and `N_EXPEDIENTE`.
    const isSame = heading !== undefined && foldHeading(withoutWrapper(heading)) === foldHeading(name)
    return isSame ? similarIndex : undefined
  }
}
