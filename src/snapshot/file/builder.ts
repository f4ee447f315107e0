// Builds a snapshot file: rows of records in canonical order (newest first), then the inverted index, the
// municipalities, the years and the digests. An import adds the records one by one, then calls `finish`. Both engines
// publish such a file: SQLite serves the file itself, PostgreSQL a copy of its tables.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { RecordContent } from '../../domain/document.ts'
import { foldCode } from '../../domain/inscription-code.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { IndexBuilder } from '../../index/index-builder.ts'
import { termKinds } from '../../index/posting-list.ts'
import { type PostingSink, PostingWriter } from '../../index/posting-writer.ts'
import { toNewLineage } from '../change-log.ts'
import { computeDigest, toChecksum, type Value } from '../checksum.ts'
import type { NameResolution, PublishOptions, SnapshotOptions } from '../contract.ts'
import {
  type DocumentTotals,
  documentChunkRecords,
  noDocuments,
  sumTotals,
  toDocumentChunk,
  toDocumentsJson,
} from '../document-totals.ts'
import { MunicipalityIndex } from '../municipality-index.ts'
import {
  digestTable,
  formatVersion,
  type Table,
  tables,
  toCreateIndexes,
  toCreateTable,
  toCreateView,
} from '../schema.ts'
import { type Segment, type TextChunk, TextChunkWriter, toSegments } from '../segments.ts'
import { applicationId, sqliteDialect } from './dialect.ts'
import { writePlaceLists, writePostingList, writeValueLists } from './filter-lists.ts'
import { iterateRows } from './open-file.ts'
import { VocabularyBuilder } from './vocabulary-builder.ts'

/** Records whose municipality numbers are in one row of `municipality_chunk`. */
const municipalityChunkRecords = 65_536

/** Length of the snapshot id: 128 bits of a SHA-256. */
const idHexDigits = 32

export class SnapshotFileBuilder {
  readonly #path: string
  /** Holds the runs of the external merge sort that makes the index. */
  readonly #runsFolder: string
  readonly #database: DatabaseSync
  readonly #inserts: ReadonlyMap<string, StatementSync>
  readonly #index: IndexBuilder
  readonly #municipalities = new MunicipalityIndex()
  readonly #vocabulary = new VocabularyBuilder()
  /** Becomes the id of the snapshot. It covers the digest of every record. */
  readonly #idHash = createHash('sha256').update(`format ${formatVersion}`)
  /** Newest first, because records are added in canonical order. `first` is the position of the year's first record. */
  readonly #years: { year: number; first: number; records: number }[] = []
  /** Records added so far. */
  #records = 0
  #recordsWithoutText = 0
  /** Null if the text is only indexed and not stored. */
  readonly #textChunks: TextChunkWriter | null
  /** Totals of the records that are not yet in a row of `document_chunk`. */
  #documentTotals: DocumentTotals[] = []
  #totalsOfAll = noDocuments

