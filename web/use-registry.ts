// Preact hooks for what the page shows besides the search result: the counts of the whole registry, the counts by
// municipality for the map, and the list of municipalities.
import { useEffect, useState } from 'preact/hooks'
import type { SearchFilters, WireMunicipality, WireSummary } from '../src/client/client.ts'
import { isUnfiltered, type Search, toFilters, type YearRange } from './search-url.ts'
import { callWithRetry, type MunicipalityCount } from './service.ts'
import type { SearchCounts } from './use-search.ts'

/**
 * The counts of the whole registry; null until they are known. They are not requested if the search has no filters,
 * because `counts` are then the same.
 */
export function useRegistrySummary(search: Search, counts: SearchCounts | null): WireSummary | null {
  const [summary, setSummary] = useState<WireSummary | null>(null)
  const [attempt, setAttempt] = useState(0)
  const isNeeded = summary === null && !isUnfiltered(search)
  useEffect(() => {
    if (counts !== null && counts.summary !== null && isUnfiltered(counts.search)) setSummary(counts.summary)
  }, [counts])
  useEffect(() => {
    if (!isNeeded) return
    const controller = new AbortController()
    const retry = (): void => setAttempt((count) => count + 1)
    callWithRetry((client, options) => client.summary({}, options), controller.signal).then((outcome) => {
      if (outcome.kind === 'found') setSummary(outcome.value)
    })
    addEventListener('online', retry)
    return () => {
      controller.abort()
      removeEventListener('online', retry)
    }
  }, [isNeeded, attempt])
  return summary
}

/**
 * The number of matching records in each municipality, ignoring the municipality filter, so that the map shows the
 * others too. `summary` is the summary of the search without its years. Null until it is known; requested only if
 * `isEnabled`.
 */
export function useMunicipalityCounts(
  search: Search | null,
  summary: WireSummary | null,
  isEnabled: boolean,
): readonly MunicipalityCount[] | null {
  const [counts, setCounts] = useState<readonly MunicipalityCount[] | null>(null)
  useEffect(() => {
    if (!isEnabled || search === null) return
    const { years } = search
    if (years === null && search.municipality.trim() === '') {
      setCounts(summary?.by_municipality ?? [])
      return
    }
    const controller = new AbortController()
    const searches = toYears(years).map((year) => toFilters({ ...search, municipality: '' }, year))
    countByMunicipality(searches, controller.signal).then((sums) => {
      if (!controller.signal.aborted) setCounts(sums)
    })
    return () => controller.abort()
  }, [search, summary, isEnabled])
  return counts
}

/** The years of the range; a single null, for a search in all years, if there is no range. */
function toYears(years: YearRange | null): (number | null)[] {
  return years === null ? [null] : Array.from({ length: years.to - years.from + 1 }, (_, index) => years.from + index)
}

/**
 * Every municipality with records; null until the list has arrived. `focusCount` is how often the field has had the
 * focus: the list is requested at the first time, and again each time if it failed.
 */
export function useMunicipalities(focusCount: number): readonly WireMunicipality[] | null {
  const [municipalities, setMunicipalities] = useState<readonly WireMunicipality[] | null>(null)
  useEffect(() => {
    if (focusCount === 0 || municipalities !== null) return
    const controller = new AbortController()
    callWithRetry((client, options) => client.municipalities(options), controller.signal).then((outcome) => {
      if (outcome.kind === 'found') setMunicipalities(outcome.value)
    })
    return () => controller.abort()
  }, [focusCount, municipalities])
  return municipalities
}

/** Browsers open six connections to a host; two stay free for the records. */
const concurrentRequests = 4

/** Adds up the counts of all searches. A search that fails is left out. */
async function countByMunicipality(
  searches: readonly SearchFilters[],
  signal: AbortSignal,
): Promise<MunicipalityCount[]> {
  const sums = new Map<string, MunicipalityCount>()
  const queue = [...searches]
  const countNext = async (): Promise<void> => {
    while (!signal.aborted) {
      const filters = queue.shift()
      if (filters === undefined) return
      const outcome = await callWithRetry((client, options) => client.summary(filters, options), signal)
      if (outcome.kind !== 'found') continue
      for (const count of outcome.value.by_municipality) {
        const key = `${count.ine_code}${count.name}`
        sums.set(key, { ...count, records: count.records + (sums.get(key)?.records ?? 0) })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrentRequests }, countNext))
  return [...sums.values()].sort((a, b) => b.records - a.records || a.name.localeCompare(b.name, 'es'))
}
