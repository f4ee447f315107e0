// The command line: names a command, runs it, turns what it throws into one line and an exit status. The only
// process.exit of the house.

import { nearestWords } from '../analysis/nearest.ts'
import { StoreFault, StoreUnavailable } from '../snapshot/contract.ts'
import { version } from '../version.ts'
import type { CommandName } from './commands.ts'
import { commands } from './commands.ts'
import type { Invocation } from './config.ts'
import { parseInvocation, UsageFault } from './config.ts'
import { toCommandHelp, toHelp } from './help.ts'

/** How each command is run; resolves to the exit status. Loaded on demand, so that no command pays for another. */
const runs: Partial<Record<CommandName, (invocation: Invocation) => Promise<number>>> = {
  serve: async (invocation) => {
    const { serve } = await import('../server/serve.ts')
    return serve(invocation, async () => (await import('./first-start.ts')).buildWhereMissing(invocation))
  },
  check: async (invocation) => (await import('../import/check.ts')).runCheck(invocation),
  import: async (invocation) => (await import('../import/command.ts')).runImport(invocation),
  sample: async (invocation) => (await import('../sample/command.ts')).runSample(invocation),
  search: async (invocation) => (await import('./search.ts')).runSearch(invocation),
  mcp: async (invocation) => (await import('./mcp.ts')).runMcp(invocation),
  completion: async (invocation) => (await import('./completion.ts')).runCompletion(invocation),
}

process.exit(await run(process.argv.slice(2)))

async function run(args: readonly string[]): Promise<number> {
  try {
    const [name = '--help', ...rest] = args
    if (name === '--help' || name === '-h' || name === 'help') return print(toHelp())
    if (name === '--version') return print(`${version}\n`)
    const command = commands.find((each) => each.name === name)
    const runCommand = command && runs[command.name]
    if (command === undefined || runCommand === undefined) throw unknownCommand(name)
    if (rest.includes('--help') || rest.includes('-h')) return print(toCommandHelp(command))
    return await runCommand(parseInvocation(command.name, rest))
  } catch (error) {
    if (!isExpected(error)) throw error
    process.stderr.write(`planning-registry: ${error.message}\n`)
    return 2
  }
}

/** Faults of usage and of the database name the thing and the mend; anything else is a bug and keeps its stack. */
function isExpected(error: unknown): error is Error {
  return error instanceof UsageFault || error instanceof StoreFault || error instanceof StoreUnavailable
}

function unknownCommand(name: string): UsageFault {
  const names = commands.map((command) => command.name)
  const [nearest] = nearestWords(name, names, Math.ceil(name.length / 3))
  const mend = nearest === undefined ? 'see planning-registry --help' : `did you mean ${nearest}?`
  return new UsageFault(`Cannot run "${name}": there is no such command; ${mend}`)
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
