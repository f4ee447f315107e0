// Makes the summary of a search: the number of its matches by year and by municipality, and of the pages of their
// documents.
import type { FieldValue, MunicipalityFacts, Summary } from './contract.ts'
import { type DocumentTotals, noDocuments, sumTotals } from './document-totals.ts'
import type { YearRange } from './registry-file.ts'
import type { Scan } from './scan.ts'
import type { TimeSlice } from './time-slice.ts'
import { at, increment } from './typed-array.ts'

/** Number of records by year and by municipality, in any order. Years and municipalities without records are absent. */
export interface Counts {
  readonly byYear: Summary['byYear']
  readonly byMunicipality: Summary['byMunicipality']
  /** The pages of the documents of all matches; undefined if they were not added up. */
  readonly documents?: DocumentTotals | undefined
  readonly byField?: Summary['byField']
}

/** Counts all records of a registry without reading them. */
export function countAll(years: readonly YearRange[], municipalities: readonly MunicipalityFacts[]): Counts {
  return {
    byYear: years.map(({ year, records }) => ({ year, records })),
    byMunicipality: municipalities.map(({ records }, municipality) => ({ municipality, records })),
  }
}

interface CountedColumns {
  /** Newest first. */
  readonly years: readonly YearRange[]
  /** By position: the index of the municipality in `Snapshot.municipalities`. */
  readonly municipalityNumbers: Uint32Array
  readonly municipalityCount: number
  /** By position. If given, the pages of the documents are added up too. */
  readonly documentTotals: ReadonlyMap<number, DocumentTotals> | undefined
  readonly facets: readonly CountedField[]
}

/** An own column whose values are counted. */
export interface CountedField {
  readonly name: string
  readonly values: readonly FieldValue[]
  /** By position: the index in `values`; their number if the record has no value. */
  readonly numbers: Uint16Array
}

/** Counts the matches of the scan; none if it is null. */
export async function countMatches(
  scan: Scan | null,
  slice: TimeSlice,
  { years, municipalityNumbers, municipalityCount, documentTotals, facets }: CountedColumns,
): Promise<Counts> {
  const municipalityCounts = new Uint32Array(municipalityCount)
  /** By index in `years`. */
  const yearCounts = new Uint32Array(years.length)
  let documents = documentTotals === undefined ? undefined : noDocuments
  const fieldCounts = facets.map(({ values }) => new Uint32Array(values.length + 1))
  let yearIndex = 0
  /** The position after the last record of the year. */
  let yearEnd = 0
  await scan?.forEach((positions) => {
    for (const position of positions) {
      while (position >= yearEnd) {
        const year = years[yearIndex++]
        yearEnd = year === undefined ? Number.POSITIVE_INFINITY : year.first + year.records
      }
      increment(yearCounts, yearIndex - 1)
      increment(municipalityCounts, at(municipalityNumbers, position))
      const totals = documentTotals?.get(position)
      if (documents !== undefined && totals !== undefined) documents = sumTotals([documents, totals])
    }
    for (const [index, { numbers }] of facets.entries()) {
      const counts = fieldCounts[index] as Uint32Array
      for (const position of positions) increment(counts, numbers[position] as number)
    }
  }, slice)
  return {
    byYear: years.map(({ year }, index) => ({ year, records: at(yearCounts, index) })).filter(hasRecords),
    byMunicipality: Array.from(municipalityCounts, (records, municipality) => ({ municipality, records })).filter(
      hasRecords,
    ),
    documents,
    ...(facets.length === 0 ? {} : { byField: toFieldCounts(facets, fieldCounts) }),
  }
}

function toFieldCounts(facets: readonly CountedField[], counts: readonly Uint32Array[]): Summary['byField'] & object {
  return Object.fromEntries(
    facets.map(({ name, values }, index) => {
      const counted = values.map(({ value }, number) => ({ value, records: counts[index]?.[number] ?? 0 }))
      // Values with equally many records keep their order in the registry.
      return [name, counted.filter(hasRecords).sort((a, b) => b.records - a.records)]
    }),
  )
}

function hasRecords({ records }: { readonly records: number }): boolean {
  return records > 0
}

/** Adds up the total and sorts the counts: years ascending, municipalities by number of records. */
export function toSummary({ byYear, byMunicipality, documents, byField }: Counts): Summary {
  const total = byYear.reduce((sum, { records }) => sum + records, 0)
  const summary = {
    total,
    byYear: byYear.toSorted((a, b) => a.year - b.year),
    byMunicipality: byMunicipality.toSorted(compareCounts),
  }
  return {
    ...summary,
    ...(documents === undefined ? {} : { documents }),
    ...(byField === undefined ? {} : { byField }),
  }
}

/** Most records first, then by name: municipalities are numbered in the order of their names. */
function compareCounts(a: MunicipalityCount, b: MunicipalityCount): number {
  return b.records - a.records || a.municipality - b.municipality
}

type MunicipalityCount = Summary['byMunicipality'][number]
