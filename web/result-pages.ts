// Reads a search result page by page. The service filters by one year at a time, so a range of years is one search
// per year, newest first, whose records form one list.
import type { Page, PageOptions, SearchFilters, WireRecord } from '../src/client/client.ts'
import { callService, type Outcome } from './service.ts'

export interface ResultPage {
  readonly records: readonly WireRecord[]
  readonly isLast: boolean
}

export const recordsPerPage = 20

/**
 * Yields a page of records, or the failure of a request; the next call of `next` repeats the failed request. If nothing
 * matches at all, yields the reason and ends.
 */
export async function* readPages(
  searches: readonly SearchFilters[],
  signal: AbortSignal,
): AsyncGenerator<Outcome<ResultPage>, void> {
  // Records that are not yet yielded. The last pages of a search for one year may be short, so years are joined.
  let records: WireRecord[] = []
  let hasYielded = false
  for (const [index, filters] of searches.entries()) {
    let cursor: string | null = null
    let isSearchDone = false
    while (!isSearchDone) {
      const paging: PageOptions = { limit: recordsPerPage, cursor }
      const outcome: Outcome<Page> = await callService(
        (client, options) => client.page(filters, { ...options, ...paging }),
        signal,
      )
      if (outcome.kind === 'found') {
        records.push(...outcome.value.records)
        cursor = outcome.value.cursor
        isSearchDone = cursor === null
      } else if (outcome.kind === 'empty' && (hasYielded || searches.length > 1)) {
        // Other requests have found records: a new snapshot no longer has this part of the result.
        isSearchDone = true
      } else {
        yield outcome
        if (outcome.kind === 'empty' || outcome.kind === 'cancelled') return
        continue
      }
      const isLast = isSearchDone && index === searches.length - 1
      if (records.length >= recordsPerPage || isLast) {
        yield { kind: 'found', value: { records, isLast } }
        records = []
        hasYielded = true
      }
    }
  }
}
