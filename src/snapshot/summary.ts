// Turns the counts of a search into its summary: the total, by year and by municipality. stored-snapshot.ts counts.
import { at } from '../index/typed-array.ts'
import type { MunicipalityFacts, Summary } from './contract.ts'
import type { YearRange } from './storage.ts'

/** Number of records by year and by municipality, in any order. Years and municipalities without records are absent. */
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

/** `counts` has the number of records of each municipality, by its number. */
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

/** Most records first, then by name: municipalities are numbered in the order of their names. */
function compareCounts(a: MunicipalityCount, b: MunicipalityCount): number {
  return b.records - a.records || a.municipality - b.municipality
}

type MunicipalityCount = Summary['byMunicipality'][number]
