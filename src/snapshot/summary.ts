// Makes the summary of a search: the number of its matches by year and by municipality, and of the pages of their
// documents. The position of a record is its index in the snapshot, where records are sorted from new to old.
import { Collector } from '../index/collector.ts'
import type { PostingIterator } from '../index/posting-iterator.ts'
import type { SearchContext } from '../index/search-context.ts'
import { at, increment } from '../index/typed-array.ts'
import type { MunicipalityFacts, Summary } from './contract.ts'
import { type DocumentTotals, type DocumentTotalsByRecord, noDocuments, sumTotals } from './document-totals.ts'
import type { PositionRange } from './position-range.ts'
import type { SnapshotStorage, YearRange } from './storage.ts'

/** Number of records by year and by municipality, in any order. Years and municipalities without records are absent. */
export interface Counts {
  readonly byYear: ReadonlyMap<number, number>
  readonly byMunicipality: Summary['byMunicipality']
  /** The pages of the documents of all matches; undefined if they were not added up. */
  readonly documents?: DocumentTotals | undefined
}

/** Counts all records of a snapshot without reading them. */
export function countAll(years: readonly YearRange[], municipalities: readonly MunicipalityFacts[]): Counts {
  return {
    byYear: new Map(years.map(({ year, records }) => [year, records])),
    byMunicipality: municipalities.map(({ records }, municipality) => ({ municipality, records })),
  }
}

interface CountOptions {
  readonly context: SearchContext
  /** If given, the pages of the documents are added up too. */
  readonly documentTotals: DocumentTotalsByRecord | undefined
}

/**
 * Counts the matches of the iterator at positions from `from` (included) to `to` (excluded). A null iterator matches
 * nothing.
 */
export async function countMatches(
  iterator: PostingIterator | null,
  { from, to }: PositionRange,
  storage: SnapshotStorage,
  { context, documentTotals }: CountOptions,
): Promise<Counts> {
  const byYear = new Map<number, number>()
  let documents = documentTotals === undefined ? undefined : noDocuments
  if (iterator === null || from >= to) return { byYear, byMunicipality: [], documents }
  /** Number of matches by municipality number. */
  const municipalityCounts = new Uint32Array(storage.municipalities.length)
  /** Municipality number by position. */
  const municipalityNumbers = await storage.readMunicipalityNumbers()
  // The years and the records of the iterator are both newest first, so the iterator never has to go back.
  for (const { year, first, records } of storage.years) {
    const start = Math.max(first, from)
    const end = Math.min(first + records, to)
    const collector = new Collector(iterator, context, storage, start, end)
    let recordsInYear = 0
    const counting = collector.forEach((position) => {
      increment(municipalityCounts, at(municipalityNumbers, position))
      recordsInYear += 1
      const totals = documentTotals?.ofRecord(position) ?? noDocuments
      if (documents !== undefined && totals.pages > 0) documents = sumTotals([documents, totals])
    })
    // `forEach` returns a promise only if it has to wait.
    if (counting !== undefined) await counting
    if (recordsInYear > 0) byYear.set(year, recordsInYear)
  }
  return { byYear, byMunicipality: toMunicipalityCounts(municipalityCounts), documents }
}

/** `counts` has the number of records of each municipality, by its number. Leaves out municipalities with none. */
function toMunicipalityCounts(counts: Uint32Array): Counts['byMunicipality'] {
  const nonZeroCounts: { municipality: number; records: number }[] = []
  for (let municipality = 0; municipality < counts.length; municipality++) {
    const records = at(counts, municipality)
    if (records > 0) nonZeroCounts.push({ municipality, records })
  }
  return nonZeroCounts
}

/** Adds up the total and sorts the counts: years ascending, municipalities by number of records. */
export function toSummary({ byYear, byMunicipality, documents }: Counts): Summary {
  const years = [...byYear].map(([year, records]) => ({ year, records })).sort((a, b) => a.year - b.year)
  const total = years.reduce((sum, { records }) => sum + records, 0)
  const summary = { total, byYear: years, byMunicipality: byMunicipality.toSorted(compareCounts) }
  return documents === undefined ? summary : { ...summary, documents }
}

/** Most records first, then by name: municipalities are numbered in the order of their names. */
function compareCounts(a: MunicipalityCount, b: MunicipalityCount): number {
  return b.records - a.records || a.municipality - b.municipality
}

type MunicipalityCount = Summary['byMunicipality'][number]
