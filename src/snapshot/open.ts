// Selects the engine (SQLite or PostgreSQL) by the address of the database, the value of `--database`: `sqlite:PATH` or
// `postgres://…`. Only this file knows both engines; the rest of the program uses the interfaces of contract.ts. The
// code of an engine is imported when it is needed, so that a worker process starts faster.
import { existsSync, statSync } from 'node:fs'
import { t } from '../language.ts'
import type { LastImport } from '../registry/stores/remote.ts'
import type {
  CheckResult,
  LinkCheck,
  OpenOptions,
  Publication,
  RegistryStore,
  SnapshotOptions,
  SnapshotWriter,
} from './contract.ts'
import { StoreFault } from './contract.ts'
import { isPostgresUrl, withoutPassword } from './postgres/address.ts'
import type { LoadOptions } from './postgres/load.ts'

/** Opens a registry for reading. Throws `StoreFault` if it is missing, damaged, unreachable or not a registry. */
export async function openStore(database: string, options: OpenOptions = {}): Promise<RegistryStore> {
  if (isPostgresUrl(database)) return (await import('./postgres/store.ts')).openPostgresStore(database, options)
  const { openSqliteStore } = await import('./sqlite/store.ts')
  return openSqliteStore(toPath(database), options)
}

/**
 * Waits until a host of PostgreSQL responds, so that a service that starts before its database need not be started
 * again. `onWaiting` is called with the reasons why none responds, when they change. Does nothing for a file.
 */
export async function waitForDatabase(database: string, onWaiting: (reasons: string) => void): Promise<void> {
  if (isPostgresUrl(database)) await (await import('./postgres/wait.ts')).waitForHost(database, onWaiting)
}

/** Starts a new snapshot. Throws `StoreFault` if another import is running or the database cannot be used. */
export async function createSnapshot(database: string, options: SnapshotOptions = {}): Promise<SnapshotWriter> {
  if (isPostgresUrl(database)) return (await import('./postgres/writer.ts')).PostgresWriter.create(database, options)
  const { SqliteWriter } = await import('./sqlite/writer.ts')
  return new SqliteWriter(toPath(database), options)
}

/**
 * Whether the source of an import is a registry in a file, `sqlite:PATH`, which is copied as a whole. A source
 * `postgres://…` is a table of rows to import, not a registry.
 */
export function isSqliteAddress(source: string): boolean {
  return source.startsWith('sqlite:')
}

/**
 * Copies the registry in the file `source`, `sqlite:PATH`, to PostgreSQL and puts it in service.
 * Throws `StoreFault` if the file is missing or `database` is not on PostgreSQL.
 */
export async function copyToPostgres(source: string, database: string, options: LoadOptions): Promise<Publication> {
  const path = toPath(source)
  if (!isPostgresUrl(database)) {
    throw new StoreFault(t`Cannot copy ${path} to ${showDatabase(database)}: copy the file itself instead`)
  }
  if (!existsSync(path)) throw new StoreFault(t`Cannot copy ${path}: there is no such file`)
  return (await import('./postgres/load.ts')).copyFileToPostgres(path, database, options)
}

/** The address without its password, for messages and reports. */
export function showDatabase(database: string): string {
  return withoutPassword(database)
}

/** Reads the whole registry and reports its faults. Throws `StoreFault` if there is none, or it cannot be opened. */
export async function checkStore(database: string): Promise<CheckResult> {
  if (isPostgresUrl(database)) return (await import('./postgres/verify.ts')).checkPostgresStore(database)
  const path = toPath(database)
  if (!existsSync(path)) throw new StoreFault(t`Cannot check ${path}: there is no such file`)
  // The code that builds, reads and checks snapshot files is in the folder ./file, because both engines build them. The
  // folder ./sqlite only serves and replaces such a file.
  return (await import('./file/verify.ts')).checkSnapshot(path)
}

/** Saves which links `check --links` has found dead, for the web page. Throws if that cannot be written. */
export async function saveLinkCheck(database: string, check: LinkCheck): Promise<void> {
  if (isPostgresUrl(database)) {
    return await (await import('./postgres/link-check.ts')).writePostgresLinkCheck(database, check)
  }
  await (await import('./file/link-check.ts')).writeLinkCheckFile(toPath(database), check)
}

/** Notes the outcome of an import, for services that follow the registry. Does nothing if there is no registry. */
export async function saveLastImport(database: string, lastImport: LastImport): Promise<void> {
  if (isPostgresUrl(database) || !existsSync(toPath(database))) return
  await (await import('../registry/stores/last-import.ts')).writeLastImport(toPath(database), lastImport)
}

/** Calls `use` with the path of the registry file. */
export async function withRegistryFile(database: string, use: (path: string) => Promise<void>): Promise<void> {
  await use(toPath(database))
}

/** Whether a registry exists at the address. `npm start` builds the sample if none does. */
export async function storeExists(database: string): Promise<boolean> {
  if (isPostgresUrl(database)) return (await import('./postgres/verify.ts')).postgresStoreExists(database)
  return existsSync(toPath(database))
}

/** The path of the file in `sqlite:PATH`. Any other text is returned unchanged. */
export function toFilePath(database: string): string {
  // The form of a URL, `sqlite:///data/registry.db`, means the absolute path `/data/registry.db`.
  return database.replace(/^sqlite:(?:\/\/(?=\/))?/, '')
}

/** The path in `sqlite:PATH`. Throws `StoreFault` if the text has another form, or the path is not that of a file. */
function toPath(database: string): string {
  if (!database.startsWith('sqlite:')) {
    throw new StoreFault(t`Cannot open ${showDatabase(database)}: expected sqlite:PATH or postgres://HOST/NAME`)
  }
  const path = toFilePath(database)
  if (path === '')
    throw new StoreFault(t`Cannot open sqlite: the path of the file is missing, as in sqlite:data/registry.db`)
  if (!existsSync(path)) return path
  const stats = statSync(path)
  if (stats.isDirectory()) throw new StoreFault(t`Cannot open ${path}: it is a folder; give the path of a file`)
  // A pipe, for example, would block the process.
  if (!stats.isFile()) throw new StoreFault(t`Cannot open ${path}: it is not a file; give the path of a file`)
  return path
}
