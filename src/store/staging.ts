// Where an import keeps its rows between reading and writing: it takes them in any order and in flat memory, finds
// the codes that come twice, and gives them back in canonical order (sorted-runs.ts). What was refused is here too.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../record/code.ts'
import { SeenCodes } from './seen-codes.ts'
import { mergeSorted, RunWriter, type SortedRun } from './sorted-runs.ts'
import { codeOf, type NewRow, numberOf, placeOf, type RowPlace, readRow, type StagedRow } from './staged-row.ts'

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
  readonly #file = openNameless()
  readonly #writer = new RunWriter(this.#file)
  /** Known once all rows have been added. */
  #runs: readonly SortedRun[] | undefined
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

  add(row: NewRow, place: RowPlace): void {
    const { code, links, agreementLink } = row.record
    if (row.documents.length > 0) this.#namesDocuments = true
    if (links !== '' || agreementLink !== null) this.#hasAddresses = true
    const folded = foldCode(code)
    if (this.#codes.add(folded)) this.#suspects.add(folded)
    this.#writer.add(row, place, this.#added++)
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
    for (const { bytes, row } of this.#inOrder()) {
      const folded = foldCode(codeOf(bytes, row))
      if (!this.#suspects.has(folded)) continue
      const number = numberOf(bytes, row)
      if (number < (firsts.get(folded)?.number ?? Number.POSITIVE_INFINITY))
        firsts.set(folded, { number, ...placeOf(bytes, row) })
    }
    for (const { bytes, row } of this.#inOrder()) {
      const code = codeOf(bytes, row)
      const first = firsts.get(foldCode(code))
      const number = numberOf(bytes, row)
      if (first === undefined || first.number === number) continue
      this.#removed.add(number)
      refuse(
        { ...placeOf(bytes, row), code, first: { source: first.source, line: first.line } },
        readRow(bytes, row, 'with content'),
      )
    }
  }

  /** A row holds until the next one is asked for. */
  *inCanonicalOrder(content: 'with content' | 'without content'): Generator<StagedRow, void, undefined> {
    const removed = this.#removed
    for (const { bytes, row } of this.#inOrder()) {
      if (removed.size === 0 || !removed.has(numberOf(bytes, row))) yield readRow(bytes, row, content)
    }
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

  #inOrder(): ReturnType<typeof mergeSorted> {
    this.#runs ??= this.#writer.finish()
    return mergeSorted(this.#runs)
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-'))
  try {
    return openSync(join(folder, 'staged'), 'wx+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
