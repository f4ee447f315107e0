// The command line: names a command, runs it, turns what it throws into one line and an exit status. The only
// process.exit of the house.
import { UsageFault } from './config.ts'

process.stderr.write(`planning-registry: ${new UsageFault('no command yet').message}\n`)
process.exit(2)
