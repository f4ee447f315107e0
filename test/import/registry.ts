// Fixture: a registry in a temporary folder for one test. The command `import` writes to it, each time in a process of
// its own. `assertUsageError` tests wrong usage in the process of the test, which is faster.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { parseInvocation, UsageFault } from '../../src/cli/config.ts'
import type { WireRecord } from '../../src/domain/record.ts'
import { runImport } from '../../src/import/command.ts'
import { StoreUnavailable } from '../../src/registry/contract.ts'
import { openStore } from '../../src/registry/open.ts'
import { type CommandResult, runCommand } from '../command.ts'
import { makeFolder, type TestFolder } from './folder.ts'

/** The headings of the required columns, as a line of CSV. */
export const requiredHeadings = 'code,id,title,municipality,checkin_date'

/** A folder for sources and a SQLite registry in it, which the first import creates. */
export interface Registry extends TestFolder {
  /** Path of the registry. */
  readonly file: string
  /** Runs `import` with these sources and flags. */
  runImport(...args: string[]): Promise<CommandResult>
  /** The records that the term finds; all records without a term. */
  search(term?: string): Promise<WireRecord[]>
}

export async function makeRegistry(t: TestContext): Promise<Registry> {
  const folder = await makeFolder(t)
  const file = join(folder.path, 'registry.db')
  const database = `sqlite:${file}`
  return {
    ...folder,
    file,
    runImport: (...args) => runCommand(['import', '--database', database, ...args], { cwd: folder.path }),
    search: async (term) => {
      const store = await openStore(database)
      try {
        const records: WireRecord[] = []
        const query = term === undefined ? {} : { search: analyseTerm(term) }
        // The bytes are JSON objects with commas between them.
        for await (const { bytes } of store.current().search(query)) {
          records.push(...(JSON.parse(`[${Buffer.from(bytes).toString()}]`) as WireRecord[]))
        }
        return records
      } finally {
        await store.close()
      }
    },
  }
}

/** Checks that `import` throws an error that main.ts prints as one line, before it exits with status 2. */
export async function assertUsageError(args: readonly string[], message: RegExp): Promise<void> {
  await assert.rejects(
    async () => runImport(parseInvocation('import', args)),
    (error) => {
      assert.ok(error instanceof UsageFault || error instanceof StoreUnavailable, String(error))
      assert.match(error.message, message, args.join(' '))
      // `secret` is the password in database addresses of these tests.
      assert.doesNotMatch(error.message, /\n|secret/)
      return true
    },
  )
}
