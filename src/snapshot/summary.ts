// From counts to a summary: years in order, municipalities by the number of their records. And what can be counted
// without looking at records.
import { at } from '../index/varint.ts'
import type { MunicipalityFacts, Summary } from './contract.ts'
import type { YearStretch } from './storage.ts'

/** Of the records found in each year, and of each municipality that has any; in any order. */
export interface Counts {
  readonly byYear: ReadonlyMap<number, number>
  readonly byMunicipality: Summary['byMunicipality']
}

export function countAll(years: readonly YearStretch[], municipalities: readonly MunicipalityFacts[]): Counts {
  return {
    byYear: new Map(years.map(({ year, records }) => [year, records])),
    byMunicipality: municipalities.map(({ records }, municipality) => ({ municipality, records })),
  }
}

/** Of counts by the number of the municipality. */
export function toCounted(counts: Uint32Array): Counts['byMunicipality'] {
  const counted: { municipality: number; records: number }[] = []
  for (let municipality = 0; municipality < counts.length; municipality++) {
    const records = at(counts, municipality)
    if (records > 0) counted.push({ municipality, records })
  }
  return counted
}

export function toSummary({ byYear, byMunicipality }: Counts): Summary {
  const years = [...byYear].map(([year, records]) => ({ year, records })).sort((a, b) => a.year - b.year)
  const total = years.reduce((sum, { records }) => sum + records, 0)
  return { total, byYear: years, byMunicipality: byMunicipality.toSorted(byRecords) }
}

/** Most records first, then by number, which is the order of their names. */
function byRecords(a: CountedMunicipality, b: CountedMunicipality): number {
  return b.records - a.records || a.municipality - b.municipality
}

type CountedMunicipality = Summary['byMunicipality'][number]
