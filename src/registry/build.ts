// Builds a registry file (schema.ts) from records, which come in canonical order: newest first, then by code. Two more
// threads of work go on beside each other: analyser-pool.ts makes the tokens of the records, and this thread writes
// the rows and the full-text indexes.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { RecordContent, RecordDocument } from '../domain/document.ts'
import { foldCode } from '../domain/inscription-code.ts'
import { type FieldValues, foldFieldValue, type OwnField } from '../domain/own-fields.ts'
import { compareCanonically, type StoredRecord, type WireRecord } from '../domain/record.ts'
import { AnalyserPool } from './analyser-pool.ts'
import type { NameResolution } from './contract.ts'
import { RegistryId, type RegistryOptions, toPublishedNames, toRecordDigest } from './digest.ts'
import { type DocumentTotals, noDocuments, type RegistryDocuments, sumTotals } from './document-totals.ts'
import { MunicipalityIndex } from './municipality-index.ts'
import { toPages } from './pages.ts'
import { applicationId, formatVersion, indexes, schema } from './schema.ts'
import {
  blocksPerPage,
  kinds,
  type RecordTokens,
  toFieldTokens,
  toPlaceTokens,
  toValueTokens,
  valuesOf,
} from './tokens.ts'
import { VocabularyBuilder } from './vocabulary-builder.ts'

/**
 * How many bytes of postings FTS5 keeps in memory before it writes them as a segment. Larger segments are merged less
 * often. The two indexes of records have so much each.
 */
const hashBytes = 24 * 1024 * 1024
/** Texts of 1 KB would leave a sixth of smaller pages empty. */
const pageBytes = 16 * 1024
/** Size of the page cache of SQLite while the file is built. More would hardly help: almost all pages are appended. */
const pageCacheKb = 12 * 1024

/** A record whose tokens are still being made. */
interface PendingRecord {
  readonly position: bigint
  readonly firstPage: number
  /** The tokens of its filters, for `search` and for `prefix`. */
  readonly searchFilters: string
  readonly prefixFilters: string
}

export class RegistryBuilder {
  readonly #path: string
  readonly #withPassages: boolean
  readonly #database: DatabaseSync
  readonly #insert
  readonly #analysers: AnalyserPool
  readonly #pending: PendingRecord[] = []
  readonly #municipalities = new MunicipalityIndex()
  readonly #vocabulary = new VocabularyBuilder()
  readonly #id = new RegistryId()
  readonly #fields: readonly OwnField[]
  /** By the name of the own column and the folded value. */
  readonly #fieldValues = new Map<string, Map<string, { readonly value: string; records: number }>>()
  /** The years, newest first as the records come. `first` is the position of the first record of the year. */
  readonly #years: { year: number; first: number; records: number }[] = []
  #records = 0
  /** The record that was added last. */
  #last: StoredRecord | undefined
  #pages = 0
  #recordsWithoutText = 0
  #documents: DocumentTotals = noDocuments
  #documentsWithoutText = 0

