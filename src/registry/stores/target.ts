export interface RegistryTarget {
  readonly path: string
  publish(
    newFile: string,
    publication: {
      readonly version: string
      readonly onProgress?: ((done: number, total: number) => void) | undefined
      readonly onWarning?: ((warning: string) => void) | undefined
    },
  ): Promise<void>
  release(): Promise<void>
}

import { mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { takeImportLock } from '../import-lock.ts'
export function openFileTarget(path: string): RegistryTarget {
  mkdirSync(dirname(path), { recursive: true })
  const releaseLock = takeImportLock(path)
  return {
    path,
    publish: async (newFile) => {
      await flush(newFile)
      await rename(newFile, path)
      await flush(dirname(path))
    },
    release: async () => releaseLock(),
  }
}
async function flush(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
