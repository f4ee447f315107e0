// A store whose summaries are slow or fail, for tests of overload and of deadlines.
import type { RegistryStore, Snapshot } from '../../src/snapshot/contract.ts'
import { withCurrent } from '../with-current.ts'

/** Replaces `summarise` of a snapshot. The original snapshot comes before the arguments of `summarise`. */
export type Summarise = (
  snapshot: Snapshot,
  ...args: Parameters<Snapshot['summarise']>
) => ReturnType<Snapshot['summarise']>

/** The store with another `summarise`. */
export function withSummarise(store: RegistryStore, summarise: Summarise): RegistryStore {
  /** One wrapper for each snapshot, because the response cache compares snapshots by identity. */
  const wrappers = new Map<Snapshot, Snapshot>()
  /** The snapshot with the other `summarise`. */
  const wrap = (snapshot: Snapshot): Snapshot => ({
    metadata: snapshot.metadata,
    hasPassages: snapshot.hasPassages,
    municipalities: snapshot.municipalities,
    findMunicipalities: (name) => snapshot.findMunicipalities(name),
    page: (...args) => snapshot.page(...args),
    search: (...args) => snapshot.search(...args),
    changes: snapshot.changes,
    listCodes: (...args) => snapshot.listCodes(...args),
    codeExists: (code) => snapshot.codeExists(code),
    readText: (code) => snapshot.readText(code),
    readVocabulary: () => snapshot.readVocabulary(),
    summarise: (...args) => summarise(snapshot, ...args),
  })
  return withCurrent(store, () => {
    const snapshot = store.current()
    const wrapper = wrappers.get(snapshot) ?? wrap(snapshot)
    wrappers.set(snapshot, wrapper)
    return wrapper
  })
}
