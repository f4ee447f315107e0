// The engines that keep a registry, for suites that must hold on each of them: `for (const engine of engines)`. Real
// ones, never a double: a file, and a database on a real PostgreSQL server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import postgres from 'postgres'
import type { RegistryStore } from '../src/snapshot/contract.ts'
import { openStore } from '../src/snapshot/open.ts'
import { PostgresServer } from './postgres-server.ts'
import { publishRecords, type TestRecord } from './service.ts'

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Room for one registry, nothing published yet. Use it with `await using`: it leaves nothing behind. */
  createRegistry(): Promise<TestRegistry>
}

export interface TestRegistry extends AsyncDisposable {
  /** As `--database` names it. */
  readonly database: string
  /** Publishes a snapshot of the records, in whatever order they are given. */
  publish(records: readonly TestRecord[], fictional?: boolean): Promise<void>
  /** Opens it for reading; closed with the registry. */
  open(): Promise<RegistryStore>
}

export const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    createRegistry: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
      return toRegistry(`sqlite:${join(folder, 'registry.db')}`, () => rm(folder, { recursive: true, force: true }))
    },
  },
  {
    name: 'PostgreSQL',
    createRegistry: async () => {
      const { url, remove } = await createDatabase()
      return toRegistry(url, remove)
    },
  },
]

/** An empty database on the server of this test run. */
export async function createDatabase(): Promise<{ url: string; remove: () => Promise<void> }> {
  const server = await serverUrl()
  const name = `test_${process.pid}_${++databases}`
  const administer = async (statement: string): Promise<void> => {
    const sql = postgres(server, { max: 1, onnotice: () => undefined })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  await administer(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const url = new URL(server)
  url.pathname = name
  return { url: url.href, remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

let databases = 0
let starting: Promise<PostgresServer> | undefined
after(async () => (await starting)?.[Symbol.asyncDispose]())

/**
 * `npm test` starts one server for all files and names it in the variable (setup.ts); a file run alone starts its
 * own.
 */
async function serverUrl(): Promise<string> {
  const named = process.env.TEST_DATABASE_URL
  if (named !== undefined) return named
  starting ??= PostgresServer.start()
  return (await starting).url()
}

function toRegistry(database: string, remove: () => Promise<void>): TestRegistry {
  const stores: RegistryStore[] = []
  return {
    database,
    publish: (records, fictional) => publishRecords(database, records, fictional),
    open: async () => {
      const store = await openStore(database)
      stores.push(store)
      return store
    },
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close()
      await remove()
    },
  }
}
