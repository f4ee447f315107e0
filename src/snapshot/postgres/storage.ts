// The storage of a snapshot on PostgreSQL: reads its rows for ../stored-snapshot.ts, which searches. Every read is one
// round trip, or none if the values are cached. The first page of results usually takes two: one for the term entries
// (what is known of each word of the search) with the first blocks of their posting lists, one for the records.
// hosts.ts chooses the host for each statement.
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { OrderKey } from '../../domain/record.ts'
import { type ChunkKind, type ChunkRequest, longPrefixWordsMax, type TermEntry } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import { cacheBytesDefault, SnapshotCache } from '../cache.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, toMissingRow } from '../checksum.ts'
import { type MunicipalityFacts, type SnapshotMetadata, StoreUnavailable } from '../contract.ts'
import { DocumentTotalsByRecord, documentChunkRecords } from '../document-totals.ts'
import { digestTable, includedColumns, indexes, tables } from '../schema.ts'
import { readSegments, type Segment } from '../segments.ts'
import type { FoundRecord, RecordRow, SnapshotStorage, YearRange } from '../storage.ts'
import { toChangeLogFacts, toConsecutiveNumbers, toMunicipalities, toYears } from '../stored-rows.ts'
import { type Row, toArrayLiteral } from './connection.ts'
import type { Hosts } from './hosts.ts'
import type { SnapshotEntry } from './schema.ts'
import { entryColumns, toRecordRow, toTermEntry, toUint32Array } from './stored-rows.ts'

/** The number of indexes of a snapshot: one for the key of each table, and `indexes`. */
const snapshotIndexCount = [...tables, digestTable, ...indexes].length

/** Timeout for reading a whole table. A process does that once for each snapshot, and again if it fails. */
const wholeTableTimeoutMs = 10_000

/** What is read when a snapshot is opened, and kept in memory. */
type OpeningFacts = Pick<PostgresStorage, 'hasPassages' | 'years' | 'municipalities' | 'changeLog'> &
  Pick<SnapshotMetadata, 'codePattern'>

/** ../storage.ts documents the methods in full, and index/posting-list.ts those that read the inverted index. */
export class PostgresStorage implements SnapshotStorage {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearRange[]
  readonly changeLog: ChangeLogFacts
  /** An export reads this many batches ahead while the client receives one, because each takes a round trip. */
  readonly readAheadBatches = 2
  /** Whether the text is stored, so that passages (pieces of text around the matches) can be shown. */
  readonly hasPassages: boolean
  readonly #hosts: Hosts
  /** Each snapshot has a schema of its own, such as `registry_1_0a1b2c3d`. */
  readonly #schema: string
  readonly #cache: SnapshotCache
  /** These two are kept in memory once a request has needed them. */
  #municipalityNumbers: Promise<Uint32Array> | undefined
  #documentTotals: Promise<DocumentTotalsByRecord> | undefined

  /**
   * Reads what is kept in memory. `entry` is the row of the snapshot in the table `registry.snapshot`. Throws
   * `StoreUnavailable` if the tables do not match it or indexes are missing, as during a restore: pg_restore fills the
   * list of snapshots first, then the tables of a snapshot, `year` last, and creates the indexes at the end.
   */
  static async open(hosts: Hosts, entry: SnapshotEntry, cacheBytes?: number): Promise<PostgresStorage> {
    const schema = entry.name
    const query = (text: string): Promise<Row[]> => hosts.query(schema, { text }, wholeTableTimeoutMs)
    const [propertyRows, yearRows, municipalityRows, [lastChange], [indexCount]] = await Promise.all([
      query(`SELECT name, value FROM ${schema}.property`),
      // Oldest first; `toYears` returns the newest first.
      query(`SELECT year, first, records FROM ${schema}.year ORDER BY year`),
      query(`SELECT number, name, ine_code, other_names, keys, records, first_year, last_year
           FROM ${schema}.municipality ORDER BY number`),
      query(`SELECT coalesce(max(number), 0) FROM ${schema}.change`),
      query(`SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
           WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r' AND indisvalid`),
    ])
    const properties = new Map(propertyRows as unknown as [name: string, value: string][])
    const facts: OpeningFacts = {
      hasPassages: properties.get('passages') === '1',
      codePattern: properties.get('code_pattern') ?? null,
      years: toYears(yearRows),
      municipalities: toMunicipalities(municipalityRows),
      changeLog: toChangeLogFacts(properties, Number(lastChange?.[0])),
    }
    const records = facts.years.reduce((sum, year) => sum + year.records, 0)
    const hasItsRows = properties.get('id') === entry.id && records === entry.records
    if (!hasItsRows) throw toIncomplete(schema, t`its tables do not match registry.snapshot`)
    if (Number(indexCount?.[0]) < snapshotIndexCount) throw toIncomplete(schema, t`indexes are missing`)
    return new PostgresStorage(hosts, entry, facts, cacheBytes)
  }

