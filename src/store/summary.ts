// From counts to a summary: years in order, municipalities by the number of their records.
import { at } from '../search/bytes.ts'
import type { Summary } from './store.ts'

/** Of the records found in each year, and by the number of each municipality. */
export interface Counts {
  readonly byYear: Map<number, number>
  readonly byMunicipality: Uint32Array
}

/** That have any. */
export function countMunicipalities({ byMunicipality }: Counts): number {
  let found = 0
  for (let municipality = 0; municipality < byMunicipality.length; municipality++) {
    if (at(byMunicipality, municipality) > 0) found++
  }
  return found
}

export function toSummary({ byYear, byMunicipality }: Counts): Summary {
  const years = [...byYear].map(([year, records]) => ({ year, records })).sort((a, b) => a.year - b.year)
  const municipalities = inOrderOfRecords(byMunicipality)
  return { total: years.reduce((sum, { records }) => sum + records, 0), byYear: years, byMunicipality: municipalities }
}

/** Those with most records first, then by number, which is by name. Sorted as plain numbers, all in one step. */
function inOrderOfRecords(byMunicipality: Uint32Array): Summary['byMunicipality'] {
  const { length } = byMunicipality
  const keys = new Float64Array(length)
  let found = 0
  for (let municipality = 0; municipality < length; municipality++) {
    const records = at(byMunicipality, municipality)
    if (records > 0) keys[found++] = municipality - records * length
  }
  return Array.from(keys.subarray(0, found).sort(), (key) => {
    const records = Math.ceil(-key / length)
    return { municipality: key + records * length, records }
  })
}
