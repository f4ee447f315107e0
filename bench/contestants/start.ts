// Starts the servers that are measured as child processes on 127.0.0.1, reads their memory and CPU time from /proc
// (proc(5)), and stops them. They are the contestants: our service; baselines, which only send prepared bytes; and
// peers, which answer the same queries as the service.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A running server that is measured. */
export interface Contestant {
  readonly name: string
  /** For example `http://127.0.0.1:8080/registry`; only the service has a path. */
  readonly baseUrl: string
  /** Time from the start of the process until it accepted requests. */
  readonly startMs: number
  memory(): Memory
  /** CPU time used so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Memory of all processes of a contestant. */
export interface Memory {
  /** Sum of VmRSS. It counts shared memory once per process. */
  readonly residentBytes: number
  /** Sum of Pss. It divides shared memory between the processes. */
  readonly proportionalBytes: number
}

const ourProgram = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))
const bareProgram = fileURLToPath(new URL('./bare.ts', import.meta.url))

/** Starts the service on a free port. */
export function startOurs(database: string, flags: readonly string[] = []): Promise<Contestant> {
  const args = ['serve', '--database', database, '--port', '0', '--log-level', 'error', ...flags]
  return startProcess('planning-registry', process.execPath, [ourProgram, ...args])
}

export interface BarePaths {
  /** The JSON file of responses to send (`StoredResponse`); empty for none. */
  readonly responsesPath?: string
  /** The file that `/stream` sends; empty for none. */
  readonly streamPath?: string
}

/** Starts the baseline bare.ts, plain node:http that sends the contents of these files. */
export function startBare({ responsesPath = '', streamPath = '' }: BarePaths): Promise<Contestant> {
  return startProcess('bare node:http', process.execPath, [bareProgram, responsesPath, streamPath])
}

/** Starts a program that prints `listening on URL` when it accepts requests. */
export async function startProcess(name: string, command: string, args: readonly string[]): Promise<Contestant> {
  const start = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listening on (\S+)/.exec(output)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} exited with status ${code} before it was listening`)))
  })
  return toContestant(name, baseUrl, performance.now() - start, child)
}

/** The contestant that runs as the process `child`. */
export function toContestant(name: string, baseUrl: string, startMs: number, child: ChildProcess): Contestant {
  return {
    name,
    baseUrl,
    startMs,
    memory: () => readMemory(child),
    cpuSeconds: () => readCpuSeconds(Number(child.pid)),
    stop: () => stop(child),
  }
}

function readMemory(child: ChildProcess): Memory {
  let residentBytes = 0
  let proportionalBytes = 0
  for (const pid of findProcesses(Number(child.pid))) {
    residentBytes += readNumber(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m) * 1024
    proportionalBytes += readNumber(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m) * 1024
  }
  return { residentBytes, proportionalBytes }
}

/** The number that the pattern captures in the file; NaN if it does not match. */
function readNumber(path: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(path, 'utf8'))?.[1])
}

/** Processor time of the process and its descendants, also of those that it has waited for. */
export function readCpuSeconds(pid: number): number {
  let ticks = 0
  for (const each of findProcesses(pid)) {
    const fields = readStat(each)
    for (const index of statIndex.times) ticks += Number(fields[index])
  }
  return ticks / ticksPerSecond
}

/** Indexes in the result of `readStat`: the parent, and `utime`, `stime`, `cutime` and `cstime` in ticks. */
const statIndex = { parent: 1, times: [11, 12, 13, 14] } as const

/** The value of `getconf CLK_TCK` on Linux. */
const ticksPerSecond = 100

/** The ids of the process and of its descendants, such as workers. */
function findProcesses(pid: number): number[] {
  /** For each process of the machine, the id of its parent. */
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(readStat(Number(name))[statIndex.parent]))
  }
  // The list grows while the loop runs over it, so that children of children are found too.
  const found = [pid]
  for (const each of found) {
    for (const [childPid, parentPid] of parents) if (parentPid === each) found.push(childPid)
  }
  return found
}

/** The fields of /proc/PID/stat after the process name, which may contain spaces; none if the process has ended. */
function readStat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/** Sends SIGTERM, on which a supervisor ends its workers, and SIGKILL if the process still runs after five seconds. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(timer)
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** Waits until the address responds, with any status. Rejects after `secondsMax`. */
export async function waitUntilReady(url: string, secondsMax = 120): Promise<void> {
  const deadline = AbortSignal.timeout(secondsMax * 1000)
  for (;;) {
    try {
      await (await fetch(url, { signal: deadline })).arrayBuffer()
      return
    } catch (error) {
      if (deadline.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