  private constructor(
    hosts: Hosts,
    { name, id, records, fictional, publishedAt }: SnapshotEntry,
    facts: OpeningFacts,
    cacheBytes = cacheBytesDefault,
  ) {
    this.#hosts = hosts
    this.#schema = name
    this.metadata = { id, records, fictional, publishedAt, codePattern: facts.codePattern }
    this.hasPassages = facts.hasPassages
    this.years = facts.years
    this.changeLog = facts.changeLog
    this.municipalities = facts.municipalities
    this.#cache = new SnapshotCache(cacheBytes)
  }

  /** A term that no record contains has no entry in the result. */
  async readEntries(terms: readonly string[]): Promise<TermEntry[]> {
    const cached = terms.map((term) => this.#cache.getTermEntry(term))
    const missing = terms.filter((_, index) => cached[index] === undefined)
    const queried = missing.length === 0 ? [] : await this.#queryEntries(missing)
    // A term that no record contains is cached as null.
    for (const term of missing) this.#cache.setTermEntry(term, queried.find(({ key }) => key === term) ?? null)
    return [...queried, ...cached.filter((entry) => entry !== undefined && entry !== null)]
  }

  /**
   * Reads the first block of each posting list along with its entry, because nearly every search needs it next. A short
   * list has its only block in the entry itself, so no block is joined.
   */
  async #queryEntries(terms: readonly string[]): Promise<TermEntry[]> {
    const text = `
      SELECT ${entryColumns}, bytes FROM ${this.#schema}.term_entry
      LEFT JOIN ${this.#schema}.posting_block ON inline_block IS NULL AND number = first_block
      WHERE term = ANY ($1::text[])`
    return (await this.#query(text, [toArrayLiteral(terms)])).map(toTermEntry)
  }

  /** A page of the entries whose terms start with `prefix`: the first page, or the one that starts with `from`. */
  async readEntriesOfPrefix(prefix: string, from: string = prefix): Promise<readonly TermEntry[]> {
    // Only the first page is cached. The others, which only passages need, would evict what searches use.
    const isFirstPage = from === prefix
    const cached = isFirstPage ? this.#cache.getTermEntriesOfPrefix(prefix) : undefined
    if (cached !== undefined) return cached
    const text = `
      SELECT ${entryColumns}, NULL::bytea FROM ${this.#schema}.term_entry
      WHERE term >= $1 AND term < $2 ORDER BY term LIMIT $3`
    // All terms with the prefix sort before the prefix followed by the last character of Unicode.
    const entries = (await this.#query(text, [from, `${prefix}\u{10ffff}`, longPrefixWordsMax])).map(toTermEntry)
    if (isFirstPage) this.#cache.setTermEntriesOfPrefix(prefix, entries)
    return entries
  }

  /** Passes to each request the posting blocks or position chunks that it asks for. */
  async readChunks(requests: readonly ChunkRequest[]): Promise<void> {
    const chunksByKey = await this.#readChunksByKey(requests)
    for (const { kind, first, count, deliver } of requests) {
      const chunks = toConsecutiveNumbers(first, count).map((number) => {
        const chunk = chunksByKey.get(`${kind} ${number}`)
        if (chunk === undefined) throw this.#toMissing(kind === 'block' ? 'posting_block' : 'position_chunk')
        return chunk
      })
      deliver(chunks)
    }
  }

  /** The chunks of the requests, cached ones and others. The keys are kind and number, as in `block 17`. */
  async #readChunksByKey(requests: readonly ChunkRequest[]): Promise<Map<string, Uint8Array>> {
    // Cached chunks are added before the others are read, because the cache may evict them meanwhile.
    const chunksByKey = new Map<string, Uint8Array>()
    const missing = { block: new Set<number>(), positions: new Set<number>() }
    for (const { kind, first, count } of requests) {
      for (const number of toConsecutiveNumbers(first, count)) {
        const cached = this.#cache.getChunk(kind, number)
        if (cached === undefined) missing[kind].add(number)
        else chunksByKey.set(`${kind} ${number}`, cached)
      }
    }
    if (missing.block.size + missing.positions.size === 0) return chunksByKey
    const text = `
      SELECT 'block', number, bytes FROM ${this.#schema}.posting_block WHERE number = ANY ($1::integer[]) UNION ALL
      SELECT 'positions', number, bytes FROM ${this.#schema}.position_chunk WHERE number = ANY ($2::integer[])`
    const parameters = [toArrayLiteral([...missing.block]), toArrayLiteral([...missing.positions])]
    const rows = (await this.#query(text, parameters)) as unknown as [kind: ChunkKind, number: number, bytes: Buffer][]
    for (const [kind, number, bytes] of rows) {
      this.#cache.setChunk(kind, number, bytes)
      chunksByKey.set(`${kind} ${number}`, bytes)
    }
    return chunksByKey
  }

  /**
   * The wire format of these records, joined by commas, for an export. The server joins them, so that a batch is one
   * row and one buffer, which is sent as it is. The records are not cached, because they would evict what searches use.
   * HAVING leaves no row if a record is missing.
   */
  async readRecords(positions: readonly number[]): Promise<Uint8Array> {
    const first = positions[0] ?? 0
    // Consecutive positions, as of a whole year, are one range of the index of `record`.
    const areConsecutive = positions.every((position, index) => position === first + index)
    const text = areConsecutive
      ? `SELECT string_agg(wire, ',' ORDER BY position) FROM ${this.#schema}.record WHERE position BETWEEN $1 AND $2
         HAVING count(*) = $2 - $1 + 1`
      : `SELECT string_agg(wire, ',' ORDER BY nth) ${this.#fromRecordsAtPositions()}
         HAVING count(*) = cardinality($1)`
    const parameters = areConsecutive ? [first, first + positions.length - 1] : [toArrayLiteral(positions)]
    const [row] = await this.#hosts.query(this.#schema, { text, parameters, raw: true })
    if (row === undefined) throw this.#toMissing('record')
    return row[0] as Buffer
  }

  /** The records of a page. They are not cached. */
  readPage(positions: readonly number[]): Promise<RecordRow[]> {
    return this.readRows(positions)
  }

  async readRows(positions: readonly number[]): Promise<RecordRow[]> {
    const text = `
      SELECT ${includedColumns.join(', ')}, wire ${this.#fromRecordsAtPositions()} ORDER BY nth`
    const rows = await this.#query(text, [toArrayLiteral(positions)])
    if (rows.length < positions.length) throw this.#toMissing('record')
    return rows.map(toRecordRow)
  }

  /** FROM clause: the records at the positions in parameter 1. `nth` is the ordinal of a position there, from 1. */
  #fromRecordsAtPositions(): string {
    return `FROM unnest($1::integer[]) WITH ORDINALITY AS requested (position, nth)
      JOIN ${this.#schema}.record USING (position)`
  }

  async readSegments(numbers: readonly number[]): Promise<Segment[]> {
    const found = await this.#cache.findSegments(numbers, (missing) => this.#querySegments(missing))
    return numbers.map((number) => {
      const segment = found.get(number)
      if (segment === undefined) throw this.#toMissing('text_chunk')
      return segment
    })
  }

  /** Reads the chunks that contain the segments with these numbers. Returns the segments by number. */
  async #querySegments(numbers: readonly number[]): Promise<Map<number, Segment>> {
    // The chunk that contains a segment is the last one that starts at or before it.
    const text = `
      SELECT DISTINCT chunk.first_segment, bytes FROM unnest($1::integer[]) AS requested (number)
      CROSS JOIN LATERAL (
        SELECT first_segment, bytes FROM ${this.#schema}.text_chunk
        WHERE first_segment <= number ORDER BY first_segment DESC LIMIT 1) AS chunk`
    const chunks = (await this.#query(text, [toArrayLiteral(numbers)])) as unknown as [
      firstSegment: number,
      bytes: Buffer,
    ][]
    return readSegments(
      chunks.map(([firstSegment, bytes]) => ({ firstSegment, bytes })),
      numbers,
    )
  }

