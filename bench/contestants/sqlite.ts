// Baseline of the command `queries`: SQLite with FTS5, tuned for these records. Rows are in the order of results,
// newest first, so the rowid is the position in that order and every page is `ORDER BY rowid LIMIT`. One FTS5 index has
// the words of titles, another the words of whole records. Neither stores the texts or the sizes of columns.
// Municipality and year are tokens in both indexes. The tokenizer unicode61 does not stem, so it does less work than
// our analyser.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { toWireRecord } from '../../src/domain/record.ts'
import { generateRecords } from '../peer-records.ts'
import { type BenchQuery, pageRecords } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'

export interface FtsFile {
  readonly path: string
  readonly bytes: number
  /** The speed at which it was built. */
  readonly recordsPerSecond: number
}

export interface FtsOptions {
  /** Whether FTS5 also indexes prefixes of 3 to 6 letters. */
  readonly prefixIndex: boolean
  /** Whether the file is built again if it exists. */
  readonly rebuild: boolean
}

/** Builds the file if it does not exist, or if `rebuild` is true. */
export async function openFtsFile(
  registry: BenchRegistry,
  { prefixIndex, rebuild }: FtsOptions = { prefixIndex: false, rebuild: false },
): Promise<FtsFile> {
  const path = join(benchFolder('sqlite'), `fts5-${registry.records}${prefixIndex ? '-prefix' : ''}.db`)
  const factsPath = `${path}.json`
  if (rebuild || !existsSync(factsPath)) {
    process.stderr.write(`Building an FTS5 database of ${registry.records} records …\n`)
    rmSync(path, { force: true })
    const seconds = await build(path, registry, prefixIndex)
    writeFileSync(factsPath, JSON.stringify({ recordsPerSecond: registry.records / seconds }))
  }
  const { recordsPerSecond } = JSON.parse(readFileSync(factsPath, 'utf8')) as Pick<FtsFile, 'recordsPerSecond'>
  return { path, bytes: statSync(path).size, recordsPerSecond }
}

/** Records that are generated together, and then inserted together. */
const batchRecords = 1000

