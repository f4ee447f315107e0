// Runs the command `import` and tells its cost.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))

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
