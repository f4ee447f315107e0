// From counts to a summary: years in order, municipalities by the number of their records. And what can be counted
// without looking at records.
import { halve } from '../halve.ts'
import { at } from '../search/bytes.ts'
import type { MunicipalityRecords } from './municipality-records.ts'
import type { YearStretch } from './snapshot-storage.ts'
import type { MunicipalityFacts, Summary } from './store.ts'

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

/** Of municipalities. Their records are in order: where a year begins and ends among them tells how many it has. */
export function countKnown(
  municipalities: readonly number[],
  recordsOf: MunicipalityRecords,
  years: readonly YearStretch[],
): Counts {
  const byYear = new Map<number, number>()
  const byMunicipality: { municipality: number; records: number }[] = []
  for (const municipality of municipalities) {
    const positions = recordsOf.of(municipality)
    let all = 0
    for (const { year, first, records } of years) {
      const begin = halve(0, positions.length, (nth) => at(positions, nth) < first)
      const end = halve(begin, positions.length, (nth) => at(positions, nth) < first + records)
      if (end > begin) byYear.set(year, (byYear.get(year) ?? 0) + end - begin)
      all += end - begin
    }
    if (all > 0) byMunicipality.push({ municipality, records: all })
  }
  return { byYear, byMunicipality }
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
  return { total, byYear: years, byMunicipality: inOrderOfRecords(byMunicipality) }
}

/** Those with most records first, then by number, which is by name. Sorted as plain numbers, all in one step. */
function inOrderOfRecords(counted: Counts['byMunicipality']): Summary['byMunicipality'] {
  let beyond = 0
  for (const { municipality } of counted) beyond = Math.max(beyond, municipality + 1)
  const keys = new Float64Array(counted.length)
  for (const [index, { municipality, records }] of counted.entries()) keys[index] = municipality - records * beyond
  return Array.from(keys.sort(), (key) => {
    const records = Math.ceil(-key / beyond)
    return { municipality: key + records * beyond, records }
  })
}
