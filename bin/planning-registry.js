#!/usr/bin/env node
// The command. It needs Node 26. Started by an older Node, it continues in the one that the npm package `node` has
// installed: in a checkout that is a development dependency, elsewhere `npm install node@26` adds it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const nodeMajorNeeded = 26
const main = new URL('../src/cli/main.ts', import.meta.url)

// Compiled code is kept on disk, so that the next start is faster. If the folder is read-only, nothing is kept. A newer
// Node started below and the workers of `serve` inherit the variable.
process.env.NODE_COMPILE_CACHE ||= fileURLToPath(new URL('../node_modules/.cache/planning-registry', import.meta.url))

if (Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  // Node writes the cache at exit. A service that is killed would never write it, so it is also written after start.
  setTimeout(() => module.flushCompileCache(), 3000).unref()
  await import(main.href)
} else {
  const node = findInstalledNode()
  if (node === undefined) {
    process.stderr.write(
      `planning-registry: Node ${process.versions.node} is too old: run npm install node@${nodeMajorNeeded} here (npm ci in a checkout), or install Node ${nodeMajorNeeded} or later\n`,
    )
    process.exit(2)
  }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  // After a signal the status is 128 and its number, as in a shell: 1 would mean that a search has found nothing.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** The path of Node in the npm package `node`, in this folder's node_modules or in that of a parent folder. */
function findInstalledNode() {
  const { resolve } = module.createRequire(import.meta.url)
  for (const folder of resolve.paths('node') ?? []) {
    const path = `${folder}/node/bin/node`
    if (!existsSync(path)) continue
    const { version } = JSON.parse(readFileSync(`${folder}/node/package.json`, 'utf8'))
    if (Number.parseInt(version, 10) >= nodeMajorNeeded) return path
  }
  return undefined
}
