// The snapshot in service, for callers that go on without one.
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'

/** Undefined while the registry is unavailable. */
export function currentSnapshot(store: RegistryStore): Snapshot | undefined {
  try {
    return store.current()
  } catch {
    return undefined
  }
}
