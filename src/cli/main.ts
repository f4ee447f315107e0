// Entry point of the command line: runs the command and turns an expected error into one line and exit status 2, and
// an unexpected one into its stack. No other file that runs in this process calls process.exit.
import { inspect } from 'node:util'
import { nearestWords } from '../domain/edit-cost.ts'
import { setLanguage, t } from '../language.ts'
import { StoreFault, StoreUnavailable } from '../registry/contract.ts'
import { version } from '../version.ts'
import { commands } from './commands.ts'
import { type Invocation, languageOf, languageOfLocale, parseInvocation, toDistanceMax, UsageFault } from './config.ts'
import { toCommandHelp, toHelp } from './help.ts'
import type { CommandName } from './setting.ts'

/** The function of each command, which resolves to its exit status. Its modules are loaded only when it runs. */
const runners: Readonly<Record<CommandName, (invocation: Invocation) => Promise<number>>> = {
  serve: async (invocation) => {
    const { serve } = await import('../server/serve.ts')
    return serve(invocation, async () => (await import('./first-start.ts')).buildIfMissing(invocation))
  },
  check: async (invocation) => (await import('../import/check.ts')).runCheck(invocation),
  import: async (invocation) => (await import('../import/command.ts')).runImport(invocation),
  sample: async (invocation) => (await import('../sample/command.ts')).runSample(invocation),
  search: async (invocation) => (await import('./search.ts')).runSearch(invocation),
  desk: async (invocation) => (await import('../desk/command.ts')).runDesk(invocation),
  mcp: async (invocation) => (await import('./mcp.ts')).runMcp(invocation),
}

process.exit(await run(process.argv.slice(2)))

/** Returns the exit status. `args` are the command and its flags. */
async function run(args: readonly string[]): Promise<number> {
  try {
    // After `--` there are operands only.
    const endOfFlags = args.indexOf('--')
    const flags = endOfFlags === -1 ? args : args.slice(0, endOfFlags)
    // A wrong --lang is reported in the language of the locale.
    setLanguage(languageOfLocale())
    setLanguage(languageOf(flags))
    const [name = '--help', ...rest] = args
    if (name === '--help' || name === '-h' || name === 'help') return print(toHelp())
    if (name === '--version') return print(`${version}\n`)
    const command = commands.find((each) => each.name === name)
    if (command === undefined) throw toUnknownCommandFault(name)
    if (flags.includes('--help') || flags.includes('-h')) return print(toCommandHelp(command))
    // Node ends with status 1 after an uncaught error, but here 1 means that `search` found nothing, that `check` found
    // faults or dead links, or that `import` refused the data. A crash of `serve` keeps status 1, because systemd does
    // not restart a service that has ended with 2.
    if (command.name !== 'serve') process.on('uncaughtException', exitAfterCrash)
    return await runners[command.name](parseInvocation(command.name, rest))
  } catch (error) {
    if (!isExpected(error)) throw error
    process.stderr.write(`planning-registry: ${error.message}\n`)
    return 2
  }
}

/** Prints the stack. Also called for an error that `run` throws, which is then an uncaught one. */
function exitAfterCrash(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(2)
}

/** The messages of these errors are for the user. Any other error is a bug and keeps its stack. */
function isExpected(error: unknown): error is Error {
  return error instanceof UsageFault || error instanceof StoreFault || error instanceof StoreUnavailable
}

function toUnknownCommandFault(name: string): UsageFault {
  const names = commands.map((command) => command.name)
  const [nearest] = nearestWords(name, names, toDistanceMax(name))
  const hint = nearest === undefined ? t`see planning-registry --help` : t`did you mean ${nearest}?`
  return new UsageFault(t`Cannot run "${name}": there is no such command; ${hint}`)
}

/** Writes to standard output and returns the exit status of success. */
function print(text: string): number {
  process.stdout.write(text)
  return 0
}