  /** The page counts of the documents of each record. */
  readDocumentTotals(): Promise<DocumentTotalsByRecord> {
    // A failed read is not kept, so the next request reads again.
    this.#documentTotals ??= this.#readAllChunks('document_chunk')
      .then((chunks) => {
        if (chunks.length * documentChunkRecords < this.metadata.records) throw this.#toMissing('document_chunk')
        return new DocumentTotalsByRecord(chunks)
      })
      .catch((error: unknown) => {
        this.#documentTotals = undefined
        throw error
      })
    return this.#documentTotals
  }

  /** The position of the first record after the key in canonical order. No record needs to have that key. */
  async findFirstAfter({ checkinDate, code }: OrderKey): Promise<number> {
    // In canonical order, newest first: the next code of the same day, else the first code of the latest earlier day.
    const text = `
      SELECT coalesce(
        (SELECT position FROM ${this.#schema}.record WHERE checkin_date = $1 AND code > $2
         ORDER BY checkin_date DESC, code LIMIT 1),
        (SELECT position FROM ${this.#schema}.record WHERE checkin_date < $1
         ORDER BY checkin_date DESC, code LIMIT 1))`
    const [row] = await this.#query(text, [checkinDate, code])
    // If no record comes after the key, the result is the end of the snapshot.
    return (row?.[0] as number | null) ?? this.metadata.records
  }

