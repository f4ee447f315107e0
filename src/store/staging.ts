// Where an import keeps its rows between reading and writing: it takes them in any order and in flat memory, finds
// the codes that come twice, and gives them back in canonical order. An external merge sort, in a temporary file
// without a name, which the system removes whatever happens to this process.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../record/code.ts'
import { type RegistryRecord, type StoredRecord, toStored } from '../record/record.ts'
import { FileWindow } from '../search/file-window.ts'
import { MergeHeap } from '../search/heap.ts'
import { RowOrder, toDateNumber } from './row-order.ts'
import { SeenCodes } from './seen-codes.ts'
import { StoreFault } from './store.ts'

export interface StagedRow {
  readonly record: StoredRecord
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
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

/** Rows are sorted in memory so many bytes at a time; so many are read back at once, of all such runs together. */
const runBytes = 4 * 1024 * 1024
const windowsBytes = 8 * 1024 * 1024
const windowBytesMax = 64 * 1024

export class Staging {
  readonly #file = openNameless()
  /** Sorted rows in the file. */
  readonly #runs: { readonly start: number; readonly size: number }[] = []
  #fileBytes = 0
  /** The rows that are not sorted yet. */
  #rest = Buffer.allocUnsafeSlow(runBytes)
  #restBytes = 0
  readonly #unsorted = new RowOrder()
  /** None once all codes have been seen. */
  #codes = new SeenCodes()
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
      PRAGMA journal_mode = MEMORY; PRAGMA temp_store = FILE; BEGIN;
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

