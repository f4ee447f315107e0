// Builds a snapshot file beside the one in service: records in canonical order, then posting lists, then facts; puts
// the strips behind them, seals it all and puts it in place by rename. Whatever fails before the rename leaves the
// registry in service untouched.
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hashText } from '../../hash.ts'
import { foldCode } from '../../record/code.ts'
import type { StoredRecord } from '../../record/record.ts'
import { BlockWriter, type ListSink } from '../../search/block-writer.ts'
import { utf8BytesMax } from '../../search/bytes.ts'
import { IndexBuilder } from '../../search/index-builder.ts'
import { digestBytes, putDigest } from '../digest.ts'
import { type Publication, type PublishOptions, type SnapshotWriter, StoreFault } from '../store.ts'
import { compareSnapshots } from './compare.ts'
import { codeStart, putEntry, readYear } from './entry.ts'
import { Gazetteer } from './gazetteer.ts'
import { HashIndexWriter } from './hash-index.ts'
import { ListHeadWriter } from './list-heads.ts'
import { takeImportLock } from './lock.ts'
import { applicationId, formatVersion, pageBytes, tables } from './schema.ts'
import { makeDurable, sealFile } from './seal.ts'
import { type StripName, stripNames } from './strip.ts'
import { StripWriter } from './strip-writer.ts'
import { verifySnapshot } from './verify.ts'

export class SqliteWriter implements SnapshotWriter {
  readonly #path: string
  readonly #building: string
  readonly #releaseLock: () => void
  readonly #database: DatabaseSync
  readonly #strips: Readonly<Record<StripName, StripWriter>>
  readonly #index: IndexBuilder
  readonly #gazetteer = new Gazetteer()
  readonly #id = createHash('sha256').update(`format ${formatVersion}`)
  readonly #codes = new HashIndexWriter()
  /** Of records that the id does not speak of yet, one behind the other. */
  readonly #digests = Buffer.alloc(digestsAtOnce * digestBytes)
  /** The entry of a record and what its digest is made of. */
  #digested = Buffer.allocUnsafeSlow(1 << 16)
  readonly #years: { year: number; first: number; records: number }[] = []
  #records = 0
  #withoutText = 0
  #closed = false

