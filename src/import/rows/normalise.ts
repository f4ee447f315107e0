// Turns the cells of a row into a record. The layout of the source (layout.ts) says which cell belongs to which column.
// Every column has its rules, and a row that breaks one becomes a `RowFault`, which rejects it. Duplicate codes are
// found later, by staging.ts.
import { decodeHTMLStrict } from 'entities/decode'
import { toCodeFormat } from '../../domain/inscription-code.ts'
import type { FieldValues } from '../../domain/own-fields.ts'
import type { RegistryRecord } from '../../domain/record.ts'
import { t, translate } from '../../language.ts'
import { parseCalendarDate } from './calendar-date.ts'
import { type Column, columnRules } from './columns.ts'
import { type FieldForm, fieldCharactersMax } from './field-forms.ts'
import type { Layout } from './layout.ts'
import { repairMojibake } from './mojibake.ts'
import { isNull } from './null-cell.ts'
import type { ParseFault, Row } from './row.ts'
import type { RowFault, RowProblem } from './row-fault.ts'
import { findUncorrectedCell } from './uncorrected-cell.ts'

export interface NormalisedRow {
  readonly record: RegistryRecord
  /** Searchable text from the column `content`. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** Counts of repairs, of completed dates and of damage, for the report. */
export interface RepairCounts {
  /** HTML entities, such as `&quot;`. */
  entitiesDecoded: number
  /** Values with mojibake (`OrdenaciÃ³n`, text decoded with the wrong encoding) that was repaired. */
  valuesRepaired: number
  /** Values with lost letters, that is with the replacement character U+FFFD. */
  valuesDamaged: number
  /** Dates with a year of two digits, such as `24-3-07`. */
  centuriesAdded: number
  /** Dates without a day, such as `3/2019`. */
  daysAdded: number
}

/** Returns counts that are all 0. `normaliseRow` adds to them. */
export function newRepairCounts(): RepairCounts {
  return { entitiesDecoded: 0, valuesRepaired: 0, valuesDamaged: 0, centuriesAdded: 0, daysAdded: 0 }
}

export interface RowRules {
  /** `--time-zone`, for times with a zone and Unix times. */
  readonly timeZone: string
  /** What a code should look like, for messages. `Layout.isCode` decides whether it does. */
  readonly expectedCode: string
  /** The registration number of a record whose source has none. */
  readonly numberOf: (code: string) => string
  /** The office's own columns that are kept. */
  readonly fields: readonly FieldForm[]
}

/** The rules of an import without flags. */
export function toDefaultRules(): RowRules {
  const { numberOf } = toCodeFormat(null)
  return { timeZone: 'Europe/Madrid', expectedCode: t`<prefix>-<number>, such as 03082-1101`, numberOf, fields: [] }
}

/** The rules of an import with these flags. The pattern is only named in messages: `Layout.isCode` tests the codes. */
export function toRowRules({ codePattern, timeZone }: { codePattern: string | null; timeZone: string }): RowRules {
  const rules = { ...toDefaultRules(), timeZone }
  if (codePattern === null) return rules
  const { numberOf } = toCodeFormat(codePattern)
  return { ...rules, expectedCode: t`a code of the form ${codePattern}`, numberOf }
}

/** Returns the record of the row, or all its problems. Adds the repairs of this row to `counts`. */
export function normaliseRow(
  row: Row,
  layout: Layout,
  counts: RepairCounts,
  rules: RowRules = toDefaultRules(),
): NormalisedRow | RowFault {
  const parseFault = row.parseFault ?? findUncorrected(row, layout)
  if (parseFault !== undefined) {
    const code = new RowReader(withFields(row, layout), layout, counts, rules).code()
    return toRowFault(row, layout, [{ column: null, ...parseFault }], code)
  }
  const reader = new RowReader(row, layout, counts, rules)
  const code = reader.code()
  const record: RegistryRecord = {
    code,
    id: layout.hasColumn('id') ? reader.text('id') : code,
    registrationNumber: reader.text('registration_number') || rules.numberOf(code),
    title: reader.text('title'),
    area: reader.text('area'),
    checkinDate: reader.date('checkin_date') ?? '',
    inscriptionDate: reader.date('inscription_date'),
    municipality: reader.text('municipality'),
    links: reader.address('links'),
    agreementLink: reader.address('agreement_link') || null,
    ...reader.fields(),
  }
  const content = reader.text('content')
  const documents = reader.documents()
  const [first, ...others] = reader.problems
  return first === undefined ? { record, content, documents } : toRowFault(row, layout, [first, ...others], code)
}

/** A row that could not be split into cells has its whole text as the only cell. Its fields may still show the code. */
function withFields(row: Row, { separator }: Layout): Row {
  const [text = '', ...others] = row.cells
  return others.length === 0 ? { ...row, cells: text.split(separator) } : row
}

/** A row of a rejects file is rejected again if a marked cell was not corrected. */
function findUncorrected({ cells }: Row, layout: Layout): ParseFault | undefined {
  const index = findUncorrectedCell(cells, layout)
  if (index === -1) return undefined
  return { expected: t`the corrected value in ${layout.headings[index] ?? ''}`, value: cells[index] ?? '' }
}

function toRowFault({ line }: Row, { countsRecords }: Layout, problems: RowFault['problems'], code: string): RowFault {
  // If messages say `record 812` instead of `line 812` (`countsRecords`), `line` is the number of the record.
  return { line, ...(countsRecords ? { isRecordNumber: true } : {}), problems, code }
}

export function isRowFault(outcome: NormalisedRow | RowFault): outcome is RowFault {
  return !('record' in outcome)
}

/** What databases write for a missing date, such as `0000-00-00 00:00:00` or `null`. `isNull` knows further texts. */
const nullDate = /^(?:0000-00-00|00\/00\/0000)(?:[ T]00:00(?::00)?)?$|^null$/i
/**
 * A character that a repair may change: the `&` of an entity, a control character, an unpaired surrogate or the first
 * character of mojibake. Also U+FFFD, which stands for a lost letter: it is not repaired, but counted. Most texts have
 * none of these characters and skip the repairs. Without the flag `u` it takes a third of the time, and any surrogate
 * matches.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const mayNeedRepair = /[&\x00-\x1f\x7f-\x9f\ud800-\udfff\u00c2\u00c3\u00e2\ufffd]/
/** Neither white space nor an invisible format character. */
const visibleCharacter = /[^\s\p{Cf}]/u
/** Format characters, such as the zero-width space. */
const invisibleCharacters = /\p{Cf}/gu
const controlCharacter = /\p{Cc}/u
/** What becomes a space: a control character, or a line break of two characters, which becomes a single space. */
const lineBreakOrControl = /\r\n|\p{Cc}/gu
/** `&#34;`, `&#x22;` or `&quot;`. The lengths suffice for the largest code point and the longest name. */
const entities = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g
/** The scheme and the first character of a host. */
const addressStart = /^https?:\/\/[^\s/?#\\]/i
/** White space or a separator, and the start of another address, as in `https://a.es/1 https://a.es/2`. */
const furtherAddress = /[\s;|,]https?:\/\//i
/** A name that leads outside the documents folder: an absolute path, a Windows drive, or `..` as a part of the path. */
const outsideFolder = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/

/** Reads the cells of one row and collects its problems, at most one for each column. */
class RowReader {
  readonly problems: RowProblem[] = []
  readonly #row: Row
  readonly #layout: Layout
  readonly #counts: RepairCounts
  readonly #rules: RowRules

  constructor(row: Row, layout: Layout, counts: RepairCounts, rules: RowRules) {
    this.#row = row
    this.#layout = layout
    this.#counts = counts
    this.#rules = rules
  }

  /**
   * Adds a problem, and returns an empty text in place of the rejected value, so that the other columns can still be
   * read. `because` says what is wrong, if that says more than `expected`.
   */
  reject(column: Column, expected: string, value: string, because?: string): string {
    const isFirst = this.problems.every((problem) => problem.column !== column)
    if (isFirst) this.problems.push({ column, expected, value, ...(because === undefined ? {} : { because }) })
    return ''
  }

  /** Returns the cleaned text of a column; empty if the row has none, or if the text is rejected. */
  text(column: Column): string {
    const text = this.#clean(this.#cell(column))
    if (text.length > columnRules[column].charactersMax) return this.#rejectLong(column, text)
    return visibleCharacter.test(text) ? text : this.#rejectEmpty(column, text)
  }

  /** The filled own columns of the office, in their order. */
  fields(): { readonly fields?: FieldValues } {
    const filled = this.#rules.fields.flatMap(({ label, form }): [string, string][] => {
      const cell = this.#layout.readOwn(form, this.#row.cells)
      const text = isNull(cell) ? '' : this.#clean(cell)
      if (text.length > fieldCharactersMax) {
        const expected = t`at most ${String(fieldCharactersMax)} characters in the field ${label}`
        this.problems.push({ column: null, expected, value: text })
      }
      return visibleCharacter.test(text) ? [[label, text]] : []
    })
    return filled.length === 0 ? {} : { fields: Object.fromEntries(filled) }
  }

