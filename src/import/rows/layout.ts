// The headings of one source and where each column is read from: by the mapping, by its own name, or by a heading that
// is recognised. Sources add headings; normalise.ts reads columns.
import { isInscriptionCode } from '../../domain/inscription-code.ts'
import { t } from '../../language.ts'
import { MissingColumns, SourceFault } from '../source-fault.ts'
import { type Column, columns, foldHeading, requiredColumns } from './columns.ts'
import { headingsOf, type Mapping, toFormJson, type ValueForm } from './mapping.ts'
import { describeMissing } from './missing-columns.ts'
import { toQuoted } from './quote.ts'
import { recognisedHeadings, toHeadingKey, withoutWrapper } from './recognised-headings.ts'

/** Limits for a file that only looks like a table, which may have any number of headings of any length. */
const headingsMax = 10_000
const headingCharactersMax = 1000

export interface LayoutOptions {
  readonly mapping: Mapping
  /** Whether a text is a code of the registry; by default, whether it is `<prefix>-<number>`. */
  readonly isCode?: (text: string) => boolean
  /** `--inspect` also shows sources that lack columns. */
  readonly mayLackColumns?: boolean
}

/** A column that was read from a heading with another name, without a mapping. */
export interface RecognisedHeading {
  readonly column: Column
  readonly heading: string
}

export class Layout {
  readonly headings: string[] = []
  /** What the source decided by itself, such as lines that were skipped; one sentence each, for the report. */
  readonly notes: string[] = []
  /** What may be missing, such as a sheet that was not read. */
  readonly warnings: string[] = []
  /** The separator of the source, for the rejects file. */
  separator = ','
  /** Whether messages say `record 812` instead of `line 812`, because records are not on lines of their own. */
  countsRecords = false
  readonly isCode: (text: string) => boolean
  readonly #source: string
  readonly #options: LayoutOptions
  /** Index of a heading by its exact name; only for sources of objects, whose keys are added with `addKey`. */
  readonly #indexByName = new Map<string, number>()
  /** Index of the first heading with a folded name (`foldHeading`). */
  readonly #indexByFolded = new Map<string, number>()
  /** Index of the heading with a key (`toHeadingKey`); `append` says which, if there are several. */
  readonly #indexByKey = new Map<string, number>()
  /** Index of the last heading with a folded name that occurs more than once. */
  readonly #repeated = new Map<string, number>()
  /** Cache of `#find`, cleared when a heading is added. Undefined for a heading that the source does not have. */
  readonly #found = new Map<string, number | undefined>()
  /** Where each column is read from: a heading, a constant, joined headings … (mapping.ts). Others are missing. */
  #forms: ReadonlyMap<Column, ValueForm> = new Map()
  #recognised: readonly RecognisedHeading[] = []
  /** Indexes of the headings that a column is read from. */
  #used: ReadonlySet<number> = new Set()
  /** False after a heading was added: `#forms`, `#recognised` and `#used` have to be determined again. */
  #isResolved = true
  /** The first column with a repeated heading, found before rows are read. Thrown by `requireColumns`. */
  #fault: SourceFault | undefined
  /** Set by `requireColumns`, before rows are passed on. Then a column keeps its heading even if keys are added. */
  #isFixed = false

  constructor(source: string, options: LayoutOptions) {
    this.#source = source
    this.#options = options
    this.isCode = options.isCode ?? isInscriptionCode
  }

