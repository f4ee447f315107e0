// Builds a snapshot file, which is an SQLite database (docs/schema.md lists its tables). An import adds the records one
// by one in canonical order (newest first), then calls `finish`, which writes the inverted index and the other tables.
// Both engines publish such a file: SQLite serves the file itself, PostgreSQL a copy of its tables.
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { RecordContent, RecordDocument } from '../../domain/document.ts'
import { foldCode } from '../../domain/inscription-code.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { IndexBuilder } from '../../index/index-builder.ts'
import { termKinds } from '../../index/posting-list.ts'
import { type PostingSink, PostingWriter } from '../../index/posting-writer.ts'
import { toNewLineage } from '../change-log.ts'
import { TableDigester, toChecksum, type Value } from '../checksum.ts'
import type { NameResolution, PublishOptions, SnapshotOptions } from '../contract.ts'
import {
  type DocumentTotals,
  documentChunkRecords,
  noDocuments,
  type RegistryDocuments,
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
import { writeExactValueLists, writePostingList, writeProvinceAndCommunityLists } from './filter-lists.ts'
import { prepareReturningArrays } from './open-file.ts'
import { codeRankChunkRecords } from './ranks.ts'
import { VocabularyBuilder } from './vocabulary-builder.ts'

/** How many records have their municipality numbers in one row of `municipality_chunk`. */
const municipalityChunkRecords = 65_536

/** The id of a snapshot is the first 128 bits of a SHA-256, in hexadecimal digits. */
const idHexDigits = 32

/** The tables of the two kinds of chunk that the posting writer produces. */
const chunkTables = { block: 'posting_block', positions: 'position_chunk' } as const

/** The columns of `term_entry` except the rank, which a term gets when all terms are written (`#rankEntries`). */
const unrankedColumns = 'term, records, skip_table, first_block, first_chunk, inline_block, checksum'

/** A table while rows are inserted, in the order of its key. */
interface GrowingTable {
  readonly insert: StatementSync
  readonly digester: TableDigester
}

export class SnapshotFileBuilder {
  readonly #path: string
  /** Holds the sorted runs of the external merge sort that makes the index. */
  readonly #runsFolder: string
  readonly #database: DatabaseSync
  /** By name of the table. */
  readonly #tables: ReadonlyMap<string, GrowingTable>
  readonly #insertUnranked: StatementSync
  readonly #index: IndexBuilder
  readonly #municipalities = new MunicipalityIndex()
  readonly #vocabulary = new VocabularyBuilder()
  /** The hash that becomes the id of the snapshot. `add` feeds it with the digest of each record. */
  readonly #idHash = createHash('sha256').update(`format ${formatVersion}`)
  /** The years, newest first as the records come. `first` is the position of the first record of the year. */
  readonly #years: { year: number; first: number; records: number }[] = []
  /** Number of records added so far. */
  #records = 0
  #recordsWithoutText = 0
  /** Compresses the text for passages. Null if the text is only indexed and not stored. */
  readonly #textChunks: TextChunkWriter | null
  /** The page counts of each record that is not yet in a row of `document_chunk`. */
  #pendingTotals: DocumentTotals[] = []
  /** The page counts of all records together. */
  #snapshotTotals = noDocuments
  #documentsWithoutText = 0

  /** Creates the file, and a folder next to it for the sorted runs of the index. Replaces both if they exist. */
  constructor(path: string, { withPassages = true }: SnapshotOptions = {}) {
    this.#path = path
    this.#textChunks = withPassages ? new TextChunkWriter() : null
    this.#runsFolder = `${path}-runs`
    this.#remove()
    mkdirSync(this.#runsFolder)
    this.#index = new IndexBuilder(this.#runsFolder)
    this.#database = new DatabaseSync(path)
    // A file that is not complete is discarded, so nothing needs to be durable before publication. SQLite sorts in
    // temporary files, because the ids of all records may be too many for the memory (filter-lists.ts).
    this.#database.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = FILE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};
      BEGIN;
      ${[...tables, digestTable].map((table) => toCreateTable(table, sqliteDialect)).join('\n')}
      ${toCreateView(sqliteDialect)}`)
    this.#tables = new Map(
      tables.map((table) => {
        return [table.name, { insert: prepareInsert(this.#database, table), digester: new TableDigester(table) }]
      }),
    )
    this.#database.exec(`CREATE TEMP TABLE unranked_entry (${unrankedColumns})`)
    this.#insertUnranked = this.#database.prepare('INSERT INTO unranked_entry VALUES (?, ?, ?, ?, ?, ?, ?)')
  }

  /** Adds the next record in canonical order. Returns a promise if the caller must wait before it adds more. */
  add(record: StoredRecord, content: RecordContent): Promise<void> | undefined {
    const { checkinDate, title, area } = record
    const position = this.#records++
    const year = Number(checkinDate.slice(0, 4))
    this.#countInYear(year, position)
    /** Null if the name of the municipality is unknown or ambiguous. */
    const ineCode = this.#municipalities.add(record, year)
    const segments = toSegments(content)
    if (segments.length === 0) this.#recordsWithoutText++
    this.#insertRecord(position, record, ineCode, toDocumentsJson(content.documents), segments)
    for (const segment of segments) this.#insertTextChunk(this.#textChunks?.add(segment))
    this.#addDocumentTotals(sumTotals(content.documents))
    this.#documentsWithoutText += content.documents.filter(isWithoutText).length
    // The vocabulary samples only the beginning of contents, so the first segment is enough.
    this.#vocabulary.add(title, segments[0]?.text ?? '')
    // The area is indexed as content. It is no segment, because results show it as a field and not in a passage.
    return this.#index.add({ title, area, segments: segments.map(({ text }) => text) })
  }

  /** Inserts the row of the record, and adds its digest to the id of the snapshot. Called before its text is added. */
  #insertRecord(
    position: number,
    { code, checkinDate, wire }: StoredRecord,
    ineCode: string | null,
    documents: string,
    segments: readonly Segment[],
  ): void {
    const foldedCode = foldCode(code)
    // SQLite has no booleans.
    const hasText = segments.length === 0 ? 0 : 1
    // Segments are numbered from 0 through the whole snapshot. This is the number of the record's first one.
    const firstSegment = this.#textChunks?.segmentCount ?? 0
    // The next import compares this digest to tell whether the record has changed (comparison.ts).
    const digest = toDigest(`${code}\0${wire}\0${documents}`, segments)
    this.#idHash.update(digest)
    // Most responses read only the columns that `checksum` covers. The columns that `includeChecksum` covers are read
    // for the parameter `include` and for cursors, among others. No request reads `hasText` and `digest`, so neither
    // checksum covers them; the digest of the whole table does.
    const includeChecksum = toChecksum([position, code, checkinDate, ineCode, documents, firstSegment])
    const checksum = toChecksum([position, foldedCode, wire])
    this.#insert('record', [
      position,
      code,
      foldedCode,
      checkinDate,
      ineCode,
      hasText,
      digest,
      wire,
      documents,
      firstSegment,
      includeChecksum,
      checksum,
    ])
  }

  /** `chunk` is what `TextChunkWriter` returned; undefined if it has completed no chunk, or the text is not stored. */
  #insertTextChunk(chunk: TextChunk | undefined): void {
    if (chunk === undefined) return
    const { firstSegment, bytes } = chunk
    this.#insert('text_chunk', [firstSegment, bytes, toChecksum([firstSegment, bytes])])
  }

  #addDocumentTotals(totals: DocumentTotals): void {
    this.#snapshotTotals = sumTotals([this.#snapshotTotals, totals])
    this.#pendingTotals.push(totals)
    if (this.#pendingTotals.length === documentChunkRecords) this.#insertDocumentChunk()
  }

  /** Inserts the pending totals as a row of `document_chunk`. Does nothing if there are none. */
  #insertDocumentChunk(): void {
    if (this.#pendingTotals.length === 0) return
    const lastPosition = this.#records - 1
    const number = Math.floor(lastPosition / documentChunkRecords)
    this.#insertNumbered('document_chunk', number, toDocumentChunk(this.#pendingTotals))
    this.#pendingTotals = []
  }

  /** Records come in order of date, so the records of a year follow each other. */
  #countInYear(year: number, position: number): void {
    const current = this.#years.at(-1)
    if (current?.year === year) current.records++
    else this.#years.push({ year, first: position, records: 1 })
  }

  /**
   * Writes the tables that need all records, and closes the file. Returns which names of municipalities are known, for
   * the report of the import.
   */
  async finish({ fictional, codePattern = null, onProgress }: PublishOptions): Promise<NameResolution> {
    this.#insertTextChunk(this.#textChunks?.finish())
    this.#insertDocumentChunk()
    const postings = new PostingWriter(this.#toSink())
    // The posting lists of filters come first, because the threads of the index may still be inverting the last texts.
    this.#writeMunicipalities(postings)
    // The posting lists of ids and registration numbers, which a filter compares as whole values.
    writeExactValueLists(this.#database, postings)
    await this.#index.finish(postings, (done, total) => onProgress?.('index', done, total))
    this.#rankEntries()
    // The vocabulary has seen all terms of the index by now (`#toSink`).
    for (const [number, bytes] of this.#vocabulary.finish().entries()) {
      this.#insertNumbered('vocabulary_chunk', number, bytes)
    }
    // The key of the table is the year, and rows are inserted in the order of the key: oldest first.
    for (const { year, first, records } of this.#years.toReversed()) this.#insert('year', [year, first, records])
    this.#writeProperties(fictional, codePattern)
    this.#database.exec(toCreateIndexes())
    // After the indexes, one of which has the codes in their order.
    this.#writeCodeRanks()
    this.#writeDigests()
    this.#database.exec('COMMIT')
    this.#database.close()
    return this.#municipalities.toNameResolution()
  }

  #writeProperties(fictional: boolean, codePattern: string | null): void {
    const hasPassages = this.#textChunks !== null
    // The id also covers the options, because the same records give other responses with other options.
    const id = this.#idHash
      .update(fictional ? 'fictional' : '')
      .update(codePattern ?? '')
      .update(hasPassages ? '' : 'no passages')
      .digest('hex')
      .slice(0, idHexDigits)
    const documents: RegistryDocuments = { ...this.#snapshotTotals, withoutText: this.#documentsWithoutText }
    const properties = {
      ...(codePattern === null ? {} : { code_pattern: codePattern }),
      documents: JSON.stringify(documents),
      fictional: fictional ? '1' : '0',
      id,
      // The properties of a new change log: `lineage`, its random id, and `log_started_at`. If the snapshot continues
      // the log of the snapshot in service, publication replaces them by the properties of that log (`continueLog`).
      ...toNewLineage(),
      passages: hasPassages ? '1' : '0',
      published_at: new Date().toISOString(),
      records: String(this.#records),
      records_without_text: String(this.#recordsWithoutText),
    }
    for (const [name, value] of Object.entries(properties)) this.#insert('property', [name, value])
  }

  /** Removes everything that was written. A file that the import has already renamed into service stays. */
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
    // `positions` has the positions of the records of the first municipality, then of the second, and so on.
    const { municipalities, municipalityOfRecord, positions } = this.#municipalities.finish()
    /** Index in `positions`: where the positions of the next municipality begin. */
    let start = 0
    for (const [number, municipality] of municipalities.entries()) {
      const { name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear } = municipality
      const namesJson = [JSON.stringify(otherNames), JSON.stringify(lookupKeys)]
      this.#insert('municipality', [number, name, ineCode, ...namesJson, records, firstYear, lastYear])
      writePostingList(postings, termKinds.municipality + number, positions.subarray(start, start + records))
      start += records
    }
    writeProvinceAndCommunityLists(postings, municipalities, municipalityOfRecord)
    for (let number = 0; number * municipalityChunkRecords < municipalityOfRecord.length; number++) {
      const first = number * municipalityChunkRecords
      const chunk = municipalityOfRecord.subarray(first, first + municipalityChunkRecords)
      this.#insertNumbered('municipality_chunk', number, toBytes(chunk))
    }
  }

  /**
   * Moves the collected term entries to their table, sorted and with their ranks. If a term is not found, the ranks of
   * its neighbours tell whether it is really absent, or hidden by damage (ranks.ts).
   */
  #rankEntries(): void {
    const entries = prepareReturningArrays(
      this.#database,
      `SELECT ${unrankedColumns} FROM unranked_entry ORDER BY term`,
    ).iterate()
    let rank = 0
    for (const [term, ...otherColumns] of entries as unknown as Iterable<Value[]>) {
      this.#insert('term_entry', [term ?? null, rank++, ...otherColumns])
    }
    this.#database.exec('DROP TABLE unranked_entry')
  }

  /** Writes the rank of each record's folded code, by position. As with terms, ranks show damage that hides a code. */
  #writeCodeRanks(): void {
    const ranks = new Uint32Array(this.#records)
    const positions = prepareReturningArrays(
      this.#database,
      'SELECT position FROM record ORDER BY folded_code',
    ).iterate()
    let rank = 0
    for (const [position] of positions as unknown as Iterable<[number]>) ranks[position] = rank++
    for (let first = 0; first < ranks.length; first += codeRankChunkRecords) {
      const chunk = ranks.subarray(first, first + codeRankChunkRecords)
      this.#insertNumbered('code_rank_chunk', first / codeRankChunkRecords, toBytes(chunk))
    }
  }

  /** The sink of the posting writer: inserts the finished blocks, chunks and term entries. */
  #toSink(): PostingSink {
    return {
      putChunk: (kind, number, bytes) => this.#insertNumbered(chunkTables[kind], number, bytes),
      putEntry: ({ key, recordCount, skipTable, firstBlockNumber, firstPositionChunkNumber, inlineBlock }) => {
        const row = [key, recordCount, toBytes(skipTable), firstBlockNumber, firstPositionChunkNumber, inlineBlock]
        this.#insertUnranked.run(...row, toChecksum(row))
        this.#vocabulary.addEntry(key, recordCount)
      },
    }
  }

  /** Inserts a row into a table with the columns `number`, `bytes` and `checksum`. */
  #insertNumbered(table: string, number: number, bytes: Uint8Array): void {
    this.#insert(table, [number, bytes, toChecksum([number, bytes])])
  }

  /** `row` has a value for each column of the table, in their order. The rows of a table ascend by its key. */
  #insert(table: string, row: readonly Value[]): void {
    const growing = this.#tables.get(table)
    assert.ok(growing, table)
    growing.insert.run(...row)
    growing.digester.add(row)
  }

  /** Writes the digest and the number of rows of each table. */
  #writeDigests(): void {
    const insert = prepareInsert(this.#database, digestTable)
    for (const [name, { digester }] of this.#tables) {
      const { rows, sha256 } = digester.finish()
      insert.run(name, rows, sha256)
    }
  }
}

/**
 * Whether text of the document is missing, and no page has any. A document of blank pages has no text either, but none
 * is missing: its `reason` is null.
 */
function isWithoutText({ reason, texts }: RecordDocument): boolean {
  return reason !== null && texts.length === 0
}

/** SHA-1 of the fields of a record and of its segments: document, page, whether it was recognised, and text. */
function toDigest(fields: string, segments: readonly Segment[]): Buffer {
  const texts = segments.map(({ document, page, recognised, text }) => `\0${document} ${page} ${recognised}\0${text}`)
  return hash('sha1', fields + texts.join(''), 'buffer')
}

function prepareInsert(database: DatabaseSync, { name, columns }: Table): StatementSync {
  const placeholders = Object.keys(columns).map(() => '?')
  return database.prepare(`INSERT INTO ${name} VALUES (${placeholders.join(', ')})`)
}

/** The numbers as bytes: a view of the same memory. */
function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