  /** Rejects a value without a visible character if the row needs one, and returns it otherwise. */
  #rejectEmpty(column: Column, text: string): string {
    const { expected } = columnRules[column]
    if (expected === undefined) return text
    // The message quotes `NULL`, which `text` has replaced by an empty text.
    const rawCell = this.#rawCell(column)
    return this.reject(column, translate(expected), isNull(rawCell) ? rawCell.trim() : text)
  }

  /** Returns the column `code`, or `prefix` and `registration_number` joined by a hyphen; empty if it is rejected. */
  code(): string {
    const cell = this.#cell('code').trim()
    // A code that was copied from a document may contain invisible characters. They are kept if the code is valid with
    // them, because a `--code-pattern` could allow them, and removed otherwise.
    const code = this.#layout.isCode(cell) ? cell : cell.replace(invisibleCharacters, '').trim()
    if (code !== '') return this.#checkCode('code', code)
    // Some registries write the hyphen at the end of the prefix.
    const prefix = this.#cell('prefix').trim().replace(/-$/, '')
    const number = this.#cell('registration_number').trim()
    if (prefix === '') {
      const missingColumn = this.#layout.hasColumn('code') ? 'code' : 'prefix'
      return this.reject(missingColumn, this.#rules.expectedCode, '')
    }
    if (!/^\d+$/.test(number))
      return this.reject('registration_number', t`digits, which follow the prefix in the code`, number)
    return this.#checkCode('prefix', `${prefix}-${number}`)
  }

  /** Returns the code, or an empty text if it is rejected. */
  #checkCode(column: Column, code: string): string {
    if (code.length > columnRules[column].charactersMax) return this.#rejectLong(column, code)
    return this.#layout.isCode(code) ? code : this.reject(column, this.#rules.expectedCode, code)
  }

  #rejectLong(column: Column, value: string): string {
    return this.reject(column, t`at most ${String(columnRules[column].charactersMax)} characters`, value)
  }

  /** Returns the day as `YYYY-MM-DD`; null if the row has no date, and an empty text if the date is rejected. */
  date(column: Column): string | null {
    const text = this.#cell(column).trim()
    if (text === '' || nullDate.test(text)) {
      this.#rejectEmpty(column, text)
      return null
    }
    const parsed = parseCalendarDate(text, this.#rules.timeZone)
    if (parsed === null) return this.reject(column, t`YYYY-MM-DD or DD/MM/YYYY`, text)
    if ('reason' in parsed) return this.reject(column, t`a day that exists`, text, parsed.reason)
    if (parsed.added === 'century') this.#counts.centuriesAdded += 1
    if (parsed.added === 'day') this.#counts.daysAdded += 1
    return parsed.day
  }

  /**
   * Returns the address in a column; empty if there is none or it is rejected. It is kept unchanged, entities and
   * percent-encoding included; only surrounding space is removed.
   */
  address(column: Column): string {
    const text = this.#cell(column).trim()
    if (text === '') return ''
    if (text.length > columnRules[column].charactersMax) return this.#rejectLong(column, text)
    const startsLikeAddress = addressStart.test(text)
    if (startsLikeAddress && furtherAddress.test(text)) {
      return this.reject(column, t`a single address (put the address of the agreement in agreement_link)`, text)
    }
    // Browsers remove tabs and line breaks from an address, so the link would not be the address that is stored.
    const isValid = !controlCharacter.test(text) && URL.canParse(text) && text.isWellFormed()
    if (startsLikeAddress && isValid) return text
    return this.reject(column, t`an address starting with http:// or https://`, text)
  }

  /** Returns the file names in the column `document`, each once. Semicolons separate them. */
  documents(): string[] {
    const cell = this.#cell('document')
    if (cell === '') return []
    const names = cell
      .split(';')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    for (const name of names) {
      if (outsideFolder.test(name) || controlCharacter.test(name)) {
        this.reject('document', t`file names under --documents, separated by ;`, name)
      }
    }
    return [...new Set(names)]
  }

  /** The cell of a column; empty if the row does not have it, or if it is `NULL` or `\N`. */
  #cell(column: Column): string {
    const cell = this.#rawCell(column)
    return isNull(cell) ? '' : cell
  }

  /** The cell as the source has it, for messages: `NULL` and `\N` are kept. */
  #rawCell(column: Column): string {
    return this.#layout.read(column, this.#row.cells)
  }

  /** Repairs mojibake, decodes HTML entities, replaces control characters and unpaired surrogates, and trims. */
  #clean(text: string): string {
    if (!mayNeedRepair.test(text)) return text.trim()
    let clean = repairMojibake(text)
    if (clean !== text) this.#counts.valuesRepaired += 1
    if (clean.includes('&')) clean = this.#decodeEntities(clean)
    if (controlCharacter.test(clean)) clean = clean.replace(lineBreakOrControl, ' ')
    clean = clean.toWellFormed().trim()
    // Tested last: an entity such as `&#65533;` and an unpaired surrogate become U+FFFD above.
    if (clean.includes('\ufffd')) this.#counts.valuesDamaged += 1
    return clean
  }

  /** Scraped data contains entities such as `&#34;`. A semicolon is required, so that `R&D` and `A & B` stay. */
  #decodeEntities(text: string): string {
    return text.replace(entities, (entity) => {
      const decoded = decodeHTMLStrict(entity)
      if (decoded !== entity) this.#counts.entitiesDecoded += 1
      return decoded
    })
  }
}