  /** Creates the file, and replaces one that an import has left there. */
  constructor(path: string, withPassages: boolean, fields: readonly OwnField[]) {
    this.#path = path
    this.#withPassages = withPassages
    this.#fields = fields
    for (const { name } of fields) this.#fieldValues.set(name, new Map())
    rmSync(path, { force: true })
    // FTS5 has rowids of its own that are larger than a JS number can hold exactly; node:sqlite would throw at the
    // next insertion (`lastInsertRowid`).
    this.#database = new DatabaseSync(path, { readBigInts: true })
    // A file that is not complete is discarded, so nothing needs to be durable before publication.
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE;
      PRAGMA page_size = ${pageBytes}; PRAGMA cache_size = -${pageCacheKb};
      PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};
      BEGIN;
      ${schema}`)
    for (const index of fullTextIndexes) {
      // All segments are merged once, at the end.
      this.#database.exec(`
        INSERT INTO ${index} (${index}, rank) VALUES ('automerge', 0), ('crisismerge', 1999), ('hashsize', ${hashBytes})`)
    }
    this.#insert = prepareInserts(this.#database)
    this.#analysers = new AnalyserPool((tokens, inflections) => {
      this.#insertTokens(tokens)
      for (const [stem, form] of inflections) this.#insert.inflection.run(stem, form)
    })
  }

  /** Adds the next record in canonical order. Returns a promise if the caller must wait before it adds more. */
  add(record: StoredRecord, content: RecordContent): Promise<void> | undefined {
    const { code, checkinDate, title, area, wire, fields } = record
    assert.ok(this.#last === undefined || compareCanonically(this.#last, record) <= 0, 'records in canonical order')
    this.#last = record
    const position = this.#records++
    const year = Number(checkinDate.slice(0, 4))
    this.#countInYear(year, position)
    const { ineCode, number, key } = this.#municipalities.add(record, year)
    const pages = toPages(content)
    if (pages.length === 0) this.#recordsWithoutText++
    const digest = toRecordDigest({ code, wire, fields, ineCode, documents: content.documents, pages })
    this.#id.add(digest, toPublishedNames(content.documents))
    const firstPage = this.#pages
    const counts = [firstPage, pages.length] as const
    const place = [ineCode, number] as const
    this.#insert.record.run(position, code, checkinDate, ...place, ...counts, foldCode(code), digest, wire, fields)
    this.#countFieldValues(fields)
    this.#insertDocuments(position, content.documents)
    for (const { document, page, recognised, text } of pages) {
      const pageNumber = this.#pages++
      if (this.#withPassages) {
        this.#insert.page.run(pageNumber, position, document, page, recognised ? 1 : 0, text)
      }
    }
    // The vocabulary samples only the beginning of contents, so the first page is enough.
    this.#vocabulary.add(title, pages[0]?.text ?? '')
    const prefixFilters = toPlaceTokens(key, ineCode).join(' ')
    const values = [...toValueTokens(JSON.parse(wire) as WireRecord), ...toFieldTokens(fields, this.#fields)]
    const searchFilters = [prefixFilters, ...values].join(' ')
    this.#pending.push({ position: BigInt(position), firstPage, searchFilters, prefixFilters })
    return this.#analysers.add({ title, area, fields: valuesOf(fields), pages: pages.map(({ text }) => text) })
  }

  #countFieldValues(fields: string | null): void {
    if (fields === null) return
    const values = JSON.parse(fields) as FieldValues
    for (const { name, label } of this.#fields) {
      const value = values[label]
      const counted = this.#fieldValues.get(name)
      if (value === undefined || counted === undefined) continue
      const folded = foldFieldValue(value)
      const known = counted.get(folded)
      if (known === undefined) counted.set(folded, { value, records: 1 })
      else known.records++
    }
  }

  #insertDocuments(position: number, documents: readonly RecordDocument[]): void {
    for (const [index, document] of documents.entries()) {
      const { href, pages, read, recognised, unread, reason, sha256, published, texts } = document
      this.#insert.document.run(position, index + 1, href, pages, read, recognised, unread, reason, sha256)
      if (published !== undefined) {
        const { name, bytes, isPdf } = published
        this.#insert.published.run(sha256, name, bytes, isPdf ? 1 : 0)
      }
      this.#documents = sumTotals([this.#documents, document])
      // A document of blank pages has no text either, but none is missing: its `reason` is null.
      if (reason !== null && texts.length === 0) this.#documentsWithoutText++
    }
  }

  /** Writes the tokens of the records that have waited longest: one index after the other, which is faster. */
  #insertTokens(batch: readonly RecordTokens[]): void {
    const records = this.#pending.splice(0, batch.length)
    for (const [index, { position, searchFilters }] of records.entries()) {
      this.#insert.search.run(position, `${searchFilters} ${batch[index]?.search}`)
    }
    for (const [index, { position, prefixFilters }] of records.entries()) {
      this.#insert.prefix.run(position, `${prefixFilters} ${batch[index]?.prefix}`)
    }
    if (!this.#withPassages) return
    for (const [index, { firstPage }] of records.entries()) {
      for (const { number, tokens } of batch[index]?.blocks ?? []) {
        this.#insert.pageWords.run(BigInt(firstPage * blocksPerPage + number), tokens)
      }
    }
  }

  /** Records come in order of date, so the records of a year follow each other. */
  #countInYear(year: number, position: number): void {
    const current = this.#years.at(-1)
    if (current?.year === year) current.records++
    else this.#years.push({ year, first: position, records: 1 })
  }

  /**
   * Writes what needs all records, and closes the file. `properties` are further rows of the table `property`. Returns
   * which names of municipalities are known, for the report of the import.
   */
  async finish(
    { fictional, codePattern }: Pick<RegistryOptions, 'fictional' | 'codePattern'>,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<NameResolution> {
    await this.#analysers.finish()
    const steps = fullTextIndexes.length + 2
    for (const [index, table] of fullTextIndexes.entries()) {
      onProgress(index, steps)
      this.#database.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
    }
    onProgress(steps - 2, steps)
    this.#writeWords()
    onProgress(steps - 1, steps)
    this.#writeMunicipalities()
    for (const { year, first, records } of this.#years) this.#insert.year.run(year, first, records)
    const [withPassages, fields] = [this.#withPassages, this.#fields]
    for (const [name, values] of this.#fieldValues) {
      for (const [folded, { value, records }] of values) this.#insert.fieldValue.run(name, folded, value, records)
    }
    const documents: RegistryDocuments = { ...this.#documents, withoutText: this.#documentsWithoutText }
    const properties = {
      ...(codePattern === null ? {} : { code_pattern: codePattern }),
      documents: JSON.stringify(documents),
      fictional: fictional ? '1' : '0',
      ...(fields.length === 0 ? {} : { fields: JSON.stringify(fields) }),
      id: this.#id.finish({ fictional, codePattern, withPassages, fields }),
      passages: withPassages ? '1' : '0',
      published_at: new Date().toISOString(),
      records: String(this.#records),
      records_without_text: String(this.#recordsWithoutText),
    }
    for (const [name, value] of Object.entries(properties)) this.#insert.property.run(name, value)
    this.#database.exec(`${indexes} COMMIT`)
    this.#database.close()
    onProgress(steps, steps)
    return this.#municipalities.toNameResolution()
  }

  /** Writes the forms of all records, which the index `prefix` has, and the vocabulary that is chosen from them. */
  #writeWords(): void {
    this.#database.exec(`CREATE VIRTUAL TABLE temp.prefix_terms USING fts5vocab(main, prefix, row)`)
    const terms = this.#database.prepare('SELECT term, doc FROM temp.prefix_terms WHERE term >= ? AND term < ?')
    const next = String.fromCharCode(kinds.form.charCodeAt(0) + 1)
    for (const row of terms.iterate(kinds.form, next) as Iterable<{ term: string; doc: bigint }>) {
      const word = row.term.slice(kinds.form.length)
      this.#insert.word.run(word, row.doc)
      this.#vocabulary.addWord(word, Number(row.doc))
    }
    this.#database.exec('DROP TABLE temp.prefix_terms')
    for (const { folded, spelling, weight } of this.#vocabulary.finish()) {
      this.#insert.spelling.run(folded.length, folded, spelling, weight)
    }
  }

  #writeMunicipalities(): void {
    for (const municipality of this.#municipalities.toRows()) {
      const { number, key, name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear } = municipality
      const names = [JSON.stringify(otherNames), JSON.stringify(lookupKeys)] as const
      this.#insert.municipality.run(number, key, name, ineCode, ...names, records, firstYear, lastYear)
    }
  }

  /** Removes everything that was written. A file that was put in service has another path by then. */
  async discard(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
    await this.#analysers.close()
    rmSync(this.#path, { force: true })
  }
}

const fullTextIndexes = ['search', 'prefix', 'page_words'] as const

function prepareInserts(database: DatabaseSync) {
  const insert = (table: string, columns: string) =>
    database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`)
  return {
    property: insert('property', 'name, value'),
    year: insert('year', 'year, first, records'),
    municipality: insert(
      'municipality',
      'number, key, name, ine_code, other_names, lookup_keys, records, first_year, last_year',
    ),
    record: insert(
      'expediente',
      `position, cod_archivo, checkin_date, ine_code, municipality_number, first_page, page_count, folded_code, digest,
       wire, fields`,
    ),
    document: insert('document', 'position, number, href, pages, read, recognised, unread, reason, sha256'),
    // Several records may have the same file. It has the name that the first one gives it.
    published: database.prepare('INSERT OR IGNORE INTO published VALUES (?, ?, ?, ?, 0)'),
    page: insert('page', 'number, position, document, page, recognised, text'),
    fieldValue: insert('field_value', 'field, folded, value, records'),
    word: insert('word', 'word, records'),
    // The threads may find the same one.
    inflection: database.prepare('INSERT OR IGNORE INTO inflection VALUES (?, ?)'),
    spelling: insert('spelling', 'letters, folded, spelling, weight'),
    search: insert('search', 'rowid, tokens'),
    prefix: insert('prefix', 'rowid, tokens'),
    pageWords: insert('page_words', 'rowid, tokens'),
  }
}