  async findRecord(foldedCode: string): Promise<FoundRecord | undefined> {
    const text = `SELECT position, wire FROM ${this.#schema}.record WHERE folded_code = $1`
    const [row] = await this.#query(text, [foldedCode])
    if (row === undefined) return undefined
    const [position, wire] = row as [position: number, wire: string]
    return { position, wire }
  }

  /** The municipality of each record, by position, as an index of `municipalities`. */
  readMunicipalityNumbers(): Promise<Uint32Array> {
    // A failed read is not kept, so the next request reads again.
    this.#municipalityNumbers ??= this.#readAllChunks('municipality_chunk')
      .then((chunks) => {
        const numbers = toUint32Array(Buffer.concat(chunks))
        if (numbers.length < this.metadata.records) throw this.#toMissing('municipality_chunk')
        return numbers
      })
      .catch((error: unknown) => {
        this.#municipalityNumbers = undefined
        throw error
      })
    return this.#municipalityNumbers
  }

  /** The changes from number `first` to `last`, both included. */
  async readChanges(first: number, last: number): Promise<Change[]> {
    const text = `
      SELECT number, kind, code, at FROM ${this.#schema}.change WHERE number BETWEEN $1 AND $2 ORDER BY number`
    const rows = (await this.#query(text, [first, last])) as unknown as [
      number: number,
      kind: ChangeKind,
      code: string,
      at: string,
    ][]
    return rows.map(([number, kind, code, at]) => ({ number, kind, code, at }))
  }

  /** How many changes of each kind come after the one with the number. */
  async countChanges(after: number): Promise<[ChangeKind, number][]> {
    const text = `SELECT kind, count(*)::integer FROM ${this.#schema}.change WHERE number > $1 GROUP BY kind`
    return (await this.#query(text, [after])) as unknown as [ChangeKind, number][]
  }

  async findPositions(foldedCodes: readonly string[]): Promise<Map<string, number>> {
    const text = `SELECT folded_code, position FROM ${this.#schema}.record WHERE folded_code = ANY ($1::text[])`
    return new Map((await this.#query(text, [toArrayLiteral(foldedCodes)])) as unknown as [string, number][])
  }

  readVocabulary(): Promise<Uint8Array[]> {
    return this.#readAllChunks('vocabulary_chunk')
  }

  /** The bytes of all rows of a table of chunks, in order. */
  async #readAllChunks(table: 'document_chunk' | 'municipality_chunk' | 'vocabulary_chunk'): Promise<Buffer[]> {
    const text = `SELECT bytes FROM ${this.#schema}.${table} ORDER BY number`
    const rows = await this.#hosts.query(this.#schema, { text }, wholeTableTimeoutMs)
    return rows.map(([bytes]) => bytes as Buffer)
  }

  /** Nothing to do: a replaced snapshot stays on the server for at least an hour (`retention` in load.ts). */
  retain(): () => void {
    return () => undefined
  }

  #query(text: string, parameters: readonly (string | number)[]): Promise<Row[]> {
    return this.#hosts.query(this.#schema, { text, parameters })
  }

  /** The error for a row of the table that must exist but was not found. */
  #toMissing(table: string): StoreUnavailable {
    const cause = toMissingRow(table)
    const message = t`Cannot read ${this.#schema}: ${cause.message}; restore it from a backup or import it again`
    return new StoreUnavailable(message, { cause })
  }
}

/** The cause counts as damage (`isDamage` in errors.ts), so the store reports the snapshot and tries it again later. */
function toIncomplete(schema: string, reason: string): StoreUnavailable {
  const message = t`Cannot read ${schema}: ${reason}; if it is being restored, wait until it is complete`
  return new StoreUnavailable(message, { cause: new ChecksumMismatch(reason) })
}
