// Runs `planning-registry` in its own process. It inherits no settings from the environment of the test, and no locale,
// so its messages are in English.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The path of the program that the package installs as `planning-registry`. */
export const entry: string = join(import.meta.dirname, '../bin/planning-registry.js')

/** The variables that a command inherits. NODE_COMPILE_CACHE is set by `npm test`, and halves the time of a start. */
export const inheritedVariables: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

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
  readonly cwd?: string
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A program with its arguments that starts Node.js, such as a tracer. */
  readonly wrapper?: readonly string[]
  /** Called with the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

/** Runs a command and waits until it exits. */
export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { child, output } = startCommand(args, options)
  const [status, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { status, signal, ...output }
}

export interface RunningCommand {
  readonly child: ChildProcess
  /** What the process has printed so far. */
  readonly output: { stdout: string; stderr: string }
}

/** Starts a command. */
export function startCommand(
  args: readonly string[],
  { input = '', cwd, env, wrapper = [], onStart }: RunOptions = {},
): RunningCommand {
  const [program = '', ...rest] = [...wrapper, process.execPath, entry, ...args]
  const child = spawn(program, rest, { cwd, env: { ...inheritedVariables, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  onStart?.(child)
  // A command that ends without reading its input closes the pipe, which is not an error.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return { child, output }
}
