// One snapshot on PostgreSQL, as the search reads it. Every method is one round trip: a first page takes two, the
// heads of its lists with their first blocks (kept, so that a word asked for again takes none), then its records.
import { Recent } from '../../recent.ts'
import type { OrderKey } from '../../record/record.ts'
import { type ChunkRequest, type ListHead, unionMax } from '../../search/lists.ts'
import type { FoundRecord, SnapshotStorage, YearStretch } from '../snapshot-storage.ts'
import type { MunicipalityFacts, SnapshotFacts } from '../store.ts'
import type { Hosts } from './hosts.ts'
import { type Row, toArray } from './link.ts'
import type { SnapshotEntry } from './schema.ts'

/** Reading whole tables, once for each snapshot, may take longer than a step of a search. */
const wholeTableMs = 10_000

/** Heads that are kept, and what one costs beside its bytes. */
const headBytesMax = 16 * 1024 * 1024
const entryBytes = 256

export class PostgresStorage implements SnapshotStorage {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearStretch[]
  /** While a batch of a long answer is being sent, the next ones are already on their way. */
  readonly batchesAhead = 2
  readonly #hosts: Hosts
  readonly #schema: string
  /** By the place from which a search begins and the key; null for a key that has no list. */
  readonly #heads = new Recent<string, ListHead | null>(headBytesMax, 65_536, 8192)
  readonly #numbers: Partial<Record<NumbersColumn, Promise<Uint32Array> | undefined>> = {}

  static async open(hosts: Hosts, entry: SnapshotEntry): Promise<PostgresStorage> {
    const ask = (text: string): Promise<Row[]> => hosts.ask(entry.name, { text }, wholeTableMs)
    const [years, municipalities] = await Promise.all([
      ask(`SELECT year, first, records FROM ${entry.name}.year ORDER BY year DESC`),
      ask(`SELECT name, ine_code, other_names, keys, records, first_year, last_year FROM ${entry.name}.municipality
           ORDER BY number`),
    ])
    return new PostgresStorage(hosts, entry, years.map(toYear), municipalities.map(toMunicipality))
  }

  private constructor(
    hosts: Hosts,
    { name, id, records, fictional, publishedAt }: SnapshotEntry,
    years: readonly YearStretch[],
    municipalities: readonly MunicipalityFacts[],
  ) {
    this.#hosts = hosts
    this.#schema = name
    this.facts = { id, records, fictional, publishedAt }
    this.years = years
    this.municipalities = municipalities
  }

  async readHeads(keys: readonly string[], from: number): Promise<ListHead[]> {
    const known = keys.map((key) => this.#heads.get(`${from} ${key}`))
    const unknown = keys.filter((_, index) => known[index] === undefined)
    const read = unknown.length === 0 ? [] : await this.#readHeads(unknown, from)
    const heads = new Map(read.map((head) => [head.key, head]))
    for (const key of unknown) this.#keep(key, from, heads.get(key) ?? null)
    return [...read, ...known.filter((head) => head !== undefined && head !== null)]
  }

  /** A snapshot never changes, so what was read stays true, and a word that is asked for again saves a trip. */
  #keep(key: string, from: number, head: ListHead | null): void {
    const bytes = head === null ? 0 : head.lasts.byteLength + (head.inline ?? head.along?.bytes ?? '').length
    this.#heads.keep(`${from} ${key}`, head, entryBytes + bytes)
  }

