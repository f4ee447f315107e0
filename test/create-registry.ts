// Fixture: an empty place for a registry, in a folder of its own. A test publishes records there and reads them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Publication, RegistryStore, Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { type PublishOptions, publishRecords, type TestRecord } from './service.ts'

/** A registry for one test. */
export interface TestRegistry extends AsyncDisposable {
  /** The value of `--database`: `sqlite:PATH`. */
  readonly database: string
  readonly path: string
  /** Publishes the records, which may come in any order. */
  publish(records: readonly TestRecord[], options?: PublishOptions): Promise<Publication>
  /** Opens the registry for reading. The store is closed with the registry. */
  open(): Promise<RegistryStore>
  /** Publishes the records and returns their snapshot. */
  snapshotOf(records: readonly TestRecord[]): Promise<Snapshot>
}

/** `await using` closes the stores of the registry and removes its folder. */
export async function createRegistry(): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  const path = join(folder, 'registry.db')
  const database = `sqlite:${path}`
  const stores: RegistryStore[] = []
  const open = async (): Promise<RegistryStore> => {
    const store = await openStore(database)
    stores.push(store)
    return store
  }
  return {
    database,
    path,
    publish: (records, options) => publishRecords(database, records, options),
    open,
    snapshotOf: async (records) => {
      await publishRecords(database, records)
      return (await open()).current()
    },
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
