// Runs the command line in a child process, with the environment of the test except the locale, and returns its output
// and exit status. `runCommand` of test/import/run.ts passes only PATH and TMPDIR, and has more options.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The path of the program that the package installs as `planning-registry`. */
export const entry: string = join(import.meta.dirname, '../../bin/planning-registry.js')

export interface CommandResult {
  /** Null if a signal ended the process. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function runCommand(args: readonly string[]): Promise<CommandResult> {
  // English messages, whatever the locale of the developer.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await exited, stdout, stderr }
}
