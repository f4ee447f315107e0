// Benchmark of the import command: a CSV file without text, and one with 1 KB of text per record.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, toRow } from './measure.ts'
import { writeCsv } from './sample-csv.ts'
import { measureUndisturbed } from './stolen-time.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

/**
 * `contentWordRange` limits the number of words in the text of a record; 150 words are about 1 KB.
 * `recordsPerSecondMin` is a threshold.
 */
const kinds = [
  { workload: 'import with 1 KB of text', contentWordRange: [140, 160], recordsPerSecondMin: 8_000 },
  { workload: 'import without text', contentWordRange: [0, 0], recordsPerSecondMin: 30_000 },
] as const
/** Threshold of the peak memory of an import. */
const residentMegabytesMax = 400

/** Imports a CSV file of each kind, with this many records. */
export async function benchImport(records: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { workload, contentWordRange, recordsPerSecondMin } of kinds) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
    try {
      const source = join(folder, 'records.csv')
      await writeCsv(source, records, contentWordRange)
      let imports = 0
      // `measureUndisturbed` may repeat the import. Each import writes a new database: into an existing database an
      // import would also compare the new records with the old ones.
      const { seconds, residentMegabytes } = await measureUndisturbed(async () =>
        importCsv(source, join(folder, `registry-${imports++}.db`)),
      )
      const rate = { records, workload, unit: 'records/s', samples: [records / seconds] }
      const memory = {
        records,
        workload: `${workload}, peak resident memory`,
        unit: 'MB',
        samples: [residentMegabytes],
      }
      rows.push(toRow({ ...rate, threshold: { atLeast: recordsPerSecondMin, of: 'median' } }))
      rows.push(toRow({ ...memory, threshold: { atMost: residentMegabytesMax, of: 'median' } }))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}

export interface ImportCost {
  readonly seconds: number
  /** Peak resident memory of the process with its threads. */
  readonly residentMegabytes: number
}

/** `spawnSync` ends a process that prints more than this; its default is 1 MiB. */
const outputBytesMax: number = 2 ** 28

/** Imports the CSV file `source` into the SQLite file `database`, in a process of its own. */
export function importCsv(source: string, database: string): ImportCost {
  const start = performance.now()
  const args = ['--import', peakReporter, command, 'import', source, '--database', `sqlite:${database}`]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: outputBytesMax })
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr.slice(-500)}`)
  const seconds = (performance.now() - start) / 1000
  // `peakReporter` has printed `PEAK` and the number of kibibytes.
  const kibibytes = /PEAK (\d+)/.exec(stderr)?.[1]
  return { seconds, residentMegabytes: (Number(kibibytes) * 1024) / 1e6 }
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
