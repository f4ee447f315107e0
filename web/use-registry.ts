// What the page knows of the registry beside the search at hand: how much there is, which municipalities it has,
// and how the records found spread over them.
import { useEffect, useState } from 'preact/hooks'
import { isUnfiltered, type Search, toServiceQuery, type YearRange } from './search-url.ts'
import { askPatiently, type MunicipalitiesBody, type MunicipalityCount, type WireSummary } from './service.ts'
import type { Counted } from './use-search.ts'

/**
 * Counts of the whole registry; null until they are known. Where everything is what is searched for, `counted` holds
 * them already.
 */
export function useRegistrySummary(search: Search, counted: Counted | null): WireSummary | null {
  const [whole, setWhole] = useState<WireSummary | null>(null)
  const [attempt, setAttempt] = useState(0)
  const isWanted = whole === null && !isUnfiltered(search)
  useEffect(() => {
    if (counted !== null && counted.summary !== null && isUnfiltered(counted.search)) setWhole(counted.summary)
  }, [counted])
  useEffect(() => {
    if (!isWanted) return
    const cancel = new AbortController()
    const tryAgain = (): void => setAttempt((count) => count + 1)
    askPatiently<WireSummary>('summary', cancel.signal).then((outcome) => {
      if (outcome.kind === 'found') setWhole(outcome.value)
    })
    addEventListener('online', tryAgain)
    return () => {
      cancel.abort()
      removeEventListener('online', tryAgain)
    }
  }, [isWanted, attempt])
  return whole
}

/**
 * How many records of each municipality the search finds, whatever municipality it is narrowed to: the map shows the
 * others too. `summary` is that of the search without its years. Null until it is known; asked only while `wanted`.
 */
export function useMunicipalityCounts(
  search: Search | null,
  summary: WireSummary | null,
  wanted: boolean,
): readonly MunicipalityCount[] | null {
  const [counts, setCounts] = useState<readonly MunicipalityCount[] | null>(null)
  useEffect(() => {
    if (!wanted || search === null) return
    const { years } = search
    if (years === null && search.municipality.trim() === '') {
      setCounts(summary?.by_municipality ?? [])
      return
    }
    const cancel = new AbortController()
    const queries = toYears(years).map((year) => toServiceQuery({ ...search, municipality: '' }, year))
    countByMunicipality(queries, cancel.signal).then((sums) => {
      if (!cancel.signal.aborted) setCounts(sums)
    })
    return () => cancel.abort()
  }, [search, summary, wanted])
  return counts
}

function toYears(years: YearRange | null): (number | null)[] {
  return years === null ? [null] : Array.from({ length: years.to - years.from + 1 }, (_, index) => years.from + index)
}

export type MunicipalityEntry = MunicipalitiesBody['municipalities'][number]

/** Every municipality with records, asked for when someone is about to choose one (`visits`), until it is there. */
export function useMunicipalities(visits: number): readonly MunicipalityEntry[] | null {
  const [entries, setEntries] = useState<readonly MunicipalityEntry[] | null>(null)
  useEffect(() => {
    if (visits === 0 || entries !== null) return
    const cancel = new AbortController()
    askPatiently<MunicipalitiesBody>('municipality', cancel.signal).then((outcome) => {
      if (outcome.kind === 'found') setEntries(outcome.value.municipalities)
    })
    return () => cancel.abort()
  }, [visits, entries])
  return entries
}

/** Several years are several requests; four at a time leave room for the records themselves. */
const requestsAtOnce = 4

async function countByMunicipality(queries: readonly string[], signal: AbortSignal): Promise<MunicipalityCount[]> {
  const sums = new Map<string, MunicipalityCount>()
  const waiting = [...queries]
  const work = async (): Promise<void> => {
    for (let query = waiting.shift(); query !== undefined && !signal.aborted; query = waiting.shift()) {
      const outcome = await askPatiently<WireSummary>(`summary?${query}`, signal)
      if (outcome.kind !== 'found') continue
      for (const count of outcome.value.by_municipality) {
        const key = `${count.ine_code}${count.name}`
        sums.set(key, { ...count, records: count.records + (sums.get(key)?.records ?? 0) })
      }
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  return [...sums.values()].sort((a, b) => b.records - a.records || a.name.localeCompare(b.name, 'es'))
}
