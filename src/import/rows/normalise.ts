// Turns the cells of a row into a record, with the rule for every column. A row that breaks a rule becomes a
// `RowFault`. Duplicate codes are found later, by staging.ts.
import { decodeHTMLStrict } from 'entities/decode'
import { isInscriptionCode, numberPartOf } from '../../domain/inscription-code.ts'
import type { RegistryRecord } from '../../domain/record.ts'
import { parseCalendarDate } from './calendar-date.ts'
import type { Column } from './columns.ts'
import type { Layout } from './layout.ts'
import { repairMojibake } from './mojibake.ts'
import type { Row } from './row.ts'
import type { RowFault } from './row-fault.ts'

export interface NormalisedRow {
  readonly record: RegistryRecord
  /** Searchable text from the column `content`. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** Counts of repairs, for the report. */
export interface RepairCounts {
  entitiesDecoded: number
  /** Values with mojibake that was repaired. */
  valuesRepaired: number
  /** Values with lost letters, that is with the replacement character U+FFFD. */
  valuesDamaged: number
}

export function toZeroCounts(): RepairCounts {
  return { entitiesDecoded: 0, valuesRepaired: 0, valuesDamaged: 0 }
}

/** A longer value could not be searched for: parameters of the API take at most 200 characters. */
const nameCharactersMax = 200
const textCharactersMax = 10_000
const addressCharactersMax = 4000

export function normaliseRow(row: Row, layout: Layout, counts: RepairCounts): NormalisedRow | RowFault {
  if (row.broken !== undefined) return { line: row.line, column: null, ...row.broken }
  const reader = new RowReader(row, layout, counts)
  const code = reader.code()
  const record: RegistryRecord = {
    code,
    id: reader.requiredText('id', 'a record code', nameCharactersMax),
    registrationNumber: reader.text('registration_number', nameCharactersMax) || numberPartOf(code),
    title: reader.requiredText('title', 'a title', textCharactersMax),
    area: reader.text('area', textCharactersMax),
    checkinDate: reader.requiredDate('checkin_date'),
    inscriptionDate: reader.date('inscription_date'),
    municipality: reader.requiredText('municipality', 'the name of a municipality', nameCharactersMax),
    links: reader.address('links'),
    agreementLink: reader.address('agreement_link') || null,
  }
  const content = reader.text('content', Number.POSITIVE_INFINITY)
  const documents = reader.documents()
  return reader.fault ?? { record, content, documents }
}

export function isRowFault(outcome: NormalisedRow | RowFault): outcome is RowFault {
  return !('record' in outcome)
}

const dateForms = 'YYYY-MM-DD or DD/MM/YYYY'

/** Reads the cells of one row and keeps the first fault. */
class RowReader {
  fault: RowFault | undefined
  readonly #row: Row
  readonly #layout: Layout
  readonly #counts: RepairCounts

  constructor(row: Row, layout: Layout, counts: RepairCounts) {
    this.#row = row
    this.#layout = layout
    this.#counts = counts
  }

