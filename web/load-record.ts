// Loads what the page of a record shows: the record, its passages, its dead links, and the records of the same
// municipality whose titles name the same plan or sector.
import type { PageRequest } from '../src/api/page-renderer.ts'
import type { ClientRecord, IncludeName, Page } from '../src/client/client.ts'
import { hasWordsTogether } from './highlight.ts'
import type { Amendment, RecordView } from './page-data.ts'
import { findPlanNames, toPlanTerm } from './plan-names.ts'
import { toFilters, unfiltered } from './search-url.ts'
import type { Outcome, Service } from './service.ts'

/** How many amendments a page lists. */
const amendmentsMax = 10

/** `words` are those of the search that led to the record; empty if there was none. */
export async function loadRecord(
  service: Service,
  code: string,
  words: string,
  readLinkCheck: PageRequest['readLinkCheck'],
): Promise<Outcome<RecordView>> {
  /** Loads the record with the code; with `search`, only if that term matches it. */
  const load = (include: IncludeName[], search?: string): Promise<Outcome<Page>> => {
    const filters = { code, ...(search !== undefined && { search }) }
    return service.call((client, options) => client.page(filters, { ...options, limit: 1, include }))
  }
  // Passages take a request of their own, because it finds nothing if the words do not match the record. The page can
  // do without them.
  const [loaded, withPassages] = await Promise.all([
    load(['cod_archivo', 'place', 'documents']),
    words.trim() === '' ? null : load(['passages'], words),
  ])
  if (loaded.kind !== 'found') return loaded
  const passages = withPassages?.kind === 'found' ? (withPassages.value.records[0]?.passages ?? []) : []
  const [record] = loaded.value.records
  // A result that is not empty has a record; only the type asks for this case.
  if (record === undefined) return { kind: 'empty', code: 'unknown-record', parameter: null, suggestions: [] }
  const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '')
  const [amendments, check] = await Promise.all([
    findAmendments(service, record),
    links.length === 0 ? null : readLinkCheck(links),
  ])
  const hasDeadLinks = check !== null && check.dead.length > 0
  const linkCheck = hasDeadLinks ? { checkedAt: check.checkedAt.toISOString(), dead: check.dead } : null
  return { kind: 'found', value: { kind: 'record', record, words, passages, amendments, linkCheck } }
}

/**
 * The records of the same plan, newest first, each with the name of the plan that it shares with the record. If there
 * are more than `amendmentsMax`, those with the most specific names are kept, because many records name the general
 * plan.
 */
async function findAmendments(service: Service, record: ClientRecord): Promise<Amendment[]> {
  /** By inscription code. */
  const amendments = new Map<string, Amendment>()
  const municipality = record.place?.ine_code ?? record.municipality
  for (const name of findPlanNames(record.title, record.area)) {
    if (amendments.size >= amendmentsMax) break
    const term = toPlanTerm(name)
    const filters = toFilters({ ...unfiltered, municipality, words: term })
    // One of the found records may be this one itself, which is not listed.
    const limit = amendmentsMax + 1
    const outcome = await service.call((client, options) =>
      client.page(filters, { ...options, limit, include: ['cod_archivo'] }),
    )
    if (outcome.kind !== 'found') continue
    for (const other of outcome.value.records) {
      const code = other.cod_archivo ?? ''
      // The search also finds the name in documents, but many documents name a plan that they do not change.
      const isInTitle = hasWordsTogether(other.title, term)
      const isShownAlready = code === record.cod_archivo || amendments.has(code)
      if (isInTitle && !isShownAlready) {
        amendments.set(code, { code, title: other.title, checkinDate: other.checkin_date, name })
      }
    }
  }
  return [...amendments.values()].slice(0, amendmentsMax).sort((a, b) => b.checkinDate.localeCompare(a.checkinDate))
}
