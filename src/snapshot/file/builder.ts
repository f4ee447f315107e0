// Builds a snapshot file: rows of records in canonical order, then the inverted index, the municipalities, the years
// and the digests. An import adds the records one by one. Both engines publish such a file: SQLite serves the file
// itself, PostgreSQL a copy of its tables.
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { RecordContent } from '../../domain/document.ts'
import { foldCode } from '../../domain/inscription-code.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { IndexBuilder } from '../../index/index-builder.ts'
import { termKinds } from '../../index/posting-list.ts'
import { type PostingSink, PostingWriter } from '../../index/posting-writer.ts'
import { computeDigest, toChecksum, type Value } from '../checksum.ts'
import type { NameResolution, PublishOptions } from '../contract.ts'
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
import { applicationId, sqliteDialect } from './dialect.ts'
import { writePlaceLists, writePostingList, writeValueLists } from './filter-lists.ts'
import { iterateRows } from './open-file.ts'

/** Records whose municipality numbers are in one row. */
const municipalityChunkRecords = 65_536

/** Length of the snapshot id: 128 bits of a SHA-256. */
const idHexDigits = 32

export class SnapshotFileBuilder {
  readonly #path: string
  readonly #runsFolder: string
  readonly #database: DatabaseSync
  readonly #inserts: ReadonlyMap<string, StatementSync>
  readonly #index: IndexBuilder
  readonly #municipalities = new MunicipalityIndex()
  /** Becomes the id of the snapshot. It covers the digest of every record. */
  readonly #idHash = createHash('sha256').update(`format ${formatVersion}`)
  /** Newest first, because records are added in canonical order. `first` is the position of the first record. */
  readonly #years: { year: number; first: number; records: number }[] = []
  #records = 0
  #recordsWithoutText = 0

  /** Creates the file, and a folder next to it for the sorted runs of the index. Replaces leftovers of both. */
  constructor(path: string) {
    this.#path = path
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
    { code, checkinDate, title, municipality, wire }: StoredRecord,
    content: RecordContent,
  ): Promise<void> | undefined {
    const position = this.#records++
    const year = Number(checkinDate.slice(0, 4))
    this.#countInYear(year, position)
    const ineCode = this.#municipalities.add({ code, municipality }, year)
    const foldedCode = foldCode(code)
    const text = toText(content)
    const hasText = text === '' ? 0 : 1
    if (hasText === 0) this.#recordsWithoutText++
    // The next import compares this digest to tell whether the record has changed (changes.ts).
    const digest = hash('sha1', `${code}\0${wire}\0${text}`, 'buffer')
    this.#idHash.update(digest)
    const checksums = [toChecksum([code, checkinDate, ineCode]), toChecksum([foldedCode, wire])]
    this.#insert('record', [position, code, foldedCode, checkinDate, ineCode, hasText, digest, wire, ...checksums])
    return this.#index.add(title, text)
  }

  #countInYear(year: number, position: number): void {
    const current = this.#years.at(-1)
    if (current?.year === year) current.records++
    else this.#years.push({ year, first: position, records: 1 })
  }

  /** Completes and closes the file. Returns the municipality names for the report of the import. */
  async finish({ fictional, onProgress }: PublishOptions): Promise<NameResolution> {
    const postings = new PostingWriter(this.#toSink())
    await this.#index.finish(postings, (done, total) => onProgress?.('index', done, total))
    this.#writeMunicipalities(postings)
    writeValueLists(this.#database, postings)
    // Rows are inserted in the order of the key, as in the other tables.
    for (const { year, first, records } of this.#years.toReversed()) this.#insert('year', [year, first, records])
    const properties = {
      fictional: fictional ? '1' : '0',
      id: this.#idHash
        .update(fictional ? 'fictional' : '')
        .digest('hex')
        .slice(0, idHexDigits),
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

  /** Removes the file, if it is still there, and everything else that was written. */
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
    const { municipalities, numberOfRecord, positions } = this.#municipalities.finish()
    let first = 0
    for (const [number, each] of municipalities.entries()) {
      const names = [JSON.stringify(each.otherNames), JSON.stringify(each.keys)]
      const counts = [each.records, each.firstYear, each.lastYear]
      this.#insert('municipality', [number, each.name, each.ineCode, ...names, ...counts])
      const end = first + each.records
      writePostingList(postings, termKinds.municipality + number, positions.subarray(first, end))
      first = end
    }
    writePlaceLists(postings, municipalities, numberOfRecord)
    for (let chunk = 0; chunk * municipalityChunkRecords < numberOfRecord.length; chunk++) {
      const from = chunk * municipalityChunkRecords
      const bytes = toBytes(numberOfRecord.subarray(from, from + municipalityChunkRecords))
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
      },
    }
  }

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

/** The column `content`, then the text of the documents. */
function toText({ text, documents }: RecordContent): string {
  const pages = documents.flatMap(({ texts }) => texts.map((page) => page.text))
  return [text, ...pages].filter((part) => part !== '').join('\n')
}

function prepareInsert(database: DatabaseSync, { name, columns }: Table): StatementSync {
  const placeholders = Object.keys(columns).map(() => '?')
  return database.prepare(`INSERT INTO ${name} VALUES (${placeholders.join(', ')})`)
}

/** A view of the same memory. */
function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
