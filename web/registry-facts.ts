// Facts about the whole registry, for all pages. They are computed once for each snapshot, which is the immutable copy
// of the registry that an import has published.
import type { PageRegistry, PageRequest } from '../src/api/page-renderer.ts'
import type { Summary } from '../src/registry/contract.ts'
import type { RegistryFacts } from './page-data.ts'
import { type PlaceIndex, toPlaceIndex } from './place-index.ts'
import { type Search, toFilters, toYearChange, unfiltered } from './search-url.ts'

/** What the server knows of one snapshot. */
export interface KnownRegistry {
  readonly facts: RegistryFacts
  /** The places with records by name, to find places in search terms. Made when a page first needs it. */
  readonly places: () => PlaceIndex
}

/** By snapshot, which is the object `dataVersion`. The entry is dropped together with the snapshot. */
const known = new WeakMap<object, KnownRegistry>()

/** The facts of a registry that cannot be read now. They are not kept. */
const noFacts: RegistryFacts = {
  total: 0,
  municipalities: 0,
  byYear: [],
  provinces: [],
  countedFields: [],
  examples: [],
}

export async function readRegistry({
  registry,
  isBusy,
}: Pick<PageRequest, 'registry' | 'isBusy'>): Promise<KnownRegistry> {
  const before = known.get(registry.dataVersion)
  if (before !== undefined) return before
  let index: PlaceIndex | undefined
  const places = (): PlaceIndex => {
    index ??= toPlaceIndex(registry.municipalities)
    return index
  }
  const summary = await registry.count({})
  const examples = summary === null ? null : await findExamples(registry, summary, isBusy)
  if (summary === null || examples === null) return { facts: noFacts, places }
  const codes = registry.municipalities.flatMap(({ ineCode }) => ineCode?.slice(0, 2) ?? [])
  const facts: RegistryFacts = {
    total: summary.total,
    municipalities: registry.municipalities.length,
    byYear: summary.byYear,
    provinces: [...new Set(codes)].sort(),
    countedFields: registry.fields.filter(({ name }) => registry.readFieldValues(name) !== null),
    examples,
  }
  known.set(registry.dataVersion, { facts, places })
  return { facts, places }
}

/**
 * Three example searches: for two words, for the municipality with the most records, and for a phrase in the year with
 * the most records. The words are Spanish, like the records. A search that finds nothing in this registry is left out.
 * Null if the registry cannot be read now.
 */
async function findExamples(
  registry: PageRegistry,
  { byYear, byMunicipality }: Summary,
  isBusy: PageRequest['isBusy'],
): Promise<Search[] | null> {
  const peak = byYear.reduce((most, year) => (year.records > most.records ? year : most), { year: 0, records: 0 })
  // The municipality with the most records comes first. The only one of a registry is no filter.
  const largest = registry.municipalities[byMunicipality[0]?.municipality ?? 0]
  const examples: readonly Search[] = [
    { ...unfiltered, words: 'plan parcial' },
    ...(byMunicipality.length > 1 ? [{ ...unfiltered, municipality: largest?.name ?? '' }] : []),
    { ...unfiltered, words: '"estudio de detalle"', ...toYearChange({ from: peak.year, to: peak.year }) },
  ]
  try {
    const found = await Promise.all(examples.map((search) => registry.find(toFilters(search), { limit: 1 })))
    return examples.filter((_, index) => 'records' in (found[index] ?? {}))
  } catch (error) {
    if (!isBusy(error)) throw error
    return null
  }
}
