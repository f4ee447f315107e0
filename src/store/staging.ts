// Where an import keeps its rows between reading and writing: it takes them in any order and in flat memory, finds
// the codes that come twice, and gives them back in canonical order. An external merge sort, in a temporary file
// without a name, which the system removes whatever happens to this process.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../record/code.ts'
import { compareCanonically, type RegistryRecord } from '../record/record.ts'
import { MergeHeap } from '../search/heap.ts'
import { SeenCodes } from './seen-codes.ts'

export interface StagedRow {
  readonly record: RegistryRecord
  readonly content: string
  readonly documents: readonly string[]
}

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

/** A row that another one before it shares its code with. */
export interface DuplicateRow extends RowPlace {
  readonly code: string
  readonly first: RowPlace
}

/** A row that was refused, with what the source says in it. */
export interface RefusedRow extends RowPlace {
  readonly reason: string
  readonly cells: readonly (string | null)[]
}

/** Rows are sorted in memory so many bytes at a time; what is read back of each such run at once. */
const runBytes = 8 * 1024 * 1024
const windowBytes = 64 * 1024

export class Staging {
  readonly #file = openNameless()
  /** Sorted rows in the file. */
  readonly #runs: { readonly start: number; readonly size: number }[] = []
  #fileBytes = 0
  /** The rows that are not sorted yet, and where each begins. */
  #rest = Buffer.allocUnsafeSlow(runBytes)
  #restBytes = 0
  #starts: number[] = []
  readonly #codes = new SeenCodes()
  /** Folded codes that seem to have come twice. */
  readonly #suspects = new Set<string>()
  /** Numbers of the rows that were taken out. */
  readonly #removed = new Set<number>()
  readonly #refusals = new DatabaseSync('')
  readonly #insertRefused
  #added = 0
  #refused = 0
  #namesDocuments = false
  #hasAddresses = false

