// Facts about the whole registry, for all pages. The server reads them once for each snapshot, which is the immutable
// copy of the registry that an import has published.
import type { WireSummary } from '../src/client/client.ts'
import type { RegistryFacts } from './page-data.ts'
import { type PlaceIndex, toPlaceIndex } from './place-index.ts'
import { toProvinceCode } from './province-code.ts'
import { type Search, toFilters, toYearChange, unfiltered } from './search-url.ts'
import type { Service } from './service.ts'

/** What the server knows of one snapshot. */
export interface Registry {
  readonly facts: RegistryFacts
  /** The places with records by name, to find places in search terms; an empty index if they cannot be read. */
  readonly readPlaces: (service: Service) => Promise<PlaceIndex>
}

/** By snapshot, which is the object `dataVersion`. The entry is dropped together with the snapshot. */
const registries = new WeakMap<object, Registry>()

/** The registry of the snapshot `dataVersion`; null if it cannot be read. */
export async function readRegistry(service: Service, dataVersion: object): Promise<Registry | null> {
  const cached = registries.get(dataVersion)
  if (cached !== undefined) return cached
  const outcome = await service.call((client, options) => client.summary({}, options))
  if (outcome.kind !== 'found') return null
  const { total, by_year: byYear, by_municipality: municipalities } = outcome.value
  const codes = municipalities.map(({ ine_code: code }) => code).filter((code) => code !== null)
  const facts: RegistryFacts = {
    total,
    municipalities: municipalities.length,
    byYear,
    provinces: [...new Set(codes.map(toProvinceCode))].sort(),
    examples: await findExamples(service, outcome.value),
  }
  /** Undefined until a page first needs it. */
  let places: PlaceIndex | undefined
  // Each page passes its own service: the deadline of the page that read the facts may have expired.
  const readPlaces = async (pageService: Service): Promise<PlaceIndex> => {
    if (places !== undefined) return places
    const list = await pageService.call((client, options) => client.municipalities(options))
    if (list.kind !== 'found') return toPlaceIndex([])
    places = toPlaceIndex(list.value)
    return places
  }
  const registry = { facts, readPlaces }
  registries.set(dataVersion, registry)
  return registry
}

/**
 * Three example searches: for two words, for the municipality with the most records, and for a phrase in the year with
 * the most records. The words are Spanish, like the records. A search that finds nothing in this registry is left out.
 */
async function findExamples(
  service: Service,
  { by_year: byYear, by_municipality: municipalities }: WireSummary,
): Promise<Search[]> {
  // At least one year has records: the service responds to the summary of an empty registry with 404, which `call`
  // returns as `empty`, and then this function is not called.
  const peak = byYear.reduce((most, year) => (year.records > most.records ? year : most))
  const examples: readonly Search[] = [
    { ...unfiltered, words: 'plan parcial' },
    // The service lists the municipality with the most records first.
    { ...unfiltered, municipality: municipalities[0]?.name ?? '' },
    { ...unfiltered, words: '"estudio de detalle"', ...toYearChange({ from: peak.year, to: peak.year }) },
  ]
  const outcomes = await Promise.all(
    examples.map((search) =>
      service.call((client, options) => client.page(toFilters(search), { ...options, limit: 1 })),
    ),
  )
  return examples.filter((_, index) => outcomes[index]?.kind !== 'empty')
}
