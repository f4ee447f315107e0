// Chooses the engine by the address of the database: `sqlite:PATH` or `postgres://…`. Nothing outside this folder
// knows which one it talks to. What is not needed is not loaded: a worker that died is back the sooner.
import { existsSync, statSync } from 'node:fs'
import type { Publication, RegistryStore, SnapshotWriter, Soundness } from './contract.ts'
import { StoreFault } from './contract.ts'
import { isPostgresUrl, withoutPassword } from './postgres/address.ts'
import type { CarryOptions } from './postgres/load.ts'

export interface OpenOptions {
  /** Bytes of what was read lately that are kept in memory. */
  readonly cacheBytes?: number | undefined
  /** Called when the registry proves damaged while it is being served; it is unavailable until a sound one is there. */
  readonly onDamage?: (fault: StoreFault) => void
  /** Called when what was put in the registry's place cannot be served; what is open stays in service. */
  readonly onRefused?: (fault: StoreFault) => void
}

/** Opens a registry for reading; throws `StoreFault` when it is missing, foreign, corrupt or empty. */
export async function openStore(database: string, options: OpenOptions = {}): Promise<RegistryStore> {
  if (isPostgresUrl(database)) return (await import('./postgres/store.ts')).openPostgresStore(database, options)
  const { openSqliteStore } = await import('./sqlite/store.ts')
  return openSqliteStore(toPath(database), options)
}

/** Begins a new snapshot beside the one in service; throws `StoreFault` when another import is at it. */
export async function createSnapshot(database: string): Promise<SnapshotWriter> {
  if (isPostgresUrl(database)) return (await import('./postgres/writer.ts')).PostgresWriter.create(database)
  const { SqliteWriter } = await import('./sqlite/writer.ts')
  return new SqliteWriter(toPath(database))
}

/** Whether the source of an import is a registry itself, to be moved as it is. */
export function isRegistry(source: string): boolean {
  return source.startsWith('sqlite:')
}

/** Puts the registry of a file in service on PostgreSQL as it is, texts included. */
export async function moveRegistry(source: string, database: string, options: CarryOptions): Promise<Publication> {
  const path = toPath(source)
  if (!isPostgresUrl(database)) {
    throw new StoreFault(`Cannot move ${path} to ${showDatabase(database)}: copy the file instead, it is the registry`)
  }
  if (!existsSync(path)) throw new StoreFault(`Cannot move ${path}: there is no such file`)
  return (await import('./postgres/load.ts')).moveFile(path, database, options)
}

/** The address for messages and reports: never with a password. */
export function showDatabase(database: string): string {
  return withoutPassword(database)
}

/** Reads the whole registry once and says whether it is sound. */
export async function checkStore(database: string): Promise<Soundness> {
  if (isPostgresUrl(database)) return (await import('./postgres/verify.ts')).checkPostgresStore(database)
  const path = toPath(database)
  if (!existsSync(path)) throw new StoreFault(`Cannot check ${path}: there is no such file`)
  return (await import('./file/verify.ts')).checkSnapshot(path)
}

/** Whether there is a registry at the address at all (`npm start` builds the sample where there is none). */
export async function storeExists(database: string): Promise<boolean> {
  if (isPostgresUrl(database)) return (await import('./postgres/verify.ts')).postgresStoreExists(database)
  return existsSync(toPath(database))
}

/** The file behind `sqlite:PATH`. */
function toPath(database: string): string {
  if (!database.startsWith('sqlite:')) {
    throw new StoreFault(`Cannot open ${showDatabase(database)}: expected sqlite:PATH or postgres://HOST/NAME`)
  }
  const path = database.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
  if (path === '')
    throw new StoreFault('Cannot open sqlite: the path of the file is missing, as in sqlite:data/registry.db')
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new StoreFault(`Cannot open ${path}: it is a folder; name the file inside it`)
  }
  return path
}
