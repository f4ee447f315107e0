// Loads what the page of a record shows: the record, its passages, its dead links, and the records of the same
// municipality whose titles name the same plan or sector.
import type { PageRequest } from '../src/api/page-renderer.ts'
import type { ClientRecord, IncludeName, Page, SearchFilters } from '../src/client/client.ts'
import { toSpanishReason } from '../src/domain/document-reason.ts'
import type { WirePassage } from '../src/domain/wire.ts'
import { countFoundClauses, hasWordsTogether } from './highlight.ts'
import type { RecordView, RelatedRecord, RelatedSearch } from './page-data.ts'
import { findPlanNames, toPlanTerm } from './plan-names.ts'
import { type Search, toFilters, unfiltered } from './search-url.ts'
import type { Outcome, Service } from './service.ts'

/** How many related records a page lists. */
const relatedRecordsMax = 10

/**
 * `search` is the one that led to the record; without filters if there was none. `readLinkCheck` tells which of the
 * links could not be opened at the last check.
 */
export async function loadRecord(
  service: Service,
  code: string,
  search: Search,
  readLinkCheck: PageRequest['readLinkCheck'],
): Promise<Outcome<RecordView>> {
  const [loaded, { passages, isTermMissing }] = await Promise.all([
    loadOne(service, { code }, ['cod_archivo', 'place', 'documents']),
    loadPassages(service, code, search.words),
  ])
  if (loaded.kind !== 'found') return loaded
  const [record] = loaded.value.records
  // A result that is not empty has a record; only the type asks for this case.
  if (record === undefined) return { kind: 'empty', code: 'unknown-record', parameter: null, suggestions: [] }
  const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '')
  const [related, check] = await Promise.all([
    findRelatedRecords(service, record),
    links.length === 0 ? null : readLinkCheck(links),
  ])
  const hasDeadLinks = check !== null && check.dead.length > 0
  const linkCheck = hasDeadLinks ? { checkedAt: check.checkedAt.toISOString(), dead: check.dead } : null
  const view: RecordView = {
    kind: 'record',
    record,
    search,
    passages: sortPassages(passages, search.words),
    isTermMissing,
    spanishReasons: translateReasons(record),
    ...related,
    linkCheck,
  }
  return { kind: 'found', value: view }
}

/** At most one record that matches the filters. */
function loadOne(service: Service, filters: SearchFilters, include: IncludeName[]): Promise<Outcome<Page>> {
  return service.call((client, options) => client.page(filters, { ...options, limit: 1, include }))
}

interface LoadedPassages {
  readonly passages: readonly WirePassage[]
  /** Whether the record does not match the words; false if that is not known. */
  readonly isTermMissing: boolean
}

/** Loads the passages with the words. The request finds the record only if the words match it. */
async function loadPassages(service: Service, code: string, words: string): Promise<LoadedPassages> {
  if (words.trim() === '') return { passages: [], isTermMissing: false }
  const filters = { code, search: words }
  const withPassages = await loadOne(service, filters, ['passages'])
  // A registry that was imported without passages refuses them.
  const isRefused = withPassages.kind === 'refused' && withPassages.parameter === 'include'
  const outcome = isRefused ? await loadOne(service, filters, []) : withPassages
  // A search for the code finds the record by its code, which need not be in its text.
  const isCode = words.trim().toLowerCase() === code.toLowerCase()
  return {
    passages: outcome.kind === 'found' ? (outcome.value.records[0]?.passages ?? []) : [],
    isTermMissing: outcome.kind === 'empty' && !isCode,
  }
}

/** Why documents of the record, or parts of them, could not be read: in Spanish, by the reason in English. */
function translateReasons({ documents = [] }: ClientRecord): Record<string, string> {
  const reasons = documents.flatMap(({ reason }) => reason ?? [])
  return Object.fromEntries(reasons.map((reason) => [reason, toSpanishReason(reason)]))
}

/**
 * The passages with the most words of the search first: a long document may have a frequent word on every page. Those
 * with equally many words stay in reading order, in which the service returns them.
 */
function sortPassages(passages: readonly WirePassage[], words: string): WirePassage[] {
  return passages
    .map((passage) => {
      const { text, marks } = passage
      const markedText = marks.map(([start, end]) => text.slice(start, end)).join(' ')
      return { passage, foundCount: countFoundClauses(markedText, words) }
    })
    .sort((a, b) => b.foundCount - a.foundCount)
    .map(({ passage }) => passage)
}

/**
 * The other records of the municipality whose titles name a plan or sector of the record, newest first, each with that
 * name. If there are more than `relatedRecordsMax`, those with the most specific names are kept (`findPlanNames`
 * returns these first), because many records name the general plan. `relatedSearches` find the rest.
 */
async function findRelatedRecords(
  service: Service,
  record: ClientRecord,
): Promise<Pick<RecordView, 'relatedRecords' | 'relatedSearches'>> {
  /** By inscription code. */
  const relatedRecords = new Map<string, RelatedRecord>()
  const relatedSearches: RelatedSearch[] = []
  const municipality = record.place?.ine_code ?? record.municipality
  for (const name of findPlanNames(record.title, record.area)) {
    const term = toPlanTerm(name)
    const search = { ...unfiltered, municipality, words: term }
    if (relatedRecords.size >= relatedRecordsMax) {
      relatedSearches.push({ name, search })
      continue
    }
    // One of the found records may be `record` itself, which is not listed.
    const limit = relatedRecordsMax + 1
    const outcome = await service.call((client, options) =>
      client.page(toFilters(search), { ...options, limit, include: ['cod_archivo'] }),
    )
    if (outcome.kind !== 'found') continue
    for (const other of outcome.value.records) {
      const code = other.cod_archivo ?? ''
      // The search also finds the name in documents, but many documents name a plan that they do not change.
      const isInTitle = hasWordsTogether(other.title, term)
      const isShownAlready = code === record.cod_archivo || relatedRecords.has(code)
      if (isInTitle && !isShownAlready) {
        relatedRecords.set(code, { code, title: other.title, checkinDate: other.checkin_date, name })
      }
    }
    const hasMore = outcome.value.cursor !== null || relatedRecords.size > relatedRecordsMax
    if (hasMore) relatedSearches.push({ name, search })
  }
  const listed = [...relatedRecords.values()]
    .slice(0, relatedRecordsMax)
    .sort((a, b) => b.checkinDate.localeCompare(a.checkinDate))
  return { relatedRecords: listed, relatedSearches }
}
