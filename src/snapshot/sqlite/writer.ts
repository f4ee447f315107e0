// Builds a snapshot file beside the one in service: records in canonical order, then posting lists, then everything
// that is counted over them. The file is verified, made durable and put in place by rename. Whatever fails before the
// rename leaves the registry in service as it was.
import { createHash, hash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { foldCode } from '../../domain/inscription-code.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { IndexBuilder } from '../../index/index-builder.ts'
import { listKinds } from '../../index/posting-list.ts'
import { BlockWriter, type ListSink } from '../../index/posting-writer.ts'
import { toChanges, toChangesQuery } from '../changes.ts'
import { computeDigest, toChecksum, type Value } from '../checksum.ts'
import { type Publication, type PublishOptions, type SnapshotWriter, StoreFault } from '../contract.ts'
import { applicationId, sqliteDialect } from '../file/dialect.ts'
import { iterateRows, openSnapshotFile, prepareRows } from '../file/open-file.ts'
import { verifySnapshot } from '../file/verify.ts'
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
import { takeImportLock } from './lock.ts'

/** Records whose municipalities lie in one row. */
const municipalityChunkRecords = 65_536

export class SqliteWriter implements SnapshotWriter {
  readonly #path: string
  readonly #building: string
  readonly #releaseLock: () => void
  readonly #database: DatabaseSync
  readonly #inserts: ReadonlyMap<string, StatementSync>
  readonly #index: IndexBuilder
  readonly #municipalities = new MunicipalityIndex()
  readonly #id = createHash('sha256').update(`format ${formatVersion}`)
  readonly #years: { year: number; first: number; records: number }[] = []
  #records = 0
  #withoutText = 0
  #closed = false

  /** Throws `StoreFault` while another import writes to the same path, or where the file there is not a registry. */
  constructor(path: string) {
    refuseForeignFile(path)
    mkdirSync(dirname(path), { recursive: true })
    this.#path = path
    this.#building = `${path}.building`
    this.#releaseLock = takeImportLock(path)
    // While the lock is held, files found here were left by an import that died.
    removeLeftovers(path)
    const folder = `${path}.building-runs`
    mkdirSync(folder)
    this.#index = new IndexBuilder(folder)
    this.#database = new DatabaseSync(this.#building)
    this.#database.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = FILE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};
      BEGIN;
      ${[...tables, digestTable].map((table) => toCreateTable(table, sqliteDialect)).join('\n')}
      ${toCreateView(sqliteDialect)}`)
    this.#inserts = new Map(tables.map((table) => [table.name, prepareInsert(this.#database, table)]))
  }

  add({ code, checkinDate, title, municipality, wire }: StoredRecord, content: string): Promise<void> | undefined {
    const position = this.#records++
    const year = this.#countYear(checkinDate, position)
    const ineCode = this.#municipalities.add({ code, municipality }, year)
    const foldedCode = foldCode(code)
    const hasText = content === '' ? 0 : 1
    if (hasText === 0) this.#withoutText++
    const digest = hash('sha1', `${code}\0${wire}\0${content}`, 'buffer')
    this.#id.update(digest)
    const checksum = toChecksum([foldedCode, wire])
    this.#write('record', [position, code, foldedCode, checkinDate, ineCode, hasText, digest, wire, checksum])
    return this.#index.add(title, content)
  }

  #countYear(checkinDate: string, position: number): number {
    const year = Number(checkinDate.slice(0, 4))
    const latest = this.#years.at(-1)
    if (latest?.year === year) latest.records++
    else this.#years.push({ year, first: position, records: 1 })
    return year
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      await this.#finish(options)
      const facts = await verifySnapshot(this.#building)
      await makeDurable(this.#building)
      const changes = existsSync(this.#path) ? compareFiles(this.#path, this.#building) : null
      if (!options.dryRun) await this.#putInPlace()
      return { facts, changes, names: this.#municipalities.names() }
    } finally {
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#database.isOpen) this.#database.close()
    await this.#index.close()
    removeLeftovers(this.#path)
    this.#releaseLock()
  }

  async #finish({ fictional, onProgress }: PublishOptions): Promise<void> {
    const lists = new BlockWriter(this.#toSink())
    await this.#index.finish(lists, (done, total) => onProgress?.('index', done, total))
    this.#writeMunicipalities(lists)
    for (const { year, first, records } of this.#years.toReversed()) this.#write('year', [year, first, records])
    const properties = {
      fictional: fictional ? '1' : '0',
      id: this.#id
        .update(fictional ? 'fictional' : '')
        .digest('hex')
        .slice(0, 32),
      published_at: new Date().toISOString(),
      records: String(this.#records),
      records_without_text: String(this.#withoutText),
    }
    for (const [name, value] of Object.entries(properties)) this.#write('property', [name, value])
    this.#writeDigests()
    this.#database.exec(toCreateIndexes())
    this.#database.exec('COMMIT')
    this.#database.close()
  }

  /** The municipalities, the list of the records of each, and for each record the number of its own. */
  #writeMunicipalities(lists: BlockWriter): void {
    const { municipalities, numbers, records } = this.#municipalities.finish()
    let first = 0
    for (const [number, each] of municipalities.entries()) {
      const names = [JSON.stringify(each.otherNames), JSON.stringify(each.keys)]
      const counts = [each.records, each.firstYear, each.lastYear]
      this.#write('municipality', [number, each.name, each.ineCode, ...names, ...counts])
      lists.begin(false)
      for (const record of records.subarray(first, first + each.records)) lists.add(record, noPositions, 0, 0)
      lists.end(listKinds.municipality + number)
      first += each.records
    }
    for (let chunk = 0; chunk * municipalityChunkRecords < numbers.length; chunk++) {
      const from = chunk * municipalityChunkRecords
      const bytes = toBytes(numbers.subarray(from, from + municipalityChunkRecords))
      this.#write('municipality_chunk', [chunk, bytes, toChecksum([chunk, bytes])])
    }
  }

  #toSink(): ListSink {
    const chunkTables = { block: 'posting_block', place: 'position_chunk' } as const
    return {
      putChunk: (table, number, bytes) => this.#write(chunkTables[table], [number, bytes, toChecksum([number, bytes])]),
      putHead: ({ key, records, lasts, firstBlock, firstPlace, inline }) => {
        const row = [key, records, toBytes(lasts), firstBlock, firstPlace, inline]
        this.#write('term_entry', [...row, toChecksum(row)])
      },
    }
  }

  #write(table: string, row: readonly Value[]): void {
    this.#inserts.get(table)?.run(...row)
  }

  /** Reads every row back in the order of its key, which also shows that it was written as it should be. */
  #writeDigests(): void {
    const insert = prepareInsert(this.#database, digestTable)
    for (const table of tables) {
      const { rows, sha256 } = computeDigest(iterateRows(this.#database, table), table)
      insert.run(table.name, rows, sha256)
    }
  }

  async #putInPlace(): Promise<void> {
    await rename(this.#building, this.#path)
    await makeDurable(dirname(this.#path))
  }
}

const noPositions = new Uint8Array(0)

function prepareInsert(database: DatabaseSync, { name, columns }: Table): StatementSync {
  const marks = Object.keys(columns).map(() => '?')
  return database.prepare(`INSERT INTO ${name} VALUES (${marks.join(', ')})`)
}

/** Null when the previous file is not a snapshot of this format. */
function compareFiles(previous: string, next: string): Publication['changes'] {
  try {
    openSnapshotFile(previous).close()
  } catch {
    return null
  }
  const database = new DatabaseSync(next, { readOnly: true })
  try {
    database.prepare('ATTACH ? AS previous').run(previous)
    return toChanges(prepareRows(database, toChangesQuery('main.', 'previous.')).get() as unknown as number[])
  } finally {
    database.close()
  }
}

function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Resolves once a file, or the list of files in a folder, would survive the loss of power. */
async function makeDurable(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A registry may be replaced, whatever its version or state; any other file is not ours to replace. */
function refuseForeignFile(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return
  const header = Buffer.alloc(headerBytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, headerBytes, 0)
  } finally {
    closeSync(file)
  }
  // The layout of the header is part of SQLite's documented file format.
  const isRegistry =
    header.toString('latin1', 0, 15) === 'SQLite format 3' && header.readUInt32BE(applicationIdAt) === applicationId
  if (isRegistry) return
  throw new StoreFault(`Cannot import into ${path}: that file is not a planning registry; name another one`)
}

const headerBytes = 100
const applicationIdAt = 68

function removeLeftovers(path: string): void {
  for (const suffix of ['.building', '.building-runs']) {
    rmSync(join(dirname(path), basename(path) + suffix), { recursive: true, force: true })
  }
}
