// Loads what the page of a record shows: the record, its passages, its dead links, and the records of the same
// municipality whose titles name the same plan or sector.
import type { PageRecord, PageRegistry, PageRequest } from '../src/api/page-renderer.ts'
import type { WirePassage } from '../src/domain/wire.ts'
import type { RecordView, RelatedRecord, RelatedSearch } from './page-data.ts'
import { findPlanNames, toPlanTerm } from './plan-names.ts'
import { type Search, toFilters, unfiltered } from './search-url.ts'

/** How many related records a page lists. */
const relatedRecordsMax = 10

/**
 * The record with the code; null if there is none. `search` is the one that led to the record; without filters if there
 * was none. `readLinkCheck` tells which of the links could not be opened at the last check.
 */
export async function loadRecord(
  registry: PageRegistry,
  code: string,
  search: Search,
  readLinkCheck: PageRequest['readLinkCheck'],
): Promise<RecordView | null> {
  const include = ['cod_archivo', 'place', 'documents', 'fields'] as const
  const found = await registry.find({ cod_archivo: code }, { limit: 1, include })
  const [record] = 'records' in found ? found.records : []
  if (record === undefined) return null
  const { passages, isTermMissing } = await loadPassages(registry, code, search.words)
  const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '')
  const check = links.length === 0 ? null : await readLinkCheck(links)
  return {
    kind: 'record',
    record,
    search,
    passages: sortPassages(registry, passages, search.words),
    isTermMissing,
    ...(await findRelatedRecords(registry, record)),
    linkCheck: check !== null && check.dead.length > 0 ? check : null,
  }
}

interface LoadedPassages {
  readonly passages: readonly WirePassage[]
  /** Whether the record does not match the words. */
  readonly isTermMissing: boolean
}

/** Loads the passages with the words. The search finds the record only if the words match it. */
async function loadPassages(registry: PageRegistry, code: string, words: string): Promise<LoadedPassages> {
  if (words === '') return { passages: [], isTermMissing: false }
  const found = await registry.find({ cod_archivo: code, search: words }, { limit: 1, include: ['passages'] })
  // A search for the code finds the record by its code, which need not be in its text.
  const isCode = words.toLowerCase() === code.toLowerCase()
  return {
    passages: 'records' in found ? (found.records[0]?.passages ?? []) : [],
    isTermMissing: 'code' in found && found.code === 'no-match' && !isCode,
  }
}

/**
 * The passages with the most words of the search first: a long document may have a frequent word on every page. Those
 * with equally many words stay in reading order, in which the registry returns them.
 */
function sortPassages(registry: PageRegistry, passages: readonly WirePassage[], words: string): WirePassage[] {
  return passages
    .map((passage) => ({ passage, count: registry.mark(passage.text, words).clauseCount }))
    .sort((a, b) => b.count - a.count)
    .map(({ passage }) => passage)
}

/**
 * The other records of the municipality whose titles name a plan or sector of the record, newest first, each with that
 * name. If there are more than `relatedRecordsMax`, those with the most specific names are kept (`findPlanNames`
 * returns these first), because many records name the general plan. `relatedSearches` find the rest.
 */
async function findRelatedRecords(
  registry: PageRegistry,
  record: PageRecord,
): Promise<Pick<RecordView, 'relatedRecords' | 'relatedSearches'>> {
  /** By inscription code. */
  const relatedRecords = new Map<string, RelatedRecord>()
  const relatedSearches: RelatedSearch[] = []
  const municipality = record.place?.ine_code ?? record.municipality
  for (const name of findPlanNames(record.title, record.area, registry.mark)) {
    const search = { ...unfiltered, municipality, words: toPlanTerm(name) }
    if (relatedRecords.size >= relatedRecordsMax) {
      relatedSearches.push({ name, search })
      continue
    }
    // One of the found records may be `record` itself, which is not listed.
    const found = await registry.find(toFilters(search), { limit: relatedRecordsMax + 1, include: ['cod_archivo'] })
    if (!('records' in found)) continue
    // The search also finds the name in documents, but many documents name a plan that they do not change. Those with
    // the name in their titles come first.
    for (const other of found.records.slice(0, found.together)) {
      const code = other.cod_archivo ?? ''
      const isShownAlready = code === record.cod_archivo || relatedRecords.has(code)
      if (!isShownAlready) relatedRecords.set(code, { code, title: other.title, checkinDate: other.checkin_date, name })
    }
    const hasMore = found.cursor !== null || relatedRecords.size > relatedRecordsMax
    if (hasMore) relatedSearches.push({ name, search })
  }
  const listed = [...relatedRecords.values()]
    .slice(0, relatedRecordsMax)
    .sort((a, b) => b.checkinDate.localeCompare(a.checkinDate))
  return { relatedRecords: listed, relatedSearches }
}
