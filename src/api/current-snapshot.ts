// The current snapshot, which is the published copy of the registry, for callers that can do without it. For example,
// static files are served while the registry is unavailable.
import type { Snapshot, SnapshotSource } from '../registry/contract.ts'

/** `store.current()`, but undefined instead of an exception while the registry is unavailable. */
export function currentSnapshot(store: SnapshotSource): Snapshot | undefined {
  try {
    return store.current()
  } catch {
    return undefined
  }
}