  constructor() {
    this.#refusals.exec(`
      PRAGMA journal_mode = OFF; PRAGMA temp_store = FILE; BEGIN;
      CREATE TABLE refused (source INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
    `)
    this.#insertRefused = this.#refusals.prepare('INSERT INTO refused VALUES (?, ?, ?, ?)')
  }

  /** Rows staged, duplicates included until they are refused. */
  get rows(): number {
    return this.#added - this.#removed.size
  }

  get refused(): number {
    return this.#refused
  }

  /** Whether any row names a document in the folder. */
  get namesDocuments(): boolean {
    return this.#namesDocuments
  }

  /** Whether any row has the address of a document. */
  get hasAddresses(): boolean {
    return this.#hasAddresses
  }

  add(row: StagedRow, { source, line }: RowPlace): void {
    const { record, content, documents } = row
    if (documents.length > 0) this.#namesDocuments = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasAddresses = true
    const folded = foldCode(record.code)
    if (this.#codes.add(folded)) this.#suspects.add(folded)
    const fields = JSON.stringify([
      record.id,
      record.registrationNumber,
      record.title,
      record.area,
      record.inscriptionDate,
      record.municipality,
      record.links,
      record.agreementLink,
      ...documents,
    ] satisfies Fields)
    const key = record.checkinDate + record.code
    this.#makeRoom(headBytes + (key.length + fields.length + content.length) * utf8BytesMax)
    const rest = this.#rest
    const start = this.#restBytes
    const keyEnd = start + headBytes + rest.write(key, start + headBytes)
    const fieldsEnd = keyEnd + rest.write(fields, keyEnd)
    const end = content === '' ? fieldsEnd : fieldsEnd + rest.write(content, fieldsEnd)
    let at = rest.writeUInt32LE(end - start, start)
    at = rest.writeUInt32LE(keyEnd - start, at)
    at = rest.writeUInt32LE(fieldsEnd - start, at)
    at = rest.writeUInt32LE(this.#added++, at)
    at = rest.writeUInt32LE(source, at)
    rest.writeUInt32LE(line, at)
    this.#starts.push(start)
    this.#restBytes = end
  }

  refuse(row: RefusedRow): void {
    this.#refused += 1
    this.#insertRefused.run(row.source, row.line, row.reason, JSON.stringify(row.cells))
  }

  /** Takes out every row whose code an earlier row bears, and shows it to `refuse`. */
  refuseDuplicates(refuse: (duplicate: DuplicateRow, row: StagedRow) => void): void {
    if (this.#suspects.size === 0) return
    const firsts = new Map<string, RowPlace & { readonly number: number }>()
    for (const rows of this.#inOrder()) {
      const folded = foldCode(rows.key.code)
      if (!this.#suspects.has(folded)) continue
      const { number, source, line } = rows
      if (number < (firsts.get(folded)?.number ?? Number.POSITIVE_INFINITY))
        firsts.set(folded, { number, source, line })
    }
    for (const rows of this.#inOrder()) {
      const first = firsts.get(foldCode(rows.key.code))
      if (first === undefined || first.number === rows.number) continue
      this.#removed.add(rows.number)
      const { source, line } = rows
      refuse(
        { source, line, code: rows.key.code, first: { source: first.source, line: first.line } },
        rows.toRow('with content'),
      )
    }
  }

  /** Content is the bulk of a row: whoever does not need it saves the decoding of it. */
  *inCanonicalOrder(content: 'with content' | 'without content'): Generator<StagedRow, void, undefined> {
    for (const rows of this.#inOrder()) if (!this.#removed.has(rows.number)) yield rows.toRow(content)
  }

  /** By source and line. */
  *refusedRows(source: number): Generator<RefusedRow, void, undefined> {
    const ordered = this.#refusals.prepare(
      'SELECT source, line, reason, cells FROM refused WHERE source = ? ORDER BY line, rowid',
    )
    for (const found of ordered.iterate(source)) {
      yield {
        source: Number(found.source),
        line: Number(found.line),
        reason: String(found.reason),
        cells: JSON.parse(String(found.cells)) as (string | null)[],
      }
    }
  }

  close(): void {
    closeSync(this.#file)
    this.#refusals.close()
  }

  #makeRoom(bytes: number): void {
    if (this.#restBytes + bytes <= this.#rest.length) return
    this.#writeRun()
    // A row that is larger than all others together takes a run of its own.
    if (bytes > this.#rest.length) this.#rest = Buffer.allocUnsafeSlow(bytes)
  }

  #writeRun(): void {
    if (this.#restBytes === 0) return
    const sorted = this.#sortRest()
    for (let written = 0; written < sorted.length; ) written += writeSync(this.#file, sorted, written)
    this.#runs.push({ start: this.#fileBytes, size: sorted.length })
    this.#fileBytes += sorted.length
    this.#restBytes = 0
    this.#starts = []
  }

  #sortRest(): Buffer {
    const rest = this.#rest
    const rows = this.#starts.map((start) => ({ ...readKey(rest, start), start }))
    const sorted = Buffer.allocUnsafeSlow(this.#restBytes)
    let end = 0
    for (const { start } of rows.sort(compareCanonically)) {
      end += rest.copy(sorted, end, start, start + rest.readUInt32LE(start))
    }
    return sorted
  }

  /** Every row in canonical order; of equal ones the earlier first. What is yielded moves on with the next. */
  *#inOrder(): Generator<SortedRows, void, undefined> {
    const inMemory = this.#sortRest()
    const runs = this.#runs.map(({ start, size }, order) => new SortedRows(order, this.#file, start, size))
    runs.push(new SortedRows(runs.length, this.#file, 0, 0, inMemory))
    const heap = new MergeHeap(
      runs.filter((rows) => rows.next()),
      comesBefore,
    )
    for (let top = heap.top(); top !== undefined; top = heap.top()) {
      yield top
      if (top.next()) heap.settle()
      else heap.pop()
    }
  }
}

/** Before a row: its size, where its key and its fields end, its number, its source and its line. */
const headBytes = 6 * 4
const utf8BytesMax = 3
const dateCharacters = 'YYYY-MM-DD'.length

type Fields = [
  id: string,
  registrationNumber: string,
  title: string,
  area: string,
  inscriptionDate: string | null,
  municipality: string,
  links: string,
  agreementLink: string | null,
  ...documents: string[],
]

interface Key {
  readonly checkinDate: string
  readonly code: string
}

function readKey(bytes: Buffer, start: number): Key {
  const key = bytes.toString('utf8', start + headBytes, start + bytes.readUInt32LE(start + 4))
  return { checkinDate: key.slice(0, dateCharacters), code: key.slice(dateCharacters) }
}

/** A stretch of sorted rows, read through a window. */
class SortedRows {
  readonly order: number
  key: Key = { checkinDate: '', code: '' }
  readonly #file: number
  #window: Buffer
  #row = 0
  #from = 0
  #to: number
  #next: number
  readonly #end: number

  constructor(order: number, file: number, start: number, size: number, window?: Buffer) {
    this.order = order
    this.#file = file
    this.#next = start
    this.#end = start + size
    this.#window = window ?? Buffer.allocUnsafeSlow(windowBytes)
    this.#to = window?.length ?? 0
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    if (!this.#fill(headBytes)) return false
    const size = this.#window.readUInt32LE(this.#from)
    this.#fill(size)
    this.#row = this.#from
    this.#from += size
    this.key = readKey(this.#window, this.#row)
    return true
  }

  get number(): number {
    return this.#window.readUInt32LE(this.#row + 12)
  }

  get source(): number {
    return this.#window.readUInt32LE(this.#row + 16)
  }

  get line(): number {
    return this.#window.readUInt32LE(this.#row + 20)
  }

  toRow(content: 'with content' | 'without content'): StagedRow {
    const window = this.#window
    const row = this.#row
    const keyEnd = row + window.readUInt32LE(row + 4)
    const fieldsEnd = row + window.readUInt32LE(row + 8)
    const fields = JSON.parse(window.toString('utf8', keyEnd, fieldsEnd)) as Fields
    const [id, registrationNumber, title, area, inscriptionDate, municipality, links, agreementLink] = fields
    const { checkinDate, code } = this.key
    const record: RegistryRecord = {
      code,
      id,
      registrationNumber,
      title,
      area,
      checkinDate,
      inscriptionDate,
      municipality,
      links,
      agreementLink,
    }
    const text = content === 'with content' ? window.toString('utf8', fieldsEnd, this.#from) : ''
    return { record, content: text, documents: fields.slice(documentsFrom) as string[] }
  }

  /** Has that many bytes in the window, or none are left. */
  #fill(bytes: number): boolean {
    const rest = this.#to - this.#from
    if (rest >= bytes) return true
    if (this.#next === this.#end) return false
    const target = bytes > this.#window.length ? Buffer.allocUnsafeSlow(bytes) : this.#window
    this.#window.copy(target, 0, this.#from, this.#to)
    this.#window = target
    this.#from = 0
    this.#to = rest
    while (this.#to < target.length && this.#next < this.#end) {
      const length = Math.min(target.length - this.#to, this.#end - this.#next)
      const read = readSync(this.#file, target, this.#to, length, this.#next)
      if (read === 0) throw new Error('the rows that were staged end too soon')
      this.#to += read
      this.#next += read
    }
    return true
  }
}

const documentsFrom = 8

function comesBefore(a: SortedRows, b: SortedRows): boolean {
  const order = compareCanonically(a.key, b.key)
  return order === 0 ? a.order < b.order : order < 0
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-'))
  try {
    return openSync(join(folder, 'staged'), 'wx+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