  async #readHeads(keys: readonly string[], from: number): Promise<ListHead[]> {
    const text = `
      SELECT ${headColumns}, along, bytes FROM ${this.#schema}.list
      CROSS JOIN LATERAL (SELECT width_bucket($2::integer - 1, lasts)) AS reached (along)
      LEFT JOIN ${this.#schema}.block ON inline IS NULL AND along < cardinality(lasts) AND number = first_block + along
      WHERE key = ANY ($1::text[])`
    const rows = await this.#ask(text, [toArray(keys), from])
    return rows.map(toHead)
  }

  async readHeadsBeginning(beginning: string): Promise<ListHead[]> {
    const text = `
      SELECT ${headColumns}, 0, NULL::bytea FROM ${this.#schema}.list
      WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3`
    const rows = await this.#ask(text, [beginning, `${beginning}\u{10ffff}`, unionMax])
    return rows.map(toHead)
  }

  async readChunks(requests: readonly ChunkRequest[]): Promise<void> {
    const numbersIn = (table: ChunkRequest['table']): string =>
      toArray([...new Set(requests.filter((request) => request.table === table).flatMap(toNumbers))])
    const text = `
      SELECT 'block', number, bytes FROM ${this.#schema}.block WHERE number = ANY ($1::integer[]) UNION ALL
      SELECT 'place', number, bytes FROM ${this.#schema}.place WHERE number = ANY ($2::integer[])`
    const rows = await this.#ask(text, [numbersIn('block'), numbersIn('place')])
    const chunks = new Map(rows.map(([table, number, bytes]) => [`${table} ${number}`, bytes as Buffer]))
    for (const request of requests) {
      const wanted = toNumbers(request).map((number) => chunks.get(`${request.table} ${number}`))
      const found = wanted.filter((chunk) => chunk !== undefined)
      // The search would ask for it for ever.
      if (found.length < wanted.length) throw new Error(`${this.#schema} lacks a ${request.table} of ${request.first}`)
      request.deliver(found)
    }
  }

  async readRecords(positions: readonly number[]): Promise<Uint8Array> {
    const first = positions[0] ?? 0
    const isStretch = positions.every((position, index) => position === first + index)
    // Joined inside the database: one row and one buffer for a whole batch, sent as it is.
    const text = isStretch
      ? `SELECT string_agg(wire, ',' ORDER BY position) FROM ${this.#schema}.record WHERE position BETWEEN $1 AND $2`
      : `SELECT string_agg(wire, ',' ORDER BY place) ${this.#fromWanted()}`
    const parameters = isStretch ? [first, first + positions.length - 1] : [toArray(positions)]
    const [row] = await this.#hosts.ask(this.#schema, { text, parameters, raw: true })
    return row?.[0] as Buffer
  }

  async readPage(positions: readonly number[], wantsPlace: boolean): Promise<{ text: string; last: OrderKey | null }> {
    const query = `
      SELECT string_agg(wire, ',' ORDER BY place),
        max(checkin_date) FILTER (WHERE place = $2), max(code) FILTER (WHERE place = $2)
      ${this.#fromWanted()}`
    const [row] = await this.#ask(query, [toArray(positions), positions.length])
    const [text, checkinDate, code] = row as unknown as [string, string, string]
    return { text: toByteText(text), last: wantsPlace ? { checkinDate, code } : null }
  }

  /** The records at the positions of the first parameter, each with its place among them. */
  #fromWanted(): string {
    return `FROM unnest($1::integer[]) WITH ORDINALITY AS wanted (position, place)
      JOIN ${this.#schema}.record USING (position)`
  }

  async firstAfter({ checkinDate, code }: OrderKey): Promise<number> {
    const first = `SELECT position FROM ${this.#schema}.record WHERE`
    const order = 'ORDER BY checkin_date DESC, code LIMIT 1'
    const text = `
      SELECT coalesce((${first} checkin_date = $1 AND code > $2 ${order}), (${first} checkin_date < $1 ${order}))`
    const [row] = await this.#ask(text, [checkinDate, code])
    return (row?.[0] as number | null) ?? this.facts.records
  }

  async findRecord(code: string): Promise<FoundRecord | undefined> {
    const text = `SELECT position, wire FROM ${this.#schema}.record WHERE folded_code = $1`
    const [row] = await this.#ask(text, [code])
    return row && { position: row[0] as number, text: toByteText(row[1] as string) }
  }

  readMunicipalityNumbers(): Promise<Uint32Array> {
    return this.#readOnce('numbers')
  }

  readMunicipalityRecords(): Promise<Uint32Array> {
    return this.#readOnce('records')
  }

  #readOnce(column: NumbersColumn): Promise<Uint32Array> {
    this.#numbers[column] ??= this.#readNumbers(column).catch((error: unknown) => {
      this.#numbers[column] = undefined
      throw error
    })
    return this.#numbers[column]
  }

  /** Retired snapshots stay on the server for longer than any answer takes; nothing is held open here. */
  retain(): () => void {
    return () => undefined
  }

  async #readNumbers(column: NumbersColumn): Promise<Uint32Array> {
    const text = `SELECT ${column} FROM ${this.#schema}.municipality_records`
    const [row] = await this.#hosts.ask(this.#schema, { text }, wholeTableMs)
    const bytes = row?.[0] as Buffer
    return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  }

  #ask(text: string, parameters: readonly (string | number)[]): Promise<Row[]> {
    return this.#hosts.ask(this.#schema, { text, parameters })
  }
}

type NumbersColumn = 'numbers' | 'records'

/** One character a byte, as the contract of a snapshot wants it. */
function toByteText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

const headColumns = 'key, records, lasts, first_block, first_place, inline'

function toNumbers({ first, count }: ChunkRequest): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

function toHead(row: Row): ListHead {
  const [key, records, lasts, firstBlock, firstPlace, inline, along, bytes] = row as unknown as [
    string,
    number,
    string,
    number,
    number | null,
    Buffer | null,
    number,
    Buffer | null,
  ]
  return {
    key,
    records,
    lasts: Uint32Array.from(JSON.parse(`[${lasts.slice(1, -1)}]`) as number[]),
    firstBlock,
    firstPlace,
    inline,
    ...(bytes === null ? {} : { along: { block: along, bytes } }),
  }
}

function toYear([year, first, records]: Row): YearStretch {
  return { year: Number(year), first: Number(first), records: Number(records) }
}

function toMunicipality([name, ineCode, otherNames, keys, records, firstYear, lastYear]: Row): MunicipalityFacts {
  return {
    name: String(name),
    ineCode: ineCode === null ? null : String(ineCode),
    otherNames: JSON.parse(String(otherNames)) as string[],
    keys: JSON.parse(String(keys)) as string[],
    records: Number(records),
    firstYear: Number(firstYear),
    lastYear: Number(lastYear),
  }
}
