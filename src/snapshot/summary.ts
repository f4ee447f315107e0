// Summary of a search: counts by year and by municipality.
import { at } from '../index/typed-array.ts'
import type { MunicipalityFacts, Summary } from './contract.ts'
import type { YearRange } from './storage.ts'

/** Number of records by year and by municipality, without those that have none, in any order. */
export interface Counts {
  readonly byYear: ReadonlyMap<number, number>
  readonly byMunicipality: Summary['byMunicipality']
}

/** Counts all records of a snapshot without reading them. */
export function countAll(years: readonly YearRange[], municipalities: readonly MunicipalityFacts[]): Counts {
  return {
    byYear: new Map(years.map(({ year, records }) => [year, records])),
    byMunicipality: municipalities.map(({ records }, municipality) => ({ municipality, records })),
  }
}

/** `counts` is indexed by the number of the municipality. */
export function toMunicipalityCounts(counts: Uint32Array): Counts['byMunicipality'] {
  const result: { municipality: number; records: number }[] = []
  for (let municipality = 0; municipality < counts.length; municipality++) {
    const records = at(counts, municipality)
    if (records > 0) result.push({ municipality, records })
  }
  return result
}

export function toSummary({ byYear, byMunicipality }: Counts): Summary {
  const years = [...byYear].map(([year, records]) => ({ year, records })).sort((a, b) => a.year - b.year)
  const total = years.reduce((sum, { records }) => sum + records, 0)
  return { total, byYear: years, byMunicipality: byMunicipality.toSorted(compareCounts) }
}

/** Most records first, then by number, which is the order of names. */
function compareCounts(a: MunicipalityCount, b: MunicipalityCount): number {
  return b.records - a.records || a.municipality - b.municipality
}

type MunicipalityCount = Summary['byMunicipality'][number]
