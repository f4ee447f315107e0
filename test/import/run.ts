// Runs a command of the project in its own process and returns its exit status and output. The command inherits only
// PATH and TMPDIR from the environment of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface CommandResult {
  /** Null if a signal ended the process. */
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Standard input. */
  readonly input?: string | Uint8Array
  /** The current folder of the command. */
  readonly folder?: string
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A program with its arguments that starts Node.js, such as a tracer. */
  readonly wrapper?: readonly string[]
  /** Called with the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const [program = process.execPath, ...rest] = [...(options.wrapper ?? []), process.execPath, main, ...args]
  const child = spawn(program, rest, {
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...options.env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  options.onStart?.(child)
  // A command that ends without reading its input closes the pipe, which is not an error.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [status, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { status, signal, stdout, stderr }
}