  /** Throws `StoreFault` while another import writes to the same path, or where something else than a registry lies. */
  constructor(path: string) {
    refuseForeignFile(path)
    mkdirSync(dirname(path), { recursive: true })
    this.#path = path
    this.#building = `${path}.building`
    this.#releaseLock = takeImportLock(path)
    // Holding the lock, what lies here was left by an import that died.
    sweepLeavings(path)
    const folder = `${path}.building-runs`
    mkdirSync(folder)
    this.#index = new IndexBuilder(folder)
    // With a comma behind each record: a stretch of them is part of an answer as it lies.
    const strip = (name: StripName): StripWriter => new StripWriter(join(folder, name), name === 'record' ? ',' : '')
    this.#strips = Object.fromEntries(stripNames.map((name) => [name, strip(name)])) as Record<StripName, StripWriter>
    this.#database = new DatabaseSync(this.#building)
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};
      PRAGMA cache_size = -2048; PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE;
      BEGIN; ${tables}`)
  }

  add(record: StoredRecord, content: string): Promise<void> | undefined {
    const entry = this.#toEntry(record, content)
    this.#strips.entry.add(entry)
    this.#strips.record.add(record.wire)
    this.#codes.add(hashText(foldCode(record.code)))
    const year = this.#note(entry, 0, content !== '')
    this.#gazetteer.add(record, year)
    return this.#index.add(record.title, content)
  }

  /** Returns the year of the entry. */
  #note(bytes: Buffer, entryStart: number, hasText: boolean): number {
    const position = this.#records++
    const nth = position % digestsAtOnce
    bytes.copy(this.#digests, nth * digestBytes, entryStart, entryStart + digestBytes)
    if (nth === digestsAtOnce - 1) this.#id.update(this.#digests)
    if (!hasText) this.#withoutText++
    const year = readYear(bytes, entryStart)
    const stretch = this.#years.at(-1)
    if (stretch?.year === year) stretch.records++
    else this.#years.push({ year, first: position, records: 1 })
    return year
  }

  /** Holds until the next one is made. */
  #toEntry({ code, checkinDate, wire }: StoredRecord, content: string): Buffer {
    const bytesMax = codeStart + (code.length + content.length) * utf8BytesMax + wire.length + 2
    if (bytesMax > this.#digested.length) this.#digested = Buffer.allocUnsafeSlow(bytesMax * 2)
    const bytes = this.#digested
    const entryEnd = putEntry(bytes, 0, { hasText: content !== '', checkinDate, code })
    bytes[entryEnd] = 0
    bytes.set(wire, entryEnd + 1)
    let end = entryEnd + 1 + wire.length
    bytes[end++] = 0
    if (content !== '') end += bytes.write(content, end)
    putDigest(bytes.subarray(codeStart, end), bytes, 0)
    return bytes.subarray(0, entryEnd)
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      await this.#finish(options)
      const [facts] = await Promise.all([verifySnapshot(this.#building), makeDurable(this.#building)])
      const previous = existsSync(this.#path) ? this.#path : null
      const changes = previous === null ? null : compareSnapshots(previous, this.#building)
      if (!options.dryRun) await this.#putInPlace()
      return { facts, changes, names: this.#gazetteer.names() }
    } finally {
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#database.isOpen) this.#database.close()
    for (const strip of Object.values(this.#strips)) strip.close()
    await this.#index.close()
    sweepLeavings(this.#path)
    this.#releaseLock()
  }

  async #finish({ fictional, onProgress }: PublishOptions): Promise<void> {
    const database = this.#database
    const heads = new ListHeadWriter(this.#strips)
    const writer = new BlockWriter(this.#toSink(heads))
    await this.#index.finish(
      writer,
      (done, total) => onProgress?.('index', done, total),
      () => this.#strips.code.add(this.#codes.finish()),
    )
    const { municipalities, numbers, records } = this.#gazetteer.finish()
    heads.finish()
    const insertMunicipality = database.prepare('INSERT INTO municipality VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    for (const [number, each] of municipalities.entries()) {
      const names = [JSON.stringify(each.otherNames), JSON.stringify(each.keys)] as const
      insertMunicipality.run(number, each.name, each.ineCode, ...names, each.records, each.firstYear, each.lastYear)
    }
    database
      .prepare('INSERT INTO municipality_records VALUES (1, ?, ?)')
      .run(new Uint8Array(numbers.buffer), new Uint8Array(records.buffer))
    const insertYear = database.prepare('INSERT INTO year VALUES (?, ?, ?)')
    for (const { year, first, records } of this.#years) insertYear.run(year, first, records)
    const insertFact = database.prepare('INSERT INTO fact VALUES (?, ?)')
    this.#id.update(this.#digests.subarray(0, (this.#records % digestsAtOnce) * digestBytes))
    this.#id.update(fictional ? 'fictional' : '')
    const id = this.#id.digest('hex').slice(0, 32)
    insertFact.run('id', id)
    insertFact.run('records', String(this.#records))
    insertFact.run('without_text', String(this.#withoutText))
    insertFact.run('fictional', fictional ? '1' : '0')
    const sizes = stripNames.map((name) => [name, this.#strips[name].finish()])
    insertFact.run('strips', JSON.stringify(Object.fromEntries(sizes)))
    database.exec('COMMIT')
    database.close()
    await sealFile(
      this.#building,
      stripNames.map((name) => this.#strips[name].path),
      id,
    )
  }

  #toSink(heads: ListHeadWriter): ListSink {
    return {
      putChunk: (table, number, bytes) => {
        if (number !== this.#strips[table].count) throw new Error(`${table} ${number} comes out of turn`)
        this.#strips[table].add(bytes)
      },
      putHead: (head) => heads.add(head),
    }
  }

  async #putInPlace(): Promise<void> {
    await rename(this.#building, this.#path)
    await makeDurable(dirname(this.#path))
  }
}

const digestsAtOnce = 256

/** A registry may be replaced, whatever its version or state; anything else is somebody's file. */
function refuseForeignFile(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return
  const header = Buffer.alloc(headerBytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, headerBytes, 0)
  } finally {
    closeSync(file)
  }
  // The layout of SQLite's header is part of its documented file format.
  const isRegistry =
    header.toString('latin1', 0, 15) === 'SQLite format 3' && header.readUInt32BE(applicationIdAt) === applicationId
  if (isRegistry) return
  throw new StoreFault(`Cannot import into ${path}: there is a file that is no planning registry; name another one`)
}

const headerBytes = 100
const applicationIdAt = 68

function sweepLeavings(path: string): void {
  for (const suffix of ['.building', '.building-runs']) {
    rmSync(join(dirname(path), basename(path) + suffix), { recursive: true, force: true })
  }
}
