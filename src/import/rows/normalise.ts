// From the cells of a row to a record of the registry: the rule of every column, in one place. What a rule refuses
// becomes a `RowFault`; only duplicates are left to the staging, which alone has seen the other rows.
import { decodeHTMLStrict } from 'entities/decode'
import { isCode, numberOf } from '../../domain/inscription-code.ts'
import type { RegistryRecord } from '../../domain/record.ts'
import type { Row } from '../sources/source.ts'
import { parseCalendarDate } from './calendar-date.ts'
import type { Column, Layout } from './columns.ts'
import { mendReadTwice } from './mojibake.ts'
import type { RowFault } from './row-fault.ts'

export interface NormalisedRow {
  readonly record: RegistryRecord
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** What was mended on the way, and what could not be, for the report. */
export interface Tally {
  /** HTML entities that became characters. */
  entitiesDecoded: number
  /** Values that had been read in the wrong encoding before they came here, and are right again. */
  valuesMended: number
  /** Values in which letters are lost: they hold the sign that stands in their place, U+FFFD. */
  valuesDamaged: number
}

export function startTally(): Tally {
  return { entitiesDecoded: 0, valuesMended: 0, valuesDamaged: 0 }
}

/** Longer values could not be asked for: the service takes 200 characters (decisions, "size"). */
const nameCharactersMax = 200
const textCharactersMax = 10_000
const addressCharactersMax = 4000

export function normaliseRow(row: Row, layout: Layout, tally: Tally): NormalisedRow | RowFault {
  if (row.broken !== undefined) return { line: row.line, column: null, ...row.broken }
  const reader = new RowReader(row, layout, tally)
  const code = reader.code()
  const record: RegistryRecord = {
    code,
    id: reader.neededText('id', 'a record code', nameCharactersMax),
    registrationNumber: reader.text('registration_number', nameCharactersMax) || numberOf(code),
    title: reader.neededText('title', 'a title', textCharactersMax),
    area: reader.text('area', textCharactersMax),
    checkinDate: reader.neededDate('checkin_date'),
    inscriptionDate: reader.date('inscription_date'),
    municipality: reader.neededText('municipality', 'the name of a municipality', nameCharactersMax),
    links: reader.address('links'),
    agreementLink: reader.address('agreement_link') || null,
  }
  const content = reader.text('content', Number.POSITIVE_INFINITY)
  const documents = reader.documents()
  return reader.fault ?? { record, content, documents }
}

export function isRowFault(outcome: NormalisedRow | RowFault): outcome is RowFault {
  return 'expected' in outcome
}

const dateForms = 'YYYY-MM-DD or DD/MM/YYYY'

/** Reads the cells of one row and keeps the first fault; what is read after it is thrown away with the row. */
class RowReader {
  fault: RowFault | undefined
  readonly #row: Row
  readonly #layout: Layout
  readonly #tally: Tally

  constructor(row: Row, layout: Layout, tally: Tally) {
    this.#row = row
    this.#layout = layout
    this.#tally = tally
  }

