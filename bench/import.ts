// The import: a CSV without and with text through the whole command, against SQLite alone inserting the same records in
// the same run: read, checked, sorted and made into rows beforehand, and searchable afterwards.
import { spawnSync } from 'node:child_process'
import { closeSync, createWriteStream, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { foldCode } from '../src/record/code.ts'
import type { WireRecord } from '../src/record/record.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { readEntries } from '../src/store/sqlite/entry.ts'
import { SnapshotFile } from '../src/store/sqlite/file.ts'
import { pageBytes } from '../src/store/sqlite/schema.ts'
import { type Bar, median, type Rounds, type Row, rowsOf } from './measure.ts'
import { seed } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

export async function benchImport(records: number, { rounds }: Rounds): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  const row = rowsOf(records)
  const ours = { name: 'planning-registry' }
  const alone = { name: 'SQLite alone with FTS5, prepared rows' }
  const rateRow = (
    work: string,
    contestant: typeof ours,
    efforts: readonly Effort[],
    ratio?: number,
    bar?: Bar,
  ): Row => ({
    ...row(
      work,
      contestant,
      efforts.map(({ seconds }) => records / seconds),
      'records/s',
      ratio,
      bar,
    ),
    cpuMicroseconds: (median(efforts.map(({ cpuSeconds }) => cpuSeconds)) / records) * 1e6,
  })
  const memoryRow = (work: string, efforts: readonly Import[]): Row => {
    const megabytes = efforts.map(({ residentMegabytes }) => residentMegabytes)
    return row(`${work}, resident memory`, ours, megabytes, 'MB', undefined, { atMost: 400, of: 'median' })
  }
  try {
    const bare = await writeCsv(join(folder, 'bare.csv'), records, [0, 0])
    const imports: Import[] = []
    const baselines: Effort[] = []
    for (let round = 0; round < rounds; round++) {
      for (const name of ['bare.db', 'alone.db']) rmSync(join(folder, name), { force: true })
      imports.push(importCsv(bare, join(folder, 'bare.db')))
      baselines.push(insertPrepared(join(folder, 'bare.db'), join(folder, 'alone.db')))
    }
    for (const name of ['bare.csv', 'bare.db', 'alone.db']) rmSync(join(folder, name))
    const ratio = median(imports.map(({ seconds }, round) => seconds / (baselines[round]?.seconds ?? Number.NaN)))
    const withText = importCsv(await writeCsv(join(folder, 'text.csv'), records, [140, 160]), join(folder, 'text.db'))
    const [without, text] = ['import without text', 'import with 1 KB of text'] as const
    return [
      rateRow(without, ours, imports, ratio, { atMost: 2.5 }),
      rateRow(without, alone, baselines),
      memoryRow(without, imports),
      rateRow(text, ours, [withText], undefined, { atLeast: 8000, of: 'median' }),
      memoryRow(text, [withText]),
    ]
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

interface Effort {
  readonly seconds: number
  readonly cpuSeconds: number
}

interface Import extends Effort {
  readonly residentMegabytes: number
}

/**
 * What SQLite needs to take the records of a registry and to make them searchable by itself: rows in canonical order,
 * an index of the codes, and FTS5 with neither copies of the texts nor their sizes, in which municipality and year are
 * words too. With the same care for durability as an import, and a larger cache. Reading them does not count.
 */
function insertPrepared(registry: string, path: string): Effort {
  const stored = new SnapshotFile(registry)
  const records = stored.strips.record.several(0, stored.strips.record.count).strings
  const rows = Array.from(readEntries(stored.strips.entry), ({ hasText, checkinDate, code }, position) => {
    const wire = records[position]?.subarray(0, -1) ?? new Uint8Array(0)
    return [position, code, foldCode(code), checkinDate, hasText ? 1 : 0, wire] as const
  })
  const numberOf = new Map<string, number>()
  const texts = rows.map(([position, , , checkinDate, , wire]) => {
    const { title, municipality } = JSON.parse(Buffer.from(wire).toString()) as WireRecord
    const number = numberOf.get(municipality) ?? numberOf.size
    numberOf.set(municipality, number)
    const year = checkinDate.slice(0, 4)
    return [position, title, '', `m${number} y${year} m${number}y${year}`] as const
  })
  stored.close()
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE; BEGIN;
    CREATE TABLE record (
      position INTEGER PRIMARY KEY, code TEXT NOT NULL, folded_code TEXT NOT NULL, checkin_date TEXT NOT NULL,
      has_text INTEGER NOT NULL, wire BLOB NOT NULL
    );
    CREATE VIRTUAL TABLE word USING fts5 (
      title, content, facet, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
    )`)
  const insertRecord = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)')
  for (const row of rows) insertRecord.run(...row)
  const insertText = database.prepare('INSERT INTO word (rowid, title, content, facet) VALUES (?, ?, ?, ?)')
  for (const text of texts) insertText.run(...text)
  database.exec('CREATE UNIQUE INDEX record_code ON record (folded_code); COMMIT')
  database.close()
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
  const { user, system } = process.cpuUsage(cpuStart)
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}

function importCsv(source: string, database: string): Import {
  const start = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', sayUsage, command, 'import', source, '--database', `sqlite:${database}`],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`import ended with status ${status}: ${stderr.slice(-500)}`)
  const seconds = (performance.now() - start) / 1000
  const [, kilobytes, microseconds] = /.*USAGE (\d+) (\d+)/s.exec(stderr) ?? []
  return { seconds, cpuSeconds: Number(microseconds) / 1e6, residentMegabytes: Number(kilobytes) / 1024 }
}

/**
 * The process tells its peak and its processor time, threads included, as it ends: nobody can ask it afterwards. The
 * peak that the system counts for a process begins with that of its parent, so the one of its own memory is asked for.
 */
const sayUsage = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs'
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    process.stderr.write(\`USAGE \${peak} \${userCPUTime + systemCPUTime} \`)
  })`,
)}`
