// Opens a registry by its address, the value of `--database`: `sqlite:PATH`.
import { existsSync, statSync } from 'node:fs'
import { t } from '../language.ts'
import type { CheckResult, LinkCheck, OpenOptions, RegistryStore } from './contract.ts'
import { StoreFault } from './contract.ts'
import { openFileTarget, type RegistryTarget } from './stores/target.ts'

/** Opens a registry for reading. Throws `StoreFault` if it is missing, damaged, unreachable or not a registry. */
export async function openStore(database: string, options: OpenOptions = {}): Promise<RegistryStore> {
  const { openFileStore } = await import('./file-store.ts')
  return openFileStore(toPath(database), options)
}

/** Throws `StoreFault` if another import is running or the database cannot be used. */
export async function openTarget(database: string): Promise<RegistryTarget> {
  return openFileTarget(toPath(database))
}

export function isSqliteAddress(source: string): boolean {
  return source.startsWith('sqlite:')
}

export function showDatabase(database: string): string {
  return database
}

/** Reads the whole registry and reports its faults. Throws `StoreFault` if there is none, or it cannot be opened. */
export async function checkStore(
  database: string,
  { full = false }: { readonly full?: boolean } = {},
): Promise<CheckResult> {
  const path = toPath(database)
  if (!existsSync(path)) throw new StoreFault(t`Cannot check ${path}: there is no such file`)
  return (await import('./check.ts')).checkFile(path, { full })
}

/** Saves which links `check --links` has found dead, for the web page. Throws if that cannot be written. */
export async function saveLinkCheck(database: string, check: LinkCheck): Promise<void> {
  await (await import('./link-check.ts')).writeLinkCheckFile(toPath(database), check)
}

/** Whether a registry exists at the address. `npm start` builds the sample if none does. */
export async function storeExists(database: string): Promise<boolean> {
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

export async function waitForDatabase(_database: string, _onWaiting: (reasons: string) => void): Promise<void> {}
export async function copyToPostgres(_s: string, _d: string, _o: object): Promise<never> {
  throw new Error('x')
}
