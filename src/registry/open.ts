// Opens a registry by its address, the value of `--database`: a file, `sqlite:PATH`, or one that a remote store keeps
// (`postgres://…`), of which this machine has a copy. Only this file knows the kinds of addresses; the rest of the
// program uses the interfaces of contract.ts. Code is imported when it is needed, so that a worker starts faster.
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { t } from '../language.ts'
import type { CheckResult, LastImport, LinkCheck, OpenOptions, Publication, RegistryStore } from './contract.ts'
import { StoreFault, StoreUnreachable } from './contract.ts'
import type { CopyOptions } from './publish.ts'
import { Follower } from './stores/follower.ts'
import { dataDirDefault } from './stores/local-copy.ts'
import { isHttpAddress, isPostgresUrl, isRemoteAddress, openRemote, toLocalCopy } from './stores/open-remote.ts'
import type { RemoteOptions } from './stores/remote.ts'
import { withoutPassword } from './stores/show-address.ts'
import { openFileTarget, type RegistryTarget } from './stores/target.ts'

/** Pause between two attempts to reach a remote store at the start. */
const attemptIntervalMs = 1000

/** Where the copy of a remote registry lies, and how the store is asked. */
export interface DataOptions extends RemoteOptions {
  /** `--data-dir`. */
  readonly dataDir?: string | undefined
}

export interface CheckOptions extends DataOptions {
  /** `--full`: compares every record with its tokens, and not only some. */
  readonly full?: boolean | undefined
}

/** Opens a registry for reading. Throws `StoreFault` if it is missing, damaged, unreachable or not a registry. */
export async function openStore(database: string, options: OpenOptions = {}): Promise<RegistryStore> {
  if (isRemoteAddress(database)) {
    const { openFollowedStore } = await import('./stores/followed-store.ts')
    const copy = await toLocalCopy(database, options.dataDir ?? dataDirDefault)
    return openFollowedStore(await openRemote(database, options), copy, options)
  }
  const { openFileStore } = await import('./file-store.ts')
  const documentBase = options.publicUrl === undefined ? '' : `${options.publicUrl}/`
  return openFileStore(toPath(database), { ...options, documentBase })
}

/**
 * Waits until a remote store has answered and its file is copied, unless there is a copy already. So a service that
 * starts before its database need not be started again. `onWaiting` is called with the reason when it changes. Also
 * returns when waiting does not help: opening the registry then fails with the reason.
 */
export async function waitForDatabase(
  database: string,
  onWaiting: (reason: string) => void,
  options: DataOptions = {},
): Promise<void> {
  if (!isRemoteAddress(database)) return
  const copy = await toLocalCopy(database, options.dataDir ?? dataDirDefault)
  if (copy.exists) return
  let lastReason = ''
  for (;;) {
    try {
      await renewCopy(database, options)
      return
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) return
      if (error.message !== lastReason) onWaiting(error.message)
      lastReason = error.message
    }
    await pause(attemptIntervalMs)
  }
}

/** Renews the local copy of a remote registry and returns its path. Throws `StoreFault` if that is not possible. */
async function renewCopy(database: string, options: DataOptions): Promise<string> {
  const copy = await toLocalCopy(database, options.dataDir ?? dataDirDefault)
  const follower = new Follower(await openRemote(database, options), copy)
  try {
    await follower.fetchNewest()
    return copy.path
  } finally {
    await follower.close()
  }
}

