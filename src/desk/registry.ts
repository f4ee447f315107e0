// The page of the registry below the desk, as the public will see it: the service of `serve` in this process, for the
// preview and for what was published. The guard of the desk stands before it.
import type { RequestListener } from 'node:http'
import { buildService } from '../api/application.ts'
import { datasetDefaults } from '../api/settings.ts'
import type { Log } from '../http/log.ts'
import { openStore, toFilePath, toPublishedFolder } from '../registry/open.ts'
import { registryPath } from './import-pages.ts'

export interface ServedRegistry {
  readonly handle: RequestListener
  close(): Promise<void>
}

/** Throws `StoreFault` if the registry cannot be opened. */
export async function openRegistry(database: string, dataDir: string, log: Log): Promise<ServedRegistry> {
  const store = await openStore(database, { dataDir })
  try {
    const dataset = { ...datasetDefaults, licence: undefined, spatial: undefined, contact: undefined }
    const settings = {
      basePath: registryPath,
      publicUrl: undefined,
      isSecure: false,
      host: '127.0.0.1',
      dataset,
      documentsFolder: toPublishedFolder(dataDir, toFilePath(database)),
    }
    const service = await buildService({ store, settings, log })
    return {
      handle: service.handle,
      close: async () => {
        await service.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