  reject(column: Column, expected: string, value: string): string {
    this.fault ??= { line: this.#row.line, column, expected, value }
    return ''
  }

  text(column: Column, charactersMax: number): string {
    const text = this.#clean(this.#cell(column))
    return text.length > charactersMax ? this.reject(column, `at most ${charactersMax} characters`, text) : text
  }

  requiredText(column: Column, expected: string, charactersMax: number): string {
    const text = this.text(column, charactersMax)
    if (visible.test(text)) return text
    const written = this.#written(column)
    return this.reject(column, expected, isNull(written) ? written : text)
  }

  code(): string {
    const written = this.#cell('code').trim()
    const code = isInscriptionCode(written) ? written : written.replace(formatCharacters, '').trim()
    if (code !== '') return this.#code('code', code)
    // Some registries write the hyphen at the end of the prefix.
    const prefix = this.#cell('prefix').trim().replace(/-$/, '')
    const number = this.#cell('registration_number').trim()
    if (prefix === '') {
      return this.reject(this.#layout.indexOf('code') === undefined ? 'prefix' : 'code', codeForm, prefix)
    }
    if (!/^\d+$/.test(number))
      return this.reject('registration_number', 'digits, which follow the prefix in the code', number)
    return this.#code('prefix', `${prefix}-${number}`)
  }

  #code(column: Column, code: string): string {
    if (code.length > nameCharactersMax) return this.reject(column, `at most ${nameCharactersMax} characters`, code)
    return isInscriptionCode(code) ? code : this.reject(column, codeForm, code)
  }

  date(column: Column): string | null {
    const text = this.#cell(column).trim()
    if (text === '' || nullDate.test(text)) return null
    return parseCalendarDate(text) ?? this.reject(column, dateForms, text)
  }

  requiredDate(column: Column): string {
    return this.date(column) ?? this.reject(column, dateForms, this.#written(column).trim())
  }

  /** An address is kept byte for byte, entities and percent-encoding included; only surrounding space is removed. */
  address(column: Column): string {
    const text = this.#cell(column).trim()
    if (text === '') return ''
    if (text.length > addressCharactersMax) {
      return this.reject(column, `at most ${addressCharactersMax} characters`, text)
    }
    if (addressForm.test(text) && severalAddresses.test(text)) {
      return this.reject(column, 'a single address (put the address of the agreement in agreement_link)', text)
    }
    // Browsers remove tabs and newlines from an address, so `java\tscript:` would run as `javascript:`.
    if (!addressForm.test(text) || controlCharacter.test(text) || !URL.canParse(text) || !text.isWellFormed()) {
      return this.reject(column, 'an address starting with http:// or https://', text)
    }
    return text
  }

  documents(): string[] {
    const cell = this.#cell('document')
    if (cell === '') return []
    const names = cell
      .split(';')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    for (const name of names) {
      if (outsideFolder.test(name) || controlCharacter.test(name)) {
        this.reject('document', 'file names under --documents, separated by ;', name)
      }
    }
    return [...new Set(names)]
  }

  #cell(column: Column): string {
    const cell = this.#written(column)
    return isNull(cell) ? '' : cell
  }

  /** The cell as written, with `NULL` and `\N` kept. */
  #written(column: Column): string {
    const index = this.#layout.indexOf(column)
    return (index === undefined ? undefined : this.#row.cells[index]) ?? ''
  }

  #clean(text: string): string {
    if (!mayNeedRepair.test(text)) return text.trim()
    let clean = repairMojibake(text)
    if (clean !== text) this.#counts.valuesRepaired += 1
    if (clean.includes('\ufffd')) this.#counts.valuesDamaged += 1
    if (clean.includes('&')) clean = this.#decodeEntities(clean)
    if (controlCharacter.test(clean)) clean = clean.replace(controlCharacters, ' ')
    return clean.toWellFormed().trim()
  }

  /** Scraped data contains entities such as `&#34;`. A semicolon is required, so that `R&D` and `A & B` stay. */
  #decodeEntities(text: string): string {
    return text.replace(entity, (written) => {
      const decoded = decodeHTMLStrict(written)
      if (decoded !== written) this.#counts.entitiesDecoded += 1
      return decoded
    })
  }
}

/** The text that database exports write for a null value. */
function isNull(cell: string): boolean {
  return cell === 'NULL' || cell === '\\N'
}

const codeForm = '<prefix>-<number>'
/** Further texts that databases write for a null date. */
const nullDate = /^(?:0000-00-00|00\/00\/0000)(?:[ T]00:00(?::00)?)?$|^null$/i
/** One test that lets most texts skip every repair. */
const mayNeedRepair = /[&\p{Cc}\p{Cs}\u00c2\u00c3\u00e2\ufffd]/u
/** A character that is neither white space nor an invisible format character. */
const visible = /[^\s\p{Cf}]/u
const formatCharacters = /\p{Cf}/gu
const controlCharacter = /\p{Cc}/u
const controlCharacters = /\r\n|\p{Cc}/gu
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g
const addressForm = /^https?:\/\/[^\s/?#\\]/i
const severalAddresses = /[\s;|,]https?:\/\//i
/** An absolute path, a Windows drive, or `..`. */
const outsideFolder = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/
