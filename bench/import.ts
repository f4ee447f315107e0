// The import: a CSV without and with text through the whole command, against SQLite alone inserting rows that were
// prepared beforehand (the wire record and the words of its title, as an FTS5 index would take them) in the same run.
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { toWireRecord } from '../src/record/record.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { analyseText } from '../src/text/analyse.ts'
import { type Row, rowsOf } from './measure.ts'
import { seed } from './registries.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export async function benchImport(records: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  const row = rowsOf(records)
  try {
    const bare = await writeCsv(join(folder, 'bare.csv'), records, [0, 0])
    const baseline = insertPrepared(join(folder, 'alone.db'), await prepareRows(records))
    const imported = importCsv(bare, join(folder, 'bare.db'))
    const ours = { name: 'planning-registry' }
    const alone = { name: 'SQLite alone, prepared rows' }
    const rows = [
      row('import without text', ours, [records / imported.seconds], 'records/s', imported.seconds / baseline, {
        atMost: 2.5,
      }),
      row('import without text', alone, [records / baseline], 'records/s'),
      row('import without text, resident memory', ours, [imported.residentMegabytes], 'MB', undefined, {
        atMost: 400,
        of: 'median',
      }),
    ]
    rmSync(bare)
    const withText = await writeCsv(join(folder, 'text.csv'), records, [140, 160])
    const read = importCsv(withText, join(folder, 'text.db'))
    rows.push(
      row('import with 1 KB of text', ours, [records / read.seconds], 'records/s', undefined, {
        atLeast: 8000,
        of: 'median',
      }),
      row('import with 1 KB of text, resident memory', ours, [read.residentMegabytes], 'MB', undefined, {
        atMost: 400,
        of: 'median',
      }),
    )
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeCsv(path: string, records: number, contentWords: readonly [number, number]): Promise<string> {
  const file = createWriteStream(path)
  const columns = [
    'code',
    'id',
    'title',
    'municipality',
    'checkin_date',
    'area',
    'inscription_date',
    'links',
    'content',
  ]
  file.write(`${columns.join()}\n`)
  for await (const { record, content } of sampleRecords({
    records,
    documents: 0,
    seed,
    contentWords,
    order: 'entry',
  })) {
    const { code, id, title, municipality, checkinDate, area, inscriptionDate, links } = record
    const values = [code, id, title, municipality, checkinDate, area, inscriptionDate ?? '', links, content]
    if (!file.write(`${Papa.unparse([values], { newline: '\n' })}\n`)) {
      await new Promise<void>((resolve) => file.once('drain', resolve))
    }
  }
  file.end()
  await finished(file)
  return path
}

interface PreparedRow {
  readonly code: string
  readonly wire: string
  readonly words: string
}

async function prepareRows(records: number): Promise<PreparedRow[]> {
  const rows: PreparedRow[] = []
  for await (const { record } of sampleRecords({ records, documents: 0, seed, contentWords: [0, 0] })) {
    const words = analyseText(record.title).words.map(({ stem }) => stem)
    rows.push({ code: record.code, wire: JSON.stringify(toWireRecord(record)), words: words.join(' ') })
  }
  return rows
}

/** Seconds that SQLite needs to insert the rows and to index them, with the same care for durability as an import. */
function insertPrepared(path: string, rows: readonly PreparedRow[]): number {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
    CREATE TABLE record (position INTEGER PRIMARY KEY, code TEXT, wire TEXT);
    CREATE VIRTUAL TABLE word USING fts5 (words, content = '', columnsize = 0, tokenize = 'ascii')`)
  const start = performance.now()
  const insertRecord = database.prepare('INSERT INTO record VALUES (?, ?, ?)')
  const insertWords = database.prepare('INSERT INTO word (rowid, words) VALUES (?, ?)')
  for (const [position, { code, wire, words }] of rows.entries()) {
    insertRecord.run(position, code, wire)
    insertWords.run(position, words)
  }
  database.exec('CREATE UNIQUE INDEX record_code ON record (code); COMMIT')
  const seconds = (performance.now() - start) / 1000
  database.close()
  return seconds
}

function importCsv(source: string, database: string): { seconds: number; residentMegabytes: number } {
  const start = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', sayPeak, main, 'import', source, '--database', `sqlite:${database}`],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`import ended with status ${status}: ${stderr.slice(-500)}`)
  const peaks = Array.from(stderr.matchAll(/PEAK (\d+)/g), ([, kilobytes]) => Number(kilobytes))
  return { seconds: (performance.now() - start) / 1000, residentMegabytes: Math.max(...peaks) / 1024 }
}

/** The process tells its own peak as it ends: nobody can ask it afterwards. */
const sayPeak = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('PEAK ' + process.resourceUsage().maxRSS + ' '))",
)}`