/** Opens the registry for an import, and locks it. Throws `StoreFault` if it cannot be written to. */
export async function openTarget(
  database: string,
  { dataDir = dataDirDefault }: DataOptions = {},
): Promise<RegistryTarget> {
  if (isPostgresUrl(database)) {
    const { openPostgresTarget } = await import('./stores/postgres-target.ts')
    return openPostgresTarget(database, await toLocalCopy(database, dataDir))
  }
  if (isHttpAddress(database)) {
    throw new StoreFault(
      t`Cannot import into ${showDatabase(database)}: a web server only hands a registry out; import with --export DIR and upload that folder`,
    )
  }
  return openFileTarget(toPath(database))
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
export async function copyToPostgres(
  source: string,
  database: string,
  options: CopyOptions & DataOptions,
): Promise<Publication> {
  const path = toPath(source)
  if (!isPostgresUrl(database)) {
    throw new StoreFault(t`Cannot copy ${path} to ${showDatabase(database)}: copy the file itself instead`)
  }
  if (!existsSync(path)) throw new StoreFault(t`Cannot copy ${path}: there is no such file`)
  const { publishCopy } = await import('./publish.ts')
  const target = await openTarget(database, options)
  try {
    return await publishCopy(path, target, options)
  } finally {
    await target.release()
  }
}

/** The address without its password, for messages and reports. */
export function showDatabase(database: string): string {
  return withoutPassword(database)
}

/**
 * Reads the whole registry and reports its faults; of a remote one, the local copy, which is renewed first. Throws
 * `StoreFault` if there is none, or it cannot be opened.
 */
export async function checkStore(database: string, options: CheckOptions = {}): Promise<CheckResult> {
  const path = await readyFile(database, options)
  if (!existsSync(path)) throw new StoreFault(t`Cannot check ${path}: there is no such file`)
  return (await import('./check.ts')).checkFile(path, options)
}

/** Saves which links `check --links` has found dead, for the web page. Throws if that cannot be written. */
export async function saveLinkCheck(database: string, check: LinkCheck, options: DataOptions = {}): Promise<void> {
  if (isPostgresUrl(database)) {
    const { writePostgresLinkCheck } = await import('./stores/postgres-target.ts')
    await writePostgresLinkCheck(database, check)
  }
  const { writeLinkCheckFile } = await import('./link-check.ts')
  if (!isRemoteAddress(database)) return await writeLinkCheckFile(toPath(database), check)
  const copy = await toLocalCopy(database, options.dataDir ?? dataDirDefault)
  copy.create()
  await writeLinkCheckFile(copy.path, check)
}

/** Notes the outcome of an import, for services that follow the registry. Throws if there is no registry. */
export async function saveLastImport(database: string, lastImport: LastImport): Promise<void> {
  if (isPostgresUrl(database)) {
    const { writePostgresLastImport } = await import('./stores/postgres-target.ts')
    return await writePostgresLastImport(database, lastImport)
  }
  const { writeLastImport } = await import('./stores/last-import.ts')
  await writeLastImport(toPath(database), lastImport)
}

/** The outcome of the last import, as this machine knows it: of a remote registry, what its copy notes. Never throws. */
export async function readLastImport(
  database: string,
  { dataDir = dataDirDefault }: DataOptions,
): Promise<LastImport | null> {
  if (isRemoteAddress(database))
    return (await (await toLocalCopy(database, dataDir)).readManifest())?.lastImport ?? null
  return (await import('./stores/last-import.ts')).readLastImport(toFilePath(database))
}

/** The path of the registry file on this machine; of a remote registry, that of its copy, which is renewed first. */
export async function readyFile(database: string, options: DataOptions = {}): Promise<string> {
  return isRemoteAddress(database) ? await renewCopy(database, options) : toPath(database)
}

/** Whether a registry exists at the address. `npm start` builds the sample if none does. */
export async function storeExists(database: string, options: DataOptions = {}): Promise<boolean> {
  if (!isRemoteAddress(database)) return existsSync(toPath(database))
  if ((await toLocalCopy(database, options.dataDir ?? dataDirDefault)).exists) return true
  const store = await openRemote(database, options)
  try {
    return (await store.readManifest()) !== null
  } finally {
    await store.close()
  }
}

/** The path of the file in `sqlite:PATH`. Any other text is returned unchanged. */
export function toFilePath(database: string): string {
  // The form of a URL, `sqlite:///data/registry.db`, means the absolute path `/data/registry.db`.
  return database.replace(/^sqlite:(?:\/\/(?=\/))?/, '')
}

/**
 * The folder in `--data-dir` with the published files of a registry, each named by its SHA-256. It has the name of the
 * registry's file, so that one registry cannot withdraw the files of another one.
 */
export function toPublishedFolder(dataDir: string, registryPath: string): string {
  return join(dataDir, 'documents', basename(registryPath, '.db'))
}

/** The path in `sqlite:PATH`. Throws `StoreFault` if the text has another form, or the path is not that of a file. */
function toPath(database: string): string {
  if (!database.startsWith('sqlite:')) {
    throw new StoreFault(
      t`Cannot open ${showDatabase(database)}: expected sqlite:PATH, postgres://HOST/NAME or https://HOST/PATH`,
    )
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
