// Stores whose snapshots are replaced or changed, for tests that inject faults into a service. The functions list every
// member of a store or snapshot, because a spread would leave out the methods of a class.
import type { RegistryStore, Snapshot } from '../src/registry/contract.ts'

/** The store with another `current`, which is the function that returns the snapshot in service. */
export function withCurrent(store: RegistryStore, current: RegistryStore['current']): RegistryStore {
  return {
    current,
    refresh: () => store.refresh(),
    readLinkCheck: (addresses) => store.readLinkCheck(addresses),
    close: () => store.close(),
  }
}

/** The store with changed snapshots. `replace` gets a snapshot and returns the members that replace its own. */
export function withChangedSnapshots(
  store: RegistryStore,
  replace: (snapshot: Snapshot) => Partial<Snapshot>,
): RegistryStore {
  /** One wrapper for each snapshot, because the response cache compares snapshots by identity. */
  const wrappers = new Map<Snapshot, Snapshot>()
  const wrap = (snapshot: Snapshot): Snapshot => ({
    metadata: snapshot.metadata,
    hasPassages: snapshot.hasPassages,
    municipalities: snapshot.municipalities,
    findMunicipalities: (name) => snapshot.findMunicipalities(name),
    page: (...args) => snapshot.page(...args),
    search: (...args) => snapshot.search(...args),
    changes: snapshot.changes,
    listCodes: (...args) => snapshot.listCodes(...args),
    documentBase: snapshot.documentBase,
    findPublished: (sha256) => snapshot.findPublished(sha256),
    readFieldValues: (...args) => snapshot.readFieldValues(...args),
    readVocabulary: () => snapshot.readVocabulary(),
    hasMatch: (filters, deadline) => snapshot.hasMatch(filters, deadline),
    summarise: (...args) => snapshot.summarise(...args),
    ...replace(snapshot),
  })
  return withCurrent(store, () => {
    const snapshot = store.current()
    const wrapper = wrappers.get(snapshot) ?? wrap(snapshot)
    wrappers.set(snapshot, wrapper)
    return wrapper
  })
}