  add(row: Omit<StagedRow, 'record'> & { readonly record: RegistryRecord }, { source, line }: RowPlace): void {
    const { content, documents } = row
    const { code, checkinDate, title, municipality, wire } = toStored(row.record)
    if (documents.length > 0) this.#namesDocuments = true
    if (row.record.links !== '' || row.record.agreementLink !== null) this.#hasAddresses = true
    const folded = foldCode(code)
    if (this.#codes.add(folded)) this.#suspects.add(folded)
    const text = checkinDate + code + title + municipality + wire
    const names = documents.length === 0 ? '' : JSON.stringify(documents)
    this.#makeRoom(headBytes + (text.length + names.length + content.length) * utf8BytesMax)
    const rest = this.#rest
    const start = this.#restBytes
    const textEnd = start + headBytes + rest.write(text, start + headBytes)
    const namesEnd = names === '' ? textEnd : textEnd + rest.write(names, textEnd)
    const end = content === '' ? namesEnd : namesEnd + rest.write(content, namesEnd)
    let at = rest.writeUInt32LE(end - start, start)
    at = rest.writeUInt32LE(textEnd - start, at)
    at = rest.writeUInt32LE(namesEnd - start, at)
    at = rest.writeUInt32LE(code.length, at)
    at = rest.writeUInt32LE(title.length, at)
    at = rest.writeUInt32LE(municipality.length, at)
    at = rest.writeUInt32LE(this.#added++, at)
    at = rest.writeUInt32LE(source, at)
    rest.writeUInt32LE(line, at)
    this.#unsorted.add(toDateNumber(checkinDate), start)
    this.#restBytes = end
  }

  refuse(row: RefusedRow): void {
    this.#refused += 1
    this.#insertRefused.run(row.source, row.line, row.reason, JSON.stringify(row.cells))
  }

  /** Takes out every row whose code an earlier row bears, and shows it to `refuse`. */
  refuseDuplicates(refuse: (duplicate: DuplicateRow, row: StagedRow) => void): void {
    this.#codes = new SeenCodes()
    if (this.#suspects.size === 0) return
    const firsts = new Map<string, RowPlace & { readonly number: number }>()
    for (const rows of this.#inOrder()) {
      const folded = foldCode(rows.record.code)
      if (!this.#suspects.has(folded)) continue
      const { number, source, line } = rows
      if (number < (firsts.get(folded)?.number ?? Number.POSITIVE_INFINITY))
        firsts.set(folded, { number, source, line })
    }
    for (const rows of this.#inOrder()) {
      const first = firsts.get(foldCode(rows.record.code))
      if (first === undefined || first.number === rows.number) continue
      this.#removed.add(rows.number)
      const { source, line } = rows
      refuse(
        { source, line, code: rows.record.code, first: { source: first.source, line: first.line } },
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
    try {
      for (let written = 0; written < sorted.length; ) written += writeSync(this.#file, sorted, written)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error
      throw new StoreFault(`Cannot import: ${tmpdir()} is full; make room in it, or name another folder in TMPDIR`, {
        cause: error,
      })
    }
    this.#runs.push({ start: this.#fileBytes, size: sorted.length })
    this.#fileBytes += sorted.length
    this.#restBytes = 0
    this.#unsorted.clear()
  }

  #sortRest(): Buffer {
    const rest = this.#rest
    const sorted = Buffer.allocUnsafeSlow(this.#restBytes)
    let end = 0
    for (const start of this.#unsorted.inOrder((row) => readCode(rest, row))) {
      end += rest.copy(sorted, end, start, start + rest.readUInt32LE(start))
    }
    return sorted
  }

  /** Every row in canonical order; of equal ones the earlier first. What is yielded moves on with the next. */
  *#inOrder(): Generator<SortedRows, void, undefined> {
    const inMemory = this.#sortRest()
    const windowBytes = Math.min(windowBytesMax, Math.ceil(windowsBytes / (this.#runs.length + 1)))
    const runs = this.#runs.map(({ start, size }, order) => {
      return new SortedRows(order, new FileWindow(this.#file, start, size, Buffer.allocUnsafeSlow(windowBytes)))
    })
    runs.push(new SortedRows(runs.length, new FileWindow(this.#file, 0, 0, inMemory, inMemory.length)))
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

/**
 * Before a row: its size, where its text and its documents end, how many characters of the text are code, title and
 * municipality, its number, its source and its line.
 */
const headBytes = 9 * 4
const utf8BytesMax = 3
const dateCharacters = 'YYYY-MM-DD'.length

/** A stretch of sorted rows, read through a window. */
class SortedRows {
  readonly order: number
  record: StoredRecord = { checkinDate: '', code: '', title: '', municipality: '', wire: '' }
  dateNumber = 0
  readonly #window: FileWindow
  #row = 0

  constructor(order: number, window: FileWindow) {
    this.order = order
    this.#window = window
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    const window = this.#window
    if (!window.fill(headBytes)) return false
    const size = window.bytes.readUInt32LE(window.from)
    window.fill(size)
    this.#row = window.from
    window.from += size
    this.record = readRecord(window.bytes, this.#row)
    this.dateNumber = toDateNumber(this.record.checkinDate)
    return true
  }

  get number(): number {
    return this.#window.bytes.readUInt32LE(this.#row + 24)
  }

  get source(): number {
    return this.#window.bytes.readUInt32LE(this.#row + 28)
  }

  get line(): number {
    return this.#window.bytes.readUInt32LE(this.#row + 32)
  }

  toRow(content: 'with content' | 'without content'): StagedRow {
    const { bytes, from } = this.#window
    const textEnd = this.#row + bytes.readUInt32LE(this.#row + 4)
    const namesEnd = this.#row + bytes.readUInt32LE(this.#row + 8)
    return {
      record: this.record,
      content: content === 'with content' ? bytes.toString('utf8', namesEnd, from) : '',
      documents: textEnd === namesEnd ? noNames : (JSON.parse(bytes.toString('utf8', textEnd, namesEnd)) as string[]),
    }
  }
}

const noNames: readonly string[] = []

/** One text cut into its fields costs less than as many texts. */
function readRecord(bytes: Buffer, row: number): StoredRecord {
  const text = bytes.toString('utf8', row + headBytes, row + bytes.readUInt32LE(row + 4))
  const codeEnd = dateCharacters + bytes.readUInt32LE(row + 12)
  const titleEnd = codeEnd + bytes.readUInt32LE(row + 16)
  const municipalityEnd = titleEnd + bytes.readUInt32LE(row + 20)
  return {
    checkinDate: text.slice(0, dateCharacters),
    code: text.slice(dateCharacters, codeEnd),
    title: text.slice(codeEnd, titleEnd),
    municipality: text.slice(titleEnd, municipalityEnd),
    wire: text.slice(municipalityEnd),
  }
}

function readCode(bytes: Buffer, row: number): string {
  const from = row + headBytes + dateCharacters
  const characters = bytes.readUInt32LE(row + 12)
  return bytes.toString('utf8', from, from + characters * utf8BytesMax).slice(0, characters)
}

/** The canonical order (record.ts); of equal ones, the earlier. */
function comesBefore(a: SortedRows, b: SortedRows): boolean {
  if (a.dateNumber !== b.dateNumber) return a.dateNumber > b.dateNumber
  const [code, other] = [a.record.code, b.record.code]
  return code === other ? a.order < b.order : code < other
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-'))
  try {
    return openSync(join(folder, 'staged'), 'wx+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
