// Rows on their way into a table, several in one statement: SQLite finds the place of the next from that of the last
// in half the time.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

export const rowsAtOnce = 16

export class RowInserter {
  readonly #columns: number
  readonly #insert: StatementSync
  readonly #insertSeveral: StatementSync
  #values: SQLInputValue[] = []

  constructor(database: DatabaseSync, table: string, columns: number) {
    const row = `(${Array(columns).fill('?')})`
    this.#columns = columns
    this.#insert = database.prepare(`INSERT INTO ${table} VALUES ${row}`)
    this.#insertSeveral = database.prepare(`INSERT INTO ${table} VALUES ${Array(rowsAtOnce).fill(row)}`)
  }

  /** What the values hold may not change before `rowsAtOnce` more rows were added. */
  add(...values: readonly SQLInputValue[]): void {
    for (const value of values) this.#values.push(value)
    if (this.#values.length < this.#columns * rowsAtOnce) return
    this.#insertSeveral.run(...this.#values)
    this.#values.length = 0
  }

  finish(): void {
    for (let at = 0; at < this.#values.length; at += this.#columns) {
      this.#insert.run(...this.#values.slice(at, at + this.#columns))
    }
    this.#values.length = 0
  }
}
