// Chooses the engine by the address of the database: `sqlite:PATH` or `postgres://…`. Nothing outside this folder
// knows which one it talks to.
import type { RegistryStore, SnapshotWriter, Soundness } from './store.ts'
import { StoreFault } from './store.ts'

/** Opens a registry for reading; throws `StoreFault` when it is missing, foreign, corrupt or empty. */
export async function openStore(database: string): Promise<RegistryStore> {
  throw new StoreFault(`Cannot open ${database}: no engine yet`)
}

/** Begins a new snapshot beside the one in service; throws `StoreFault` when another import is at it. */
export async function createSnapshot(database: string): Promise<SnapshotWriter> {
  throw new StoreFault(`Cannot write ${database}: no engine yet`)
}

/** Reads the whole registry once and says whether it is sound. */
export async function checkStore(database: string): Promise<Soundness> {
  throw new StoreFault(`Cannot check ${database}: no engine yet`)
}

/** Whether there is a registry at the address at all (`npm start` builds the sample where there is none). */
export async function storeExists(_database: string): Promise<boolean> {
  return false
}
