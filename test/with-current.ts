// A store whose current snapshot is replaced, for tests that inject faults into a service.
import type { RegistryStore } from '../src/snapshot/contract.ts'

/** The store with another `current`. */
export function withCurrent(store: RegistryStore, current: RegistryStore['current']): RegistryStore {
  return {
    current,
    refresh: () => store.refresh(),
    readLinkCheck: (addresses) => store.readLinkCheck(addresses),
    close: () => store.close(),
  }
}