  refuse(column: Column, expected: string, value: string): string {
    this.fault ??= { line: this.#row.line, column, expected, value }
    return ''
  }

  text(column: Column, charactersMax: number): string {
    const text = this.#clean(this.#cell(column))
    return text.length > charactersMax ? this.refuse(column, `at most ${charactersMax} characters`, text) : text
  }

  neededText(column: Column, what: string, charactersMax: number): string {
    const text = this.text(column, charactersMax)
    if (visible.test(text)) return text
    const written = this.#written(column)
    return this.refuse(column, what, isNothing(written) ? written : text)
  }

  code(): string {
    const written = this.#cell('code').trim()
    const code = isCode(written) ? written : written.replace(formatMarks, '').trim()
    if (code !== '') return this.#code('code', code)
    // Some write the hyphen with the prefix.
    const prefix = this.#cell('prefix').trim().replace(/-$/, '')
    const number = this.#cell('registration_number').trim()
    if (prefix === '') {
      return this.refuse(this.#layout.indexOf('code') === undefined ? 'prefix' : 'code', codeForm, prefix)
    }
    if (!/^\d+$/.test(number)) return this.refuse('registration_number', 'digits, to follow the prefix', number)
    return this.#code('prefix', `${prefix}-${number}`)
  }

  #code(column: Column, code: string): string {
    if (code.length > nameCharactersMax) return this.refuse(column, `at most ${nameCharactersMax} characters`, code)
    return isCode(code) ? code : this.refuse(column, codeForm, code)
  }

  date(column: Column): string | null {
    const text = this.#cell(column).trim()
    if (text === '' || noDate.test(text)) return null
    return parseCalendarDate(text) ?? this.refuse(column, dateForms, text)
  }

  neededDate(column: Column): string {
    return this.date(column) ?? this.refuse(column, dateForms, this.#written(column).trim())
  }

  /** Kept byte for byte (decisions, `links`): entities, percent signs and all; only the space around it goes. */
  address(column: Column): string {
    const text = this.#cell(column).trim()
    if (text === '') return ''
    if (text.length > addressCharactersMax) {
      return this.refuse(column, `at most ${addressCharactersMax} characters`, text)
    }
    if (addressForm.test(text) && severalAddresses.test(text)) {
      return this.refuse(column, 'one address; that of the agreement goes in agreement_link', text)
    }
    // A browser drops tabs and newlines inside an address: `java\tscript:` is `javascript:` to it.
    if (!addressForm.test(text) || controlCharacter.test(text) || !URL.canParse(text) || !text.isWellFormed()) {
      return this.refuse(column, 'an address that begins with http:// or https://', text)
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
        this.refuse('document', 'file names under --documents, separated by ;', name)
      }
    }
    return [...new Set(names)]
  }

  #cell(column: Column): string {
    const cell = this.#written(column)
    return isNothing(cell) ? '' : cell
  }

  /** What stands in the cell, be it a word for nothing. */
  #written(column: Column): string {
    const index = this.#layout.indexOf(column)
    return (index === undefined ? undefined : this.#row.cells[index]) ?? ''
  }

  #clean(text: string): string {
    if (!unclean.test(text)) return text.trim()
    let clean = mendReadTwice(text)
    if (clean !== text) this.#tally.valuesMended += 1
    if (clean.includes('\ufffd')) this.#tally.valuesDamaged += 1
    if (clean.includes('&')) clean = this.#decodeEntities(clean)
    if (controlCharacter.test(clean)) clean = clean.replace(controlCharacters, ' ')
    return clean.toWellFormed().trim()
  }

  /** Scrapers leave `&#34;` behind. Only entities with their semicolon: `R&D` and `A & B` are what they are. */
  #decodeEntities(text: string): string {
    return text.replace(entity, (written) => {
      const decoded = decodeHTMLStrict(written)
      if (decoded !== written) this.#tally.entitiesDecoded += 1
      return decoded
    })
  }
}

/** A database's words for it. */
function isNothing(cell: string): boolean {
  return cell === 'NULL' || cell === '\\N'
}

const codeForm = '<prefix>-<number>'
/** A database's ways to say that there is none, beside those that hold for every column. */
const noDate = /^(?:0000-00-00|00\/00\/0000)(?:[ T]00:00(?::00)?)?$|^null$/i
/** What there may be to mend: most texts have none of it, and one look tells. */
const unclean = /[&\p{Cc}\p{Cs}\u00c2\u00c3\u00e2\ufffd]/u
/** Something to be seen: neither space nor what only steers how others are shown. */
const visible = /[^\s\p{Cf}]/u
const formatMarks = /\p{Cf}/gu
const controlCharacter = /\p{Cc}/u
const controlCharacters = /\r\n|\p{Cc}/gu
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g
const addressForm = /^https?:\/\/[^\s/?#\\]/i
const severalAddresses = /[\s;|,]https?:\/\//i
/** Absolute, on another drive, or up and away. */
const outsideFolder = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/
