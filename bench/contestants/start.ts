// Starts contestants as processes of their own on loopback and stops them again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Contestant {
  readonly name: string
  readonly origin: string
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number
  residentBytes(): number
  /** Processor time it has used so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))
const bare = fileURLToPath(new URL('./bare.ts', import.meta.url))

export function startOurs(database: string, flags: readonly string[] = []): Promise<Contestant> {
  const args = ['serve', '--database', database, '--port', '0', '--log-level', 'error', ...flags]
  return startProcess('planning-registry', process.execPath, [main, ...args])
}

/** With answers to send in turn, or a file to stream. */
export function startBare(answerFile: string | null, streamFile = ''): Promise<Contestant> {
  return startProcess('bare node:http', process.execPath, [bare, answerFile ?? '', streamFile])
}

/** For programs that print `listening on ADDRESS` once they accept requests. */
export async function startProcess(name: string, command: string, args: readonly string[]): Promise<Contestant> {
  const start = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /listening on (\S+)/.exec(said)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with status ${code} before it listened`)))
  })
  return {
    name,
    origin: address,
    startMs: performance.now() - start,
    residentBytes: () => residentBytesOf(child),
    cpuSeconds: () => cpuSecondsOf(child),
    stop: () => stop(child),
  }
}

export function residentBytesOf({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

export function cpuSecondsOf({ pid }: ChildProcess): number {
  // The name in brackets may hold spaces: fields are counted behind it (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const ticksPerSecond = 100

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.removeAllListeners('exit')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
