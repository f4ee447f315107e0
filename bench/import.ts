// Benchmark of the command `import`: a CSV file without text and one with 1 KB of text a record, and the import of the
// same file again, which changes nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, toRow } from './measure.ts'
import { type BenchRegistry, generateRecords, writeCsv } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

export async function benchImport({ records }: BenchRegistry): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, contentWords] of [
    ['import with 1 KB of text', [140, 160]],
    ['import without text', [0, 0]],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
    try {
      const [source, database] = [join(folder, 'records.csv'), join(folder, 'registry.db')]
      await writeCsv(source, generateRecords(records, { order: 'entry', contentWords }))
      const first = importCsv(source, database)
      const again = importCsv(source, database)
      rows.push(
        toRow(name, 's', [first.seconds]),
        toRow(`${name}, peak resident memory`, 'MB', [first.residentMegabytes]),
        toRow(`${name}, size of the file`, 'MB', [statSync(database).size / 1e6]),
        { ...toRow(`${name}, again`, 's', [again.seconds]), ratio: first.seconds / again.seconds },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}

interface ImportCost {
  readonly seconds: number
  /** Peak resident memory of the process with its threads. */
  readonly residentMegabytes: number
}

/** Imports the CSV file `source` into the SQLite file `database`, in a process of its own. */
export function importCsv(source: string, database: string): ImportCost {
  const start = performance.now()
  const args = ['--import', peakReporter, command, 'import', source, '--database', `sqlite:${database}`]
  // `spawnSync` ends a process that prints more than `maxBuffer`.
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr.slice(-500)}`)
  const kibibytes = /PEAK (\d+)/.exec(stderr)?.[1]
  return { seconds: (performance.now() - start) / 1000, residentMegabytes: (Number(kibibytes) * 1024) / 1e6 }
}

/**
 * A module, as a data URL for `--import`, that prints the peak memory of the process at exit. It reads VmHWM (proc(5)),
 * because `ru_maxrss` includes the peak of the parent process (getrusage(2)). Worker threads inherit `--import`, but
 * only the main thread prints.
 */
const peakReporter = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('exit', () => {
    const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    process.stderr.write(\`PEAK \${peak} \`)
  })`,
)}`