  /** An empty layout for the same source, to try whether a row is the headings. */
  toEmpty(): Layout {
    return new Layout(this.#source, this.#options)
  }

  /** Returns the index of a JSON key. A new key becomes a new heading. */
  addKey(key: string): number {
    const known = this.#indexByName.get(key)
    if (known !== undefined) return known
    const index = this.append(key)
    this.#indexByName.set(key, index)
    return index
  }

  /** Adds the next heading of a table and returns its index. A heading may be repeated if no column is read from it. */
  append(heading: string): number {
    const index = this.headings.push(heading) - 1
    if (index >= headingsMax) {
      throw new SourceFault(t`Cannot read ${this.#source}: it has more than ${headingsMax} headings`)
    }
    // No column is read from such a heading; its cells are kept for the rejects file.
    if (heading.trim() === '' || heading.length > headingCharactersMax) return index
    const folded = foldHeading(heading)
    if (this.#indexByFolded.has(folded)) this.#repeated.set(folded, index)
    else this.#indexByFolded.set(folded, index)
    const key = toHeadingKey(heading)
    const isWrapped = withoutWrapper(heading) !== heading
    // Of `id` and `properties.id`, the second is preferred: the first is an id that the portal has added.
    if (!this.#indexByKey.has(key) || isWrapped) this.#indexByKey.set(key, index)
    this.#isResolved = false
    this.#found.clear()
    return index
  }

  /** How many columns are read from headings. Sources use it to tell whether a row is the headings. */
  countColumns(): number {
    this.#resolve()
    return [...this.#forms.values()].filter((form) => form.kind !== 'value').length
  }

  hasColumn(column: Column): boolean {
    this.#resolve()
    return this.#forms.has(column)
  }

  /** Returns the index of the heading that a column is read from, if it is read from one heading unchanged. */
  indexOf(column: Column): number | undefined {
    this.#resolve()
    const form = this.#forms.get(column)
    return form?.kind === 'heading' && form.else === undefined ? this.#find(form.heading) : undefined
  }

  /** Returns the value of a column in a row; empty if the row or the whole source does not have it. */
  read(column: Column, cells: readonly (string | undefined)[]): string {
    this.#resolve()
    const form = this.#forms.get(column)
    return form === undefined ? '' : this.#readForm(form, cells)
  }

  /** Whether the column is read from the heading with this index. */
  readsFrom(column: Column, index: number): boolean {
    this.#resolve()
    const form = this.#forms.get(column)
    return form !== undefined && headingsOf(form).some((heading) => this.#find(heading) === index)
  }

  /** Where a column is read from, as a mapping file has it. */
  formOf(column: Column): unknown {
    this.#resolve()
    const form = this.#forms.get(column)
    return form === undefined ? undefined : toFormJson(form)
  }

  /** Whether any column is read from the heading with this index. */
  isUsed(index: number): boolean {
    this.#resolve()
    return this.#used.has(index)
  }

  /** Headings, except blank ones, that no column is read from. */
  unused(): string[] {
    this.#resolve()
    return this.headings.filter((heading, index) => !this.#used.has(index) && heading.trim() !== '')
  }

  /** Headings that were recognised without a mapping. */
  recognised(): readonly RecognisedHeading[] {
    this.#resolve()
    return this.#recognised
  }

  /** Headings that the mapping names for the column and the source does not have. */
  missingMapped(column: Column): readonly string[] {
    const form = this.#options.mapping.get(column)
    return form === undefined ? [] : headingsOf(form).filter((heading) => this.#find(heading) === undefined)
  }

  /** Throws a `SourceFault` that names the nearest heading if a required column is missing. */
  requireColumns(): void {
    this.#resolve()
    this.#isFixed = true
    if (this.#fault !== undefined) throw this.#fault
    if (this.#options.mayLackColumns === true) return
    const missing = this.missingColumns()
    if (missing.length === 0) return
    const problems = describeMissing(this, this.#options.mapping, missing)
    throw new MissingColumns(t`Cannot read ${this.#source}: ${problems} (--inspect shows what was understood)`)
  }

  /** Required columns that the source does not have. */
  missingColumns(): Column[] {
    const hasPartsOfCode = this.hasColumn('prefix') && this.hasColumn('registration_number')
    return requiredColumns.filter((column) => !this.hasColumn(column) && !(column === 'code' && hasPartsOfCode))
  }

  /**
   * Determines where every column is read from: first by the mapping or, without one, by its own name; then, for
   * columns that the mapping does not name, by a recognised heading that no other column uses.
   */
  #resolve(): void {
    if (this.#isResolved) return
    this.#isResolved = true
    const forms = new Map<Column, ValueForm>()
    const used = new Set<number>()
    const use = (column: Column, form: ValueForm): void => {
      forms.set(column, form)
      for (const heading of headingsOf(form)) {
        const index = this.#find(heading)
        if (index !== undefined) used.add(index)
      }
    }
    for (const column of columns) {
      const form = this.#options.mapping.get(column) ?? { kind: 'heading', heading: column }
      if (this.#isReadable(form)) {
        this.#refuseRepeated(column, form)
        use(column, form)
      }
    }
    const hasPartsOfCode = forms.has('prefix') && forms.has('registration_number')
    const recognised: RecognisedHeading[] = this.#isFixed ? [...this.#recognised] : []
    for (const { column, heading } of recognised) use(column, { kind: 'heading', heading })
    for (const [column, keys] of recognisedHeadings) {
      if (forms.has(column) || this.#options.mapping.has(column) || (column === 'code' && hasPartsOfCode)) continue
      const index = keys.map((key) => this.#indexByKey.get(key)).find((each) => each !== undefined && !used.has(each))
      if (index === undefined) continue
      const heading = this.headings[index] ?? ''
      recognised.push({ column, heading })
      use(column, { kind: 'heading', heading })
    }
    this.#readIdFromCode(forms, recognised)
    this.#forms = forms
    this.#used = used
    this.#recognised = recognised
  }

  /**
   * A source without ids uses its codes as ids. A source with the heading `code`, which is the name of the column, is
   * made for this import, so that a missing `id` is a mistake.
   */
  #readIdFromCode(forms: Map<Column, ValueForm>, recognised: RecognisedHeading[]): void {
    const code = forms.get('code')
    if (forms.has('id') || this.#options.mapping.has('id') || code === undefined) return
    if (code.kind === 'heading' && foldHeading(code.heading) === 'code') return
    forms.set('id', code)
    const [heading] = headingsOf(code)
    if (heading !== undefined) recognised.push({ column: 'id', heading })
  }

  /** Whether the source has at least one of the headings of the form, or the form needs none. */
  #isReadable(form: ValueForm): boolean {
    if (form.else !== undefined && this.#isReadable(form.else)) return true
    return form.kind === 'value' || headingsOf(form).some((heading) => this.#find(heading) !== undefined)
  }

  /** Two headings of a column are a fault, because either may have the right value. */
  #refuseRepeated(column: Column, form: ValueForm): void {
    for (const name of headingsOf(form)) {
      const repeated = this.#repeated.get(foldHeading(name))
      if (repeated === undefined) continue
      const first = toQuoted(this.headings[this.#indexByFolded.get(foldHeading(name)) ?? 0] ?? '')
      const second = toQuoted(this.headings[repeated] ?? '')
      const fault = new SourceFault(
        t`Cannot read ${this.#source}: headings ${first} and ${second} both mean ${column}; rename or remove one`,
      )
      if (this.#isFixed) throw fault
      this.#fault ??= fault
    }
  }

  /** Returns the index of the heading with this name. `EXP_ID` also finds `properties.EXP_ID` (`withoutWrapper`). */
  #find(heading: string): number | undefined {
    const known = this.#found.get(heading)
    if (known !== undefined || this.#found.has(heading)) return known
    const index = this.#findUncached(heading)
    this.#found.set(heading, index)
    return index
  }

  #findUncached(heading: string): number | undefined {
    const folded = foldHeading(heading)
    const index = this.#indexByFolded.get(folded)
    if (index !== undefined) return index
    const byKey = this.#indexByKey.get(toHeadingKey(heading))
    const candidate = byKey === undefined ? undefined : this.headings[byKey]
    // A key is less exact than a name: `Nº expediente` and `N_EXPEDIENTE` have the same.
    return candidate !== undefined && foldHeading(withoutWrapper(candidate)) === folded ? byKey : undefined
  }

  /** Reads `else` if the value is empty or `match` does not match. */
  #readForm(form: ValueForm, cells: readonly (string | undefined)[]): string {
    const value = this.#readOwn(form, cells) ?? ''
    return form.else !== undefined && value.trim() === '' ? this.#readForm(form.else, cells) : value
  }

  /** Reads the form without its `else`. Returns undefined if `match` does not match and there is an `else`. */
  #readOwn(form: ValueForm, cells: readonly (string | undefined)[]): string | undefined {
    if (form.kind === 'value') return form.value
    const cellOf = (heading: string): string => cells[this.#find(heading) ?? -1] ?? ''
    if (form.kind === 'heading') return cellOf(form.heading)
    if (form.kind === 'join') {
      const parts = form.headings.map((heading) => cellOf(heading).trim())
      return parts.filter((part) => part !== '').join(form.separator)
    }
    const text = cellOf(form.heading).trim()
    if (form.else !== undefined && !form.match.test(text)) return undefined
    // Without an `else`, a text that does not match stays as it is.
    return text.replace(form.match, form.to)
  }
}