/** Builds the file. Returns the seconds that building takes, without the time to generate the records. */
async function build(path: string, registry: BenchRegistry, prefixIndex: boolean): Promise<number> {
  const prefixOption = prefixIndex ? ", prefix = '3 4 5 6'" : ''
  const options = `content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'${prefixOption}`
  const database = new DatabaseSync(path)
  // A negative cache size is in KiB.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;
    CREATE TABLE record (position INTEGER PRIMARY KEY, code TEXT NOT NULL, wire TEXT NOT NULL);
    CREATE TABLE municipality (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
    CREATE VIRTUAL TABLE title_index USING fts5 (words, ${options});
    CREATE VIRTUAL TABLE record_index USING fts5 (words, ${options})`)
  const insertRecord = database.prepare('INSERT INTO record VALUES (?, ?, ?)')
  const insertTitle = database.prepare('INSERT INTO title_index (rowid, words) VALUES (?, ?)')
  const insertWords = database.prepare('INSERT INTO record_index (rowid, words) VALUES (?, ?)')
  /** Numbers from 0, in the order in which the municipalities occur. */
  const municipalityNumbers = new Map<string, number>()
  let position = 0
  let insertMs = 0
  // The inserts of a batch wait until its records are generated, so that only inserting them is timed.
  let batch: (() => void)[] = []
  const insertBatch = (): void => {
    const start = performance.now()
    for (const insert of batch) insert()
    insertMs += performance.now() - start
    batch = []
  }
  for await (const { record, content } of generateRecords(registry)) {
    batch.push(() => {
      const municipalityNumber = municipalityNumbers.get(record.municipality) ?? municipalityNumbers.size
      municipalityNumbers.set(record.municipality, municipalityNumber)
      const facets = Object.values(toFacetTokens(municipalityNumber, record.checkinDate.slice(0, 4))).join(' ')
      insertRecord.run(position, record.code, JSON.stringify(toWireRecord(record)))
      insertTitle.run(position, `${record.title} ${facets}`)
      insertWords.run(position, `${record.title} ${content} ${facets}`)
      position++
    })
    if (batch.length === batchRecords) insertBatch()
  }
  insertBatch()
  const start = performance.now()
  const insertMunicipality = database.prepare('INSERT INTO municipality VALUES (?, ?)')
  for (const [name, number] of municipalityNumbers) insertMunicipality.run(name, number)
  database.exec(`CREATE UNIQUE INDEX record_code ON record (code);
    INSERT INTO title_index (title_index) VALUES ('optimize');
    INSERT INTO record_index (record_index) VALUES ('optimize'); COMMIT`)
  database.close()
  return (insertMs + performance.now() - start) / 1000
}

/**
 * Tokens that stand for the municipality and the year of a record, and one for both. They begin with private-use
 * characters, which no text contains and unicode61 treats as letters. No query here has only a year; the token of the
 * year is indexed because an index for all filters would have it.
 */
function toFacetTokens(municipalityNumber: number, year: string): { municipality: string; year: string; both: string } {
  return {
    municipality: `\uE000${municipalityNumber}`,
    year: `\uE001${year}`,
    both: `\uE002${municipalityNumber}\uE001${year}`,
  }
}

/** Runs queries on the file. Records with the words in their title come first, as in our results. */
export class FtsQueries {
  readonly #database: DatabaseSync
  /** By name, the number that `build` gave the municipality. */
  readonly #municipalityNumbers: ReadonlyMap<string, number>
  /** The record with a code. */
  readonly #lookup: StatementSync
  /**
   * A page of the records of a municipality, or of a municipality and a year. Both indexes have these tokens; this
   * statement uses the index of titles.
   */
  readonly #facets: StatementSync
  /** A page of records with the words in the title. */
  readonly #titles: StatementSync
  /** A page of records with the words anywhere. */
  readonly #records: StatementSync
  /** A page of records with the words anywhere, without the records that `#titles` has found. */
  readonly #otherRecords: StatementSync

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true })
    // 72 MiB (a negative value is in KiB): as much as the service has, 64 MiB in its own cache and 8 MiB in SQLite's.
    // As in the service, the file is not mapped into memory: if a mapped file is cut short, a read ends the process.
    this.#database.exec('PRAGMA cache_size = -73728')
    const municipalities = this.#database.prepare('SELECT name, number FROM municipality').all()
    this.#municipalityNumbers = new Map(municipalities.map(({ name, number }) => [String(name), Number(number)]))
    this.#lookup = this.#database.prepare('SELECT wire FROM record WHERE code = ?')
    // Positions come from an FTS5 index. With a cross join SQLite reads the records in the order of these positions.
    const preparePage = (columns: string, index: string, condition = ''): StatementSync =>
      this.#database.prepare(`SELECT ${columns} FROM (
          SELECT rowid AS found FROM ${index} WHERE ${index} MATCH ? ${condition} ORDER BY rowid LIMIT ?
        ) CROSS JOIN record ON position = found`)
    // One concatenated text is faster than twenty rows. Title matches are rows, because `#otherRecords` needs their
    // positions.
    const oneText = "group_concat(wire, ',') AS wire"
    this.#facets = preparePage(oneText, 'title_index')
    this.#titles = preparePage('position, wire', 'title_index')
    this.#titles.setReturnArrays(true)
    this.#records = preparePage(oneText, 'record_index')
    const exceptPositions = 'AND rowid NOT IN (SELECT value FROM json_each(?))'
    this.#otherRecords = preparePage(oneText, 'record_index', exceptPositions)
  }

  /**
   * The records of the first page as JSON, separated by commas; an empty text if there are none. A query has a year
   * only together with a municipality (query-kinds.ts).
   */
  page({ code, search, municipality, year }: BenchQuery): string {
    if (code !== undefined) return toText(this.#lookup.get(code))
    const terms: string[] = []
    if (search !== undefined) terms.push(toMatch(search))
    if (municipality !== undefined) {
      // No municipality has the number -1, so an unknown name finds nothing.
      const tokens = toFacetTokens(this.#municipalityNumbers.get(municipality) ?? -1, year ?? '')
      terms.push(`"${year === undefined ? tokens.municipality : tokens.both}"`)
    }
    const match = terms.join(' AND ')
    if (search === undefined) return toText(this.#facets.get(match, pageRecords))
    const titleMatches = this.#titles.all(match, pageRecords) as unknown as [position: number, wire: string][]
    if (titleMatches.length === 0) return toText(this.#records.get(match, pageRecords))
    const titleText = titleMatches.map(([, wire]) => wire).join()
    if (titleMatches.length === pageRecords) return titleText
    const positions = JSON.stringify(titleMatches.map(([position]) => position))
    const otherText = toText(this.#otherRecords.get(match, positions, pageRecords - titleMatches.length))
    return otherText === '' ? titleText : `${titleText},${otherText}`
  }

  close(): void {
    this.#database.close()
  }
}

/** The JSON text of a row; empty if SQLite returns no row, or null because no record matches. */
function toText(row: Record<string, unknown> | undefined): string {
  return typeof row?.wire === 'string' ? row.wire : ''
}

/** The search as FTS5 syntax: `"plan" AND "parcial"`, a phrase as it is, and `"urban" *` for a prefix. */
function toMatch(search: string): string {
  if (search.startsWith('"')) return search
  return search
    .split(' ')
    .map((word) => (word.endsWith('*') ? `"${word.slice(0, -1)}" *` : `"${word}"`))
    .join(' AND ')
}
