// The import: a CSV without and with text through the whole command, against SQLite alone inserting, in the same run,
// all that the import has stored as rows: records, posting lists and all, made ready beforehand.
import { spawnSync } from 'node:child_process'
import { closeSync, createWriteStream, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { foldCode } from '../src/record/code.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { readEntries } from '../src/store/sqlite/entry.ts'
import { SnapshotFile } from '../src/store/sqlite/file.ts'
import { ListHeads } from '../src/store/sqlite/list-heads.ts'
import { pageBytes, tables } from '../src/store/sqlite/schema.ts'
import { type Bar, median, type Rounds, type Row, rowsOf } from './measure.ts'
import { seed } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

export async function benchImport(records: number, { rounds }: Rounds): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  const row = rowsOf(records)
  const ours = { name: 'planning-registry' }
  const alone = { name: 'SQLite alone, prepared rows' }
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
    const secondsOf = (efforts: readonly Effort[]): number => median(efforts.map(({ seconds }) => seconds))
    const ratio = secondsOf(imports) / secondsOf(baselines)
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
 * What SQLite needs for all that a registry holds, its strips as rows, and for an index of the codes, with the same
 * settings and the same care for durability as an import. Reading it does not count.
 */
function insertPrepared(registry: string, path: string): Effort {
  const stored = new SnapshotFile(registry)
  const database = new DatabaseSync(path)
  let seconds = 0
  let cpuSeconds = 0
  const time = (work: () => void): void => {
    const start = performance.now()
    const cpuStart = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(cpuStart)
    seconds += (performance.now() - start) / 1000
    cpuSeconds += (user + system) / 1e6
  }
  const strips = ['record', 'block', 'place'] as const
  time(() => {
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; BEGIN; ${tables}
      CREATE TABLE entry (
        position INTEGER PRIMARY KEY, code TEXT NOT NULL, folded_code TEXT NOT NULL, checkin_date TEXT NOT NULL,
        digest BLOB NOT NULL, has_text INTEGER NOT NULL
      );
      CREATE TABLE list (
        key TEXT PRIMARY KEY, records INTEGER NOT NULL, lasts BLOB NOT NULL, first_block INTEGER NOT NULL,
        first_place INTEGER, inline BLOB
      ) WITHOUT ROWID;
      ${strips.map((name) => `CREATE TABLE ${name} (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);`).join('')}`)
  })
  const insertAll = (table: string, rows: readonly SQLInputValue[][]): void => {
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0]?.map(() => '?')})`)
    time(() => {
      for (const row of rows) insert.run(...row)
    })
  }
  for (const { name } of stored.database
    .prepare(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE %'`)
    .all()) {
    const select = stored.database.prepare(`SELECT * FROM ${name}`)
    select.setReturnArrays(true)
    if (String(name).startsWith('sqlite_')) continue
    insertAll(String(name), select.all() as unknown as SQLInputValue[][])
  }
  const entries = Array.from(readEntries(stored.strips.entry), ({ digest, hasText, checkinDate, code }, position) => [
    position,
    code,
    foldCode(code),
    checkinDate,
    Buffer.from(digest),
    hasText ? 1 : 0,
  ])
  insertAll('entry', entries)
  const heads = Array.from(new ListHeads(stored.strips), (head) => [
    head.key,
    head.records,
    new Uint8Array(head.lasts.buffer),
    head.firstBlock,
    head.firstPlace,
    head.inline,
  ])
  insertAll('list', heads)
  for (const name of strips) {
    const { strings } = stored.strips[name].several(0, stored.strips[name].count)
    insertAll(
      name,
      strings.map((bytes, number) => [number, bytes]),
    )
  }
  time(() => {
    database.exec('CREATE UNIQUE INDEX entry_code ON entry (folded_code); COMMIT; ANALYZE')
    database.close()
    const file = openSync(path, 'r+')
    fsyncSync(file)
    closeSync(file)
  })
  stored.close()
  return { seconds, cpuSeconds }
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
