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
import { sampleRecords } from '../src/sample/records.ts'
import { SnapshotFile } from '../src/store/sqlite/file.ts'
import { indexes, pageBytes, tables } from '../src/store/sqlite/schema.ts'
import { stripNames } from '../src/store/sqlite/strip.ts'
import { type Row, rowsOf } from './measure.ts'
import { seed } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

export async function benchImport(records: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  const row = rowsOf(records)
  try {
    const bare = await writeCsv(join(folder, 'bare.csv'), records, [0, 0])
    const imported = importCsv(bare, join(folder, 'bare.db'))
    const baseline = insertPrepared(join(folder, 'bare.db'), join(folder, 'alone.db'))
    const ours = { name: 'planning-registry' }
    const alone = { name: 'SQLite alone, prepared rows' }
    const ratio = imported.seconds / baseline.seconds
    const memory = { atMost: 400, of: 'median' } as const
    const rows = [
      {
        ...row('import without text', ours, [records / imported.seconds], 'records/s', ratio, { atMost: 2.5 }),
        cpuMicroseconds: (imported.cpuSeconds / records) * 1e6,
      },
      {
        ...row('import without text', alone, [records / baseline.seconds], 'records/s'),
        cpuMicroseconds: (baseline.cpuSeconds / records) * 1e6,
      },
      row('import without text, resident memory', ours, [imported.residentMegabytes], 'MB', undefined, memory),
    ]
    rmSync(bare)
    const withText = await writeCsv(join(folder, 'text.csv'), records, [140, 160])
    const read = importCsv(withText, join(folder, 'text.db'))
    const rate = { atLeast: 8000, of: 'median' } as const
    rows.push(
      {
        ...row('import with 1 KB of text', ours, [records / read.seconds], 'records/s', undefined, rate),
        cpuMicroseconds: (read.cpuSeconds / records) * 1e6,
      },
      row('import with 1 KB of text, resident memory', ours, [read.residentMegabytes], 'MB', undefined, memory),
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

interface Effort {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly residentMegabytes: number
}

/**
 * What SQLite needs for all that a registry holds, its strips as rows, and for the index, with the same settings and
 * the same care for durability as an import. Reading it does not count.
 */
function insertPrepared(registry: string, path: string): Pick<Effort, 'seconds' | 'cpuSeconds'> {
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
  time(() => {
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; BEGIN; ${tables}
      ${stripNames.map((name) => `CREATE TABLE ${name}_strip (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);`).join('')}`)
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
  for (const name of stripNames) {
    const { strings } = stored.strips[name].several(0, stored.strips[name].count)
    insertAll(
      `${name}_strip`,
      strings.map((bytes, number) => [number, bytes]),
    )
  }
  time(() => {
    database.exec(`${indexes}; COMMIT; ANALYZE`)
    database.close()
    const file = openSync(path, 'r+')
    fsyncSync(file)
    closeSync(file)
  })
  stored.close()
  return { seconds, cpuSeconds }
}

function importCsv(source: string, database: string): Effort {
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
