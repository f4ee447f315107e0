// Starts `serve` in its own process. `startServe` of test/server/serve.ts also publishes a registry and has an admin
// port.
import { once } from 'node:events'
import { type RunningCommand, type RunOptions, startCommand } from '../command.ts'

/** A running `serve`. */
export interface ServeProcess extends RunningCommand, AsyncDisposable {
  /** The address that it prints. */
  readonly base: string
  /** The exit status; null if a signal ended the process. */
  readonly exit: Promise<number | null>
}

/** Starts `serve` and waits until it prints its address. Disposal kills the process. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<ServeProcess> {
  const { child, output } = startCommand(['serve', '--port', '0', ...args], options)
  const exit = once(child, 'close').then(([status]) => status)
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, address] = /^listening on (\S+)\n/.exec(output.stdout) ?? []
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
