// The kinds of remote stores, by the address of the registry (`--database`). A new kind is added here.
import { LocalCopy } from './local-copy.ts'
import type { RemoteOptions, RemoteStore } from './remote.ts'
import { withoutPassword } from './show-address.ts'

/** Whether the registry is kept by a remote store, so that this machine has a copy of it. */
export function isRemoteAddress(database: string): boolean {
  return isPostgresUrl(database) || isHttpAddress(database)
}

/** Opens the store without asking it anything. Throws `StoreFault` if the address is invalid. */
export async function openRemote(database: string, options: RemoteOptions = {}): Promise<RemoteStore> {
  if (isHttpAddress(database)) return (await import('./https.ts')).openHttpsStore(database, options)
  const { PostgresStore } = await import('./postgres.ts')
  return new PostgresStore(database)
}

/** The local copy of the registry at the address. */
export async function toLocalCopy(database: string, dataDir: string): Promise<LocalCopy> {
  if (isHttpAddress(database)) {
    const location = (await import('./https.ts')).toLocation(database)
    return new LocalCopy(dataDir, location, location)
  }
  const { parseAddress, toHostName } = await import('./postgres-address.ts')
  const { hosts, database: name } = parseAddress(database)
  const location = `postgres://${hosts.map(toHostName).join(',')}/${name}`
  return new LocalCopy(dataDir, withoutPassword(database), location)
}

export function isHttpAddress(database: string): boolean {
  return /^https?:/i.test(database)
}

export function isPostgresUrl(database: string): boolean {
  return /^postgres(ql)?:/.test(database)
}
