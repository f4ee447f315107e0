#!/usr/bin/env node
// The entry of the command. In a checkout it may be started by any Node: the runtime this project pins is a
// development dependency, so an older one hands over to it before a line of TypeScript is read.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const nodeMajorNeeded = 26
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded) {
  // TypeScript is stripped and compiled once, not at every start; where the folder cannot be written, every time.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/planning-registry', import.meta.url)))
  // A service that is killed one day leaves its compiled code behind all the same.
  setTimeout(() => module.flushCompileCache(), 3000).unref()
  await import(main)
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
} else {
  process.stderr.write(
    `planning-registry: Node ${process.versions.node} is too old: install Node ${nodeMajorNeeded} or later, or run npm ci here, which brings it\n`,
  )
  process.exit(2)
}
