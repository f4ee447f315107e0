// Starts contestants as processes of their own on loopback, reads what they use from /proc, and stops them again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Contestant {
  readonly name: string
  readonly origin: string
  /** Milliseconds from the start of the process until it printed `listening on`. */
  readonly startMs: number
  memory(): Memory
  /** Processor time used so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Of all processes of a contestant together. */
export interface Memory {
  /** The sum of VmRSS, which counts a page that processes share once for each of them. */
  readonly residentBytes: number
  /** The sum of Pss, which divides a shared page between them. */
  readonly proportionalBytes: number
}

const main = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))
const bare = fileURLToPath(new URL('./bare.ts', import.meta.url))

export function startOurs(database: string, flags: readonly string[] = []): Promise<Contestant> {
  const args = ['serve', '--database', database, '--port', '0', '--log-level', 'error', ...flags]
  return startProcess('planning-registry', process.execPath, [main, ...args])
}

/** With responses to send in turn, or a file to stream. */
export function startBare(responseFile: string | null, streamFile = ''): Promise<Contestant> {
  return startProcess('bare node:http', process.execPath, [bare, responseFile ?? '', streamFile])
}

/** For programs that print `listening on ADDRESS` once they accept requests. */
export async function startProcess(name: string, command: string, args: readonly string[]): Promise<Contestant> {
  const start = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listening on (\S+)/.exec(output)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} exited with status ${code} before it listened`)))
  })
  return toContestant(name, address, performance.now() - start, child)
}

export function toContestant(name: string, origin: string, startMs: number, child: ChildProcess): Contestant {
  return {
    name,
    origin,
    startMs,
    memory: () => memoryOf(child),
    cpuSeconds: () => cpuSecondsOf(child),
    stop: () => stop(child),
  }
}

function memoryOf(child: ChildProcess): Memory {
  let residentBytes = 0
  let proportionalBytes = 0
  for (const pid of processesOf(child)) {
    residentBytes += readKilobytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m) * 1024
    proportionalBytes += readKilobytes(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m) * 1024
  }
  return { residentBytes, proportionalBytes }
}

function readKilobytes(path: string, line: RegExp): number {
  return Number(line.exec(readFileSync(path, 'utf8'))?.[1])
}

function cpuSecondsOf(child: ChildProcess): number {
  let ticks = 0
  for (const pid of processesOf(child)) {
    const fields = readStat(pid)
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / ticksPerSecond
}

const ticksPerSecond = 100

/** The process and its descendants, which are the workers. */
function processesOf({ pid }: ChildProcess): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(readStat(Number(name))[1]))
  }
  const found = [Number(pid)]
  for (const each of found) {
    for (const [child, parent] of parents) if (parent === each) found.push(child)
  }
  return found
}

/** The fields behind the name in brackets, which may contain spaces (proc(5)); none of a process that is gone. */
function readStat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}

/** A supervisor ends its workers on SIGTERM; after five seconds it is killed. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.removeAllListeners('exit')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Waits until the address answers. */
export async function untilAnswers(url: string, secondsMax = 120): Promise<void> {
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
