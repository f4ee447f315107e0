// Runs the test files of some folders in one process, for `npm test`. To start Node and load the service takes half a
// second of processor time, which is more than many files need for their tests. Each file is a suite, so its hooks are
// its own. A file that changes its process, or waits for it to be idle, runs alone.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** The patterns are relative to the root of the project. */
export function runTogether(...patterns: readonly string[]): void {
  for (const file of globSync(patterns, { cwd: root }).sort()) describe(file, () => import(join(root, file)))
}
