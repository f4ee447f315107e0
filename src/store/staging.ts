// Where an import keeps its rows between reading and writing: it takes them in any order and in flat memory, finds
// the codes that come twice, and gives them back in canonical order (sorted-runs.ts). What was refused is here too.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../record/code.ts'
import { RowStager } from './row-stager.ts'
import { hashCode, SeenCodes } from './seen-codes.ts'
import { mergeSorted, type SortedRun } from './sorted-runs.ts'
import type { NewRow, RowPlace, StagedRow } from './staged-row.ts'
import { StoreFault } from './store.ts'

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

export class Staging {
  readonly #files = [openNameless()]
  readonly #stager = new RowStager(this.#files[0] as number)
  /** Those of the threads; its own follow once all rows have been added. */
  readonly #runs: SortedRun[] = []
  #isComplete = false
  /** None once all codes have been seen. */
  #codes = new SeenCodes()
  /** Hashes of codes that seem to have come twice. */
  readonly #suspects = new Set<number>()
  /** Numbers of the rows that were taken out. */
  readonly #removed = new Set<number>()
  readonly #refusals = new DatabaseSync('')
  readonly #insertRefused
  #rows = 0
  #nextNumber = 0
  #refused = 0

  constructor() {
    this.#refusals.exec(`
      PRAGMA journal_mode = MEMORY; PRAGMA temp_store = FILE; BEGIN;
      CREATE TABLE refused (source INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
    `)
    this.#insertRefused = this.#refusals.prepare('INSERT INTO refused VALUES (?, ?, ?, ?)')
  }

  /** Rows staged, duplicates included until they are refused. */
  get rows(): number {
    return this.#rows - this.#removed.size
  }

  get refused(): number {
    return this.#refused
  }

  /** Whether any row names a document in the folder. */
  get namesDocuments(): boolean {
    return this.#stager.namesDocuments
  }

  /** Whether any row has the address of a document. */
  get hasAddresses(): boolean {
    return this.#stager.hasAddresses
  }

  add(row: NewRow, place: RowPlace): void {
    try {
      this.#meet(this.#stager.add(row, place, this.#nextNumber++))
    } catch (error) {
      throw toStagingFault(error)
    }
  }

  /** Another file without a name, for a thread to stage rows in (row-stager.ts). */
  openFile(): number {
    const file = openNameless()
    this.#files.push(file)
    return file
  }

  /** The first number of so many rows that a thread may stage. */
  reserve(rows: number): number {
    this.#nextNumber += rows
    return this.#nextNumber - rows
  }

  /** Rows that a thread has staged: the hashes of their codes, and what it has found out about them. */
  note(codes: Float64Array, found: Pick<RowStager, 'namesDocuments' | 'hasAddresses'>): void {
    for (const code of codes) this.#meet(code)
    if (found.namesDocuments) this.#stager.namesDocuments = true
    if (found.hasAddresses) this.#stager.hasAddresses = true
  }

  #meet(code: number): void {
    this.#rows += 1
    if (this.#codes.add(code)) this.#suspects.add(code)
  }

  /** What a thread has staged in its file. */
  takeRuns(runs: readonly SortedRun[]): void {
    this.#runs.push(...runs)
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
    for (const { code, number, place } of this.#inOrder()) {
      if (!this.#suspects.has(hashCode(code))) continue
      const folded = foldCode(code)
      if (number < (firsts.get(folded)?.number ?? Number.POSITIVE_INFINITY)) firsts.set(folded, { number, ...place })
    }
    for (const row of this.#inOrder()) {
      const { code, number, place } = row
      const first = firsts.get(foldCode(code))
      if (first === undefined || first.number === number) continue
      this.#removed.add(number)
      refuse({ ...place, code, first: { source: first.source, line: first.line } }, row)
    }
  }

  /** A row holds until the next one is asked for. */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    const removed = this.#removed
    for (const row of this.#inOrder()) if (removed.size === 0 || !removed.has(row.number)) yield row
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
    for (const file of this.#files) closeSync(file)
    this.#refusals.close()
  }

  #inOrder(): ReturnType<typeof mergeSorted> {
    if (!this.#isComplete) this.#complete()
    return mergeSorted(this.#runs)
  }

  #complete(): void {
    this.#isComplete = true
    try {
      this.takeRuns(this.#stager.finish())
    } catch (error) {
      throw toStagingFault(error)
    }
  }
}

/** Says what to do where the temporary folder is full. */
export function toStagingFault(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') return error
  return new StoreFault(`Cannot import: ${tmpdir()} is full; make room in it, or name another folder in TMPDIR`, {
    cause: error,
  })
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-'))
  try {
    return openSync(join(folder, 'staged'), 'wx+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
