// Starts `planning-registry serve` as a child process on free ports, with a registry built for the test.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entry } from '../command.ts'
import type { TestRecord } from '../service.ts'
import { publishRecords } from '../service.ts'

export interface ServeProcess extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/registry` */
  readonly base: string
  readonly port: number
  /** A temporary folder for the test. It contains the registry, unless an existing one is served. */
  readonly folder: string
  /** Path of the registry file. Nothing is there if the option `database` is given. */
  readonly file: string
  /** The primary, or the only process if there are no workers. A wrapper must replace itself by it (`exec`). */
  readonly child: ChildProcess
  /** The address of the admin port, `http://127.0.0.1:PORT`. */
  readonly admin: string
  /** Parses the entries of the log so far. */
  readonly log: () => Record<string, unknown>[]
  /** Resolves to the exit status; null if a signal ended the process. */
  readonly ended: Promise<number | null>
  /** Reads the pids of the workers, also of workers that start or drain; none if there is only one process. */
  readonly workers: () => Promise<number[]>
}

/** How `startServe` starts the service. */
export interface ServeOptions {
  /** Flags of `serve`. */
  readonly flags?: readonly string[]
  /** Flags of Node, such as a memory limit. */
  readonly nodeFlags?: readonly string[]
  /** A command with its arguments, to which that of the service is appended, such as `prlimit --nofile=64`. */
  readonly wrapper?: readonly string[]
  /** Environment variables. */
  readonly variables?: Readonly<Record<string, string>>
  /** An existing registry to serve, instead of the records. */
  readonly file?: string
  /** The value of `--database`, instead of a file: a database that already has a registry. */
  readonly database?: string
  /** Folder of the local copy of a registry on PostgreSQL; one in the temporary folder by default. */
  readonly dataDir?: string
}

/** Publishes the records, unless a registry is given, starts the service, and resolves when it listens. */
export async function startServe(
  records: readonly TestRecord[],
  { flags = [], nodeFlags = [], wrapper = [], variables = {}, file: existing, database, dataDir }: ServeOptions = {},
): Promise<ServeProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-serve-'))
  const file = existing ?? join(folder, 'registry.db')
  if (existing === undefined && database === undefined) await publishRecords(`sqlite:${file}`, records)
  const [command = '', ...args] = [...wrapper, process.execPath, ...nodeFlags, entry, 'serve']
  const child = spawn(
    command,
    [
      ...args,
      ...['--database', database ?? `sqlite:${file}`, '--data-dir', dataDir ?? join(folder, 'data')],
      ...['--port', '0', '--admin-port', '0', ...flags],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...variables } },
  )
  const ended = once(child, 'exit').then(([status]) => status as number | null)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const base = await readAddress(child, ended, () => stderr)
  const log = (): Record<string, unknown>[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Record<string, unknown> => JSON.parse(line))
  const adminPort = log().find((line) => 'adminPort' in line)?.adminPort
  return {
    base,
    port: Number(new URL(base).port),
    folder,
    file,
    child,
    admin: `http://127.0.0.1:${String(adminPort)}`,
    log,
    ended,
    workers: () => readChildren(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Kills a worker with SIGKILL. Throws if the pid is undefined, so that callers need not write `pid ?? 0`: pid 0 is the
 * whole process group of the test.
 */
export function killWorker(pid: number | undefined): void {
  if (pid === undefined) throw new Error('There is no such worker')
  process.kill(pid, 'SIGKILL')
}

/** Resolves to the address that `serve` prints when it listens. */
async function readAddress(child: ChildProcess, ended: Promise<number | null>, stderr: () => string): Promise<string> {
  let stdout = ''
  const line = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
      const address = /^listening on (\S+)\n/m.exec(stdout)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const failed = ended.then((status) => {
    throw new Error(`serve ended with status ${status} before it listened: ${stderr()}`)
  })
  return Promise.race([line, failed])
}

/** The pids of the children of a process (Linux). */
export async function readChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/**
 * Polls until the result is neither false nor undefined, and returns it. There is no time limit: the test runner stops
 * a test that waits for too long.
 */
export async function until<T>(poll: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const result = await poll()
    if (result !== undefined && result !== false) return result
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until the admin port reports this number of workers that can serve requests. */
export async function untilReadyWorkers(serve: ServeProcess, count: number): Promise<void> {
  await until(async () => (await readMetric(serve, 'planning_registry_ready')) === count)
}

/** The value of a metric of the admin port, summed over its labels; undefined if the port has no such metric. */
export async function readMetric(serve: ServeProcess, name: string): Promise<number | undefined> {
  return findMetric(await readMetrics(serve), name)
}

/** The text of all metrics. */
export async function readMetrics({ admin }: ServeProcess): Promise<string> {
  return await (await fetch(`${admin}/metrics`)).text()
}

/** The sum of the series of a metric in the text of all metrics; undefined if there is none. */
export function findMetric(text: string, name: string): number | undefined {
  // Lines such as `planning_registry_ready 2` or `planning_registry_requests_total{route="record",status="200"} 7`.
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  )
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** Whether the process runs (Linux). A zombie (state Z) does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
