// Fixture for tests of stores: a PostgreSQL database with a registry, and the folder of the machine that imports.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Publication } from '../../../src/registry/contract.ts'
import { createDatabase } from '../../postgres-database.ts'
import { type PublishOptions, publishRecords, type TestRecord } from '../../service.ts'

export interface StoredRegistry extends AsyncDisposable {
  /** The value of `--database`. */
  readonly url: string
  /** The `--data-dir` of the imports. Services have their own, as on other machines. */
  readonly dataDir: string
  publish(records: readonly TestRecord[], options?: PublishOptions): Promise<Publication>
  /** Runs statements and returns the rows of the last one. */
  query(statement: string): Promise<Record<string, unknown>[]>
}

/** A database of its own on `url`; by default an empty one on the server that the tests share. */
export async function createStoredRegistry(url?: string): Promise<StoredRegistry> {
  const database = url === undefined ? await createDatabase() : undefined
  const address = url ?? database?.url ?? ''
  const dataDir = await mkdtemp(join(tmpdir(), 'planning-registry-import-'))
  return {
    url: address,
    dataDir,
    publish: (records, options) => publishRecords(address, records, { dataDir, ...options }),
    query: async (statement) => {
      const sql = postgres(address, { max: 1, onnotice: () => undefined })
      try {
        return [...(await sql.unsafe<Record<string, unknown>[]>(statement))]
      } finally {
        await sql.end()
      }
    },
    [Symbol.asyncDispose]: async () => {
      await rm(dataDir, { recursive: true, force: true })
      await database?.remove()
    },
  }
}

/** A folder for `--data-dir`. `await using` removes it. */
export async function makeDataDir(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'planning-registry-data-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Records whose registry file has several megabytes: their links are long, and are neither indexed nor compressed. */
export const longRecords: readonly TestRecord[] = Array.from({ length: 1500 }, (_, index) => ({
  code: `L-${index}`,
  links: `https://documents.example/${index}/${'x'.repeat(2500)}.pdf`,
}))
