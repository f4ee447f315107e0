// A registry that a remote store keeps, opened for reading: the store of the local copy (../file-store.ts),
// which serves any file that is put in its place, and the follower that renews the copy.
import { type OpenOptions, type RegistryStore, StoreFault } from '../contract.ts'
import { openFileStore } from '../file-store.ts'
import type { FileOptions } from '../registry-file.ts'
import { Follower } from './follower.ts'
import type { LocalCopy } from './local-copy.ts'
import type { RemoteStore } from './remote.ts'

/**
 * Opens the copy at once if there is one, and fetches the file otherwise. With `fetchesFirst`, asks the store first if
 * it answers. Throws `StoreUnreachable` if there is no copy that can be served and the store does not answer, and
 * `StoreFault` if there is no registry that can be served. Closes `remote` with the store.
 */
export async function openFollowedStore(
  remote: RemoteStore,
  copy: LocalCopy,
  options: OpenOptions,
): Promise<RegistryStore> {
  const { onRefused, onStoreLost: onLost, onRecovered } = options
  let store: RegistryStore | undefined
  // A fault is reported by the store itself.
  const onRenewed = (): void => void store?.refresh().catch(() => undefined)
  const follower = new Follower(remote, copy, { onRenewed, onRefused, onLost, onRecovered })
  try {
    const opened = await openCopy(follower, copy, options)
    store = opened
    follower.start()
    return {
      current: () => opened.current(),
      refresh: () => {
        follower.checkNow()
        return opened.refresh()
      },
      readLinkCheck: (addresses) => opened.readLinkCheck(addresses),
      servedFile: () => opened.servedFile?.(),
      readLastImport: async () => (await copy.readManifest())?.lastImport ?? null,
      follower: () => follower.status,
      close: async () => {
        await follower.close()
        await opened.close()
      },
    }
  } catch (error) {
    await follower.close()
    throw error
  }
}

async function openCopy(follower: Follower, copy: LocalCopy, options: OpenOptions): Promise<RegistryStore> {
  const innerOptions: OpenOptions & FileOptions = {
    ...options,
    // The store hands out the file of the registry alone, without published documents.
    documentBase: null,
    onDamage: (fault) => {
      options.onDamage?.(fault)
      void copy.distrust()
    },
  }
  if (!copy.exists) await follower.fetchNewest()
  else if (options.fetchesFirst === true) await fetchIfPossible(follower, options)
  try {
    return await openFileStore(copy.path, innerOptions)
  } catch (error) {
    if (!(error instanceof StoreFault) || error.isTransient) throw error
    // The copy is damaged, or another version of the program has written it.
    options.onRefused?.(error)
    await copy.distrust()
    await follower.fetchNewest()
    return await openFileStore(copy.path, innerOptions)
  }
}

/** Renews the copy, which can be served as it is if that fails. */
async function fetchIfPossible(follower: Follower, options: OpenOptions): Promise<void> {
  try {
    await follower.fetchNewest()
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    options.onStoreLost?.(error)
  }
}
