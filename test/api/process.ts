// Runs the command-line program in its own process, without the settings of the developer's environment.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/cli/commands.ts'

const bin = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))

/** The result of a command. */
export interface CommandResult {
  /** Null if a signal ended the process. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  /** Added to the environment of the tests, from which the variables of all settings are removed. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command and waits until it exits. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { child, output } = start(args, options)
  const [status] = await once(child, 'close')
  return { status, ...output }
}

/** A running `serve`. */
export interface ServeProcess extends AsyncDisposable {
  readonly child: ChildProcess
  /** The address that it prints. */
  readonly base: string
  /** What the process has printed so far. */
  readonly output: { stdout: string; stderr: string }
  /** The exit status; null if a signal ended the process. */
  readonly exit: Promise<number | null>
}

/** Starts `serve` and waits until it prints its address. Disposal kills the process. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<ServeProcess> {
  const { child, output } = start(['serve', '--port', '0', ...args], options)
  const exit = once(child, 'close').then(([status]) => status)
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      // The line is in Spanish with --lang es.
      const [, address] = /^(?:listening on|a la escucha en) (\S+)\n/.exec(output.stdout) ?? []
      if (address !== undefined) resolve(address)
    })
    exit.then((status) => reject(new Error(`serve ended with ${status}: ${output.stderr}`)))
  })
  return {
    child,
    base,
    output,
    exit,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) child.kill('SIGKILL')
      await exit
    },
  }
}

/** Starts a command. `output` grows while the process runs. */
function start(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): { child: ChildProcess; output: { stdout: string; stderr: string } } {
  const isSetting = (name: string): boolean => settings.some(({ variable }) => variable === name)
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name)))
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return { child, output }
}
