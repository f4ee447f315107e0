// Loads what the page of a record shows: the record, its passages, its dead links, and the records of the same
// municipality whose titles name the same plan or sector.
import type { PageRequest } from '../src/api/page-renderer.ts'
import type { ClientRecord, IncludeName, Page } from '../src/client/client.ts'
import { toSpanishReason } from '../src/domain/spanish-reason.ts'
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
  const { words } = search
  /** Loads the record with the code. With `term`, it finds the record only if the term matches the record. */
  const load = (include: IncludeName[], term?: string): Promise<Outcome<Page>> => {
    const filters = { code, ...(term !== undefined && { search: term }) }
    return service.call((client, options) => client.page(filters, { ...options, limit: 1, include }))
  }
  // Passages take a second request, with the words. It finds nothing if the words do not match the record, and the page
  // is then shown without passages.
  const [loaded, withPassages] = await Promise.all([
    load(['cod_archivo', 'place', 'documents']),
    words.trim() === '' ? null : load(['passages'], words),
  ])
  if (loaded.kind !== 'found') return loaded
  const passages = withPassages?.kind === 'found' ? (withPassages.value.records[0]?.passages ?? []) : []
  // A registry that was imported without passages refuses them.
  const isRefused = withPassages?.kind === 'refused' && withPassages.parameter === 'include'
  const termOutcome = isRefused ? await load([], words) : withPassages
  // A search for the code finds the record by its code, which need not be in its text.
  const isTermMissing = termOutcome?.kind === 'empty' && words.trim().toLowerCase() !== code.toLowerCase()
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
  const shownPassages = sortPassages(passages, words)
  const view: RecordView = {
    kind: 'record',
    record,
    search,
    passages: shownPassages,
    isTermMissing,
    spanishReasons: translateReasons(record),
    ...related,
    linkCheck,
  }
  return { kind: 'found', value: view }
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