  /** Creates the file, and a folder next to it for the sorted runs of the index. Replaces leftovers of both. */
  constructor(path: string, { withPassages = true }: SnapshotOptions = {}) {
    this.#path = path
    this.#textChunks = withPassages ? new TextChunkWriter() : null
    this.#runsFolder = `${path}-runs`
    this.#remove()
    mkdirSync(this.#runsFolder)
    this.#index = new IndexBuilder(this.#runsFolder)
    this.#database = new DatabaseSync(path)
    // A file that is not complete is discarded, so nothing needs to be durable before publication.
    this.#database.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = FILE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};
      BEGIN;
      ${[...tables, digestTable].map((table) => toCreateTable(table, sqliteDialect)).join('\n')}
      ${toCreateView(sqliteDialect)}`)
    this.#inserts = new Map(tables.map((table) => [table.name, prepareInsert(this.#database, table)]))
  }

  /** Adds the next record in canonical order. Returns a promise if the caller must wait before it adds more. */
  add(
    { code, checkinDate, title, area, municipality, wire }: StoredRecord,
    content: RecordContent,
  ): Promise<void> | undefined {
    const position = this.#records++
    const year = Number(checkinDate.slice(0, 4))
    this.#countInYear(year, position)
    /** Null if the name of the municipality is unknown or ambiguous. */
    const ineCode = this.#municipalities.add({ code, municipality }, year)
    const foldedCode = foldCode(code)
    const segments = toSegments(content)
    // A number, because the column is one.
    const hasText = segments.length === 0 ? 0 : 1
    if (hasText === 0) this.#recordsWithoutText++
    const documents = toDocumentsJson(content.documents)
    // Segments are numbered through the whole snapshot, so the number of those before is the number of the next.
    const firstSegment = this.#textChunks?.segmentCount ?? 0
    // The next import compares this digest to tell whether the record has changed (comparison.ts).
    const digest = toDigest(`${code}\0${wire}\0${documents}`, segments)
    this.#idHash.update(digest)
    // One checksum for the columns that a response with included properties needs, one for those of any response.
    const includedColumns = [code, checkinDate, ineCode, documents, firstSegment]
    const checksums = [toChecksum(includedColumns), toChecksum([foldedCode, wire])]
    const row = [position, code, foldedCode, checkinDate, ineCode, hasText, digest, wire, documents, firstSegment]
    this.#insert('record', [...row, ...checksums])
    for (const segment of segments) this.#insertTextChunk(this.#textChunks?.add(segment))
    this.#addDocumentTotals(sumTotals(content.documents))
    // The vocabulary needs only the beginning of a content.
    this.#vocabulary.add(title, segments[0]?.text ?? '')
    // The area is searched like content, but no segment has it: it is in the wire format.
    return this.#index.add({ title, area, segments: segments.map(({ text }) => text) })
  }

  /** Does nothing if no chunk is full yet. */
  #insertTextChunk(chunk: TextChunk | undefined): void {
    if (chunk === undefined) return
    const { firstSegment, bytes } = chunk
    this.#insert('text_chunk', [firstSegment, bytes, toChecksum([firstSegment, bytes])])
  }

  #addDocumentTotals(totals: DocumentTotals): void {
    this.#totalsOfAll = sumTotals([this.#totalsOfAll, totals])
    this.#documentTotals.push(totals)
    if (this.#documentTotals.length === documentChunkRecords) this.#insertDocumentChunk()
  }

  /** Inserts the row of `document_chunk` that ends with the last record added. */
  #insertDocumentChunk(): void {
    if (this.#documentTotals.length === 0) return
    const number = Math.ceil(this.#records / documentChunkRecords) - 1
    const bytes = toDocumentChunk(this.#documentTotals)
    this.#insert('document_chunk', [number, bytes, toChecksum([number, bytes])])
    this.#documentTotals = []
  }

  /** Records come in order of date, so those of a year follow each other. */
  #countInYear(year: number, position: number): void {
    const current = this.#years.at(-1)
    if (current?.year === year) current.records++
    else this.#years.push({ year, first: position, records: 1 })
  }

  /** Completes and closes the file. Returns the municipality names for the report of the import. */
  async finish({ fictional, codePattern = null, onProgress }: PublishOptions): Promise<NameResolution> {
    this.#insertTextChunk(this.#textChunks?.finish())
    this.#insertDocumentChunk()
    const postings = new PostingWriter(this.#toSink())
    await this.#index.finish(postings, (done, total) => onProgress?.('index', done, total))
    this.#writeMunicipalities(postings)
    writeValueLists(this.#database, postings)
    for (const [number, bytes] of this.#vocabulary.finish().entries()) {
      this.#insert('vocabulary_chunk', [number, bytes, toChecksum([number, bytes])])
    }
    // The key of the table is the year, and rows are inserted in the order of the key: oldest first.
    for (const { year, first, records } of this.#years.toReversed()) this.#insert('year', [year, first, records])
    const properties = {
      ...(codePattern === null ? {} : { code_pattern: codePattern }),
      documents: JSON.stringify(this.#totalsOfAll),
      fictional: fictional ? '1' : '0',
      id: this.#idHash
        .update(fictional ? 'fictional' : '')
        .update(codePattern ?? '')
        .update(this.#textChunks === null ? 'no passages' : '')
        .digest('hex')
        .slice(0, idHexDigits),
      // `lineage` and `log_started_at`: this snapshot starts a change log. If a registry is in service, publication
      // replaces both by those of its log, which the snapshot then continues (continue-log.ts).
      ...toNewLineage(),
      passages: this.#textChunks === null ? '0' : '1',
      published_at: new Date().toISOString(),
      records: String(this.#records),
      records_without_text: String(this.#recordsWithoutText),
    }
    for (const [name, value] of Object.entries(properties)) this.#insert('property', [name, value])
    this.#writeDigests()
    this.#database.exec(toCreateIndexes())
    this.#database.exec('COMMIT')
    this.#database.close()
    return this.#municipalities.toNameResolution()
  }

  /** Removes everything that was written. The file is no longer there if the import has moved it into service. */
  async discard(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
    await this.#index.close()
    this.#remove()
  }

  #remove(): void {
    for (const path of [this.#path, this.#runsFolder]) rmSync(path, { recursive: true, force: true })
  }

  /** Writes the municipalities, the posting list of each, and the municipality number of each record. */
  #writeMunicipalities(postings: PostingWriter): void {
    // `positions` has the positions of the records of the first municipality, then those of the second, and so on.
    const { municipalities, municipalityOfRecord, positions } = this.#municipalities.finish()
    let first = 0
    for (const [number, each] of municipalities.entries()) {
      const names = [JSON.stringify(each.otherNames), JSON.stringify(each.lookupKeys)]
      const counts = [each.records, each.firstYear, each.lastYear]
      this.#insert('municipality', [number, each.name, each.ineCode, ...names, ...counts])
      const end = first + each.records
      writePostingList(postings, termKinds.municipality + number, positions.subarray(first, end))
      first = end
    }
    writePlaceLists(postings, municipalities, municipalityOfRecord)
    for (let chunk = 0; chunk * municipalityChunkRecords < municipalityOfRecord.length; chunk++) {
      const from = chunk * municipalityChunkRecords
      const bytes = toBytes(municipalityOfRecord.subarray(from, from + municipalityChunkRecords))
      this.#insert('municipality_chunk', [chunk, bytes, toChecksum([chunk, bytes])])
    }
  }

  /** The sink of the posting writer: it inserts the finished blocks, chunks and term entries. */
  #toSink(): PostingSink {
    const tableOf = { block: 'posting_block', positions: 'position_chunk' } as const
    return {
      putChunk: (kind, number, bytes) => this.#insert(tableOf[kind], [number, bytes, toChecksum([number, bytes])]),
      putEntry: ({ key, records, skipTable, firstBlock, firstChunk, inlineBlock }) => {
        const row = [key, records, toBytes(skipTable), firstBlock, firstChunk, inlineBlock]
        this.#insert('term_entry', [...row, toChecksum(row)])
        this.#vocabulary.addEntry(key, records)
      },
    }
  }

  /** `row` has a value for each column of the table, in their order. */
  #insert(table: string, row: readonly Value[]): void {
    const insert = this.#inserts.get(table)
    assert.ok(insert, table)
    insert.run(...row)
  }

  /** Reads every row back, so this also verifies that the rows were written correctly. */
  #writeDigests(): void {
    const insert = prepareInsert(this.#database, digestTable)
    for (const table of tables) {
      const { rows, sha256 } = computeDigest(iterateRows(this.#database, table), table)
      insert.run(table.name, rows, sha256)
    }
  }
}

/** SHA-1 of the fields of a record and of its text with the pages. */
function toDigest(fields: string, segments: readonly Segment[]): Buffer {
  const hash = createHash('sha1').update(fields)
  for (const { document, page, recognised, text } of segments) {
    hash.update(`\0${document} ${page} ${recognised}\0${text}`)
  }
  return hash.digest()
}

function prepareInsert(database: DatabaseSync, { name, columns }: Table): StatementSync {
  const placeholders = Object.keys(columns).map(() => '?')
  return database.prepare(`INSERT INTO ${name} VALUES (${placeholders.join(', ')})`)
}

/** Returns a view of the same memory. */
function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
