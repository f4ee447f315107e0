// SQLite as one would use it for these records: an index on each filter, FTS5 on title and content, and statements that
// are prepared once. Its calls alone, without a server around them, are what a query costs at least.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type PeerQuestion, readPeerRecords } from '../peer-work.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'

/** The file, which is built where there is none. */
export async function openPlainDatabase(registry: BenchRegistry): Promise<string> {
  const file = join(benchFolder('sqlite'), `registry${registry.records}.db`)
  if (!existsSync(file)) await build(file, registry)
  return file
}

async function build(file: string, registry: BenchRegistry): Promise<void> {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = OFF; BEGIN;
    CREATE TABLE record (code TEXT PRIMARY KEY, title TEXT, area TEXT, checkin_date TEXT, inscription_date TEXT,
      municipality TEXT, links TEXT, content TEXT, year TEXT)`)
  const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for await (const each of readPeerRecords(registry)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links, content } = each
    const year = checkinDate.slice(0, 4)
    insert.run(code, title, area, checkinDate, inscriptionDate, municipality, links, content, year)
  }
  database.exec(`CREATE INDEX by_date ON record (checkin_date DESC, code);
    CREATE INDEX by_municipality ON record (municipality, checkin_date DESC, code);
    CREATE INDEX by_municipality_year ON record (municipality, year, checkin_date DESC, code);
    CREATE VIRTUAL TABLE record_fts USING fts5 (title, content, content = record, tokenize = 'unicode61');
    INSERT INTO record_fts (rowid, title, content) SELECT rowid, title, content FROM record;
    COMMIT; ANALYZE`)
  database.close()
}

/** Answers questions by the calls of SQLite alone; what comes back is rows, which nobody has put into JSON yet. */
export class PlainQueries {
  readonly #database: DatabaseSync
  /** By their text: there are as many as combinations of filters. */
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true })
  }

  ask({ code, search, municipality, year }: PeerQuestion): unknown[] {
    const conditions: string[] = []
    const values: string[] = []
    const filter = (condition: string, value: string | undefined): void => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    filter('code = ?', code)
    filter('municipality = ?', municipality)
    filter('year = ?', year)
    filter('rowid IN (SELECT rowid FROM record_fts WHERE record_fts MATCH ?)', search && toMatch(search))
    const text = `SELECT code, title, area, checkin_date, inscription_date, municipality, links FROM record
      WHERE ${conditions.join(' AND ')} ORDER BY checkin_date DESC, code LIMIT 20`
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement.all(...values)
  }

  close(): void {
    this.#database.close()
  }
}

/** Every word, none of them syntax. */
function toMatch(search: string): string {
  return search
    .split(' ')
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(' ')
}
