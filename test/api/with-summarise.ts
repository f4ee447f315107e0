// A store whose summaries are slow or fail, for tests of overload and of deadlines.
import type { RegistryStore, Snapshot } from '../../src/registry/contract.ts'
import { withChangedSnapshots } from '../with-current.ts'

/** Runs instead of `summarise` of a snapshot. `snapshot` is the unchanged one, whose `summarise` it may call. */
export type Summarise = (
  snapshot: Snapshot,
  ...args: Parameters<Snapshot['summarise']>
) => ReturnType<Snapshot['summarise']>

/** The store with another `summarise`. */
export function withSummarise(store: RegistryStore, summarise: Summarise): RegistryStore {
  return withChangedSnapshots(store, (snapshot) => ({ summarise: (...args) => summarise(snapshot, ...args) }))
}
