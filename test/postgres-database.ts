// Registries for tests: a file in a temporary folder, and an empty database on a real PostgreSQL server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import postgres from 'postgres'
import type { Publication, RegistryStore, Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { PostgresServer } from './postgres-server.ts'
import { type PublishOptions, publishRecords, type TestRecord } from './service.ts'

export interface Engine {
  readonly name: 'SQLite'
  /** Creates a folder for a registry. `await using` removes it. */
  createRegistry(): Promise<TestRegistry>
}

/** A registry for one test. */
export interface TestRegistry extends AsyncDisposable {
  /** The value of `--database`. */
  readonly database: string
  /** Publishes a snapshot of the records, which may come in any order. */
  publish(records: readonly TestRecord[], options?: PublishOptions): Promise<Publication>
  /** Opens the registry for reading. The store is closed with the registry. */
  open(): Promise<RegistryStore>
  /** Publishes the records and returns their snapshot. */
  snapshotOf(records: readonly TestRecord[]): Promise<Snapshot>
}

/** What answers requests. A registry that a store keeps is answered from a copy, by the same code. */
export const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    createRegistry: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
      return toRegistry(`sqlite:${join(folder, 'registry.db')}`, () => rm(folder, { recursive: true, force: true }))
    },
  },
]

/** An empty database for one test. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly remove: () => Promise<void>
}

/** Creates an empty database on the server of `findServerAddress`. `await using` removes it. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverAddress = await findServerAddress()
  const name = `test_${process.pid}_${++databasesCreated}`
  const runOnServer = async (statement: string): Promise<void> => {
    const sql = postgres(serverAddress, { max: 1, onnotice: () => undefined })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  // `ENCODING` may differ from that of the server only in a copy of template0.
  await runOnServer(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const url = new URL(serverAddress)
  url.pathname = name
  const remove = (): Promise<void> => runOnServer(`DROP DATABASE ${name} WITH (FORCE)`)
  return { url: url.href, remove, [Symbol.asyncDispose]: remove }
}

let databasesCreated = 0
/** The server of this test file, if it has started one. */
let ownServer: Promise<PostgresServer> | undefined
after(async () => (await ownServer)?.[Symbol.asyncDispose]())

/**
 * `npm test` starts one server for all files (setup.ts) and sets TEST_DATABASE_URL. A file that is run alone starts its
 * own.
 */
async function findServerAddress(): Promise<string> {
  const sharedAddress = process.env.TEST_DATABASE_URL
  if (sharedAddress !== undefined) return sharedAddress
  ownServer ??= PostgresServer.start()
  return (await ownServer).url()
}

/** `await using` closes the stores of the registry, and then calls `remove`, which deletes the folder or database. */
function toRegistry(database: string, remove: () => Promise<void>): TestRegistry {
  const stores: RegistryStore[] = []
  const open = async (): Promise<RegistryStore> => {
    // A SQLite file was verified when it was published. What opening it verifies is tested in test/snapshot.
    const store = await openStore(database, { skipsVerification: true })
    stores.push(store)
    return store
  }
  return {
    database,
    publish: (records, options) => publishRecords(database, records, options),
    open,
    snapshotOf: async (records) => {
      await publishRecords(database, records)
      return (await open()).current()
    },
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close()
      await remove()
    },
  }
}
