// Runs the command as a user does, in a process of its own, and gives back what it printed and how it ended.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const entry: string = join(import.meta.dirname, '../../bin/planning-registry.js')

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function runCommand(args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}
