// Reads a result page by page, following `Link`. The service filters by one year at a time, so a range of years is
// one query for each, newest first; the reader sees one list.
import type { WireRecord } from '../src/domain/record.ts'
import { ask, nextQuery, type Outcome, type RecordsBody } from './service.ts'

export interface Page {
  readonly records: readonly WireRecord[]
  /** Nothing follows. */
  readonly last: boolean
}

export const recordsPerPage = 20

/** Failure is handed out like a page; whoever asks for the next one after it has the same request sent again. */
export async function* readPages(queries: readonly string[], signal: AbortSignal): AsyncGenerator<Outcome<Page>, void> {
  let records: WireRecord[] = []
  let handedOut = false
  for (const [index, query] of queries.entries()) {
    let next: string | null = `${query}${query === '' ? '' : '&'}limit=${recordsPerPage}`
    while (next !== null) {
      const outcome: Outcome<RecordsBody> = await ask<RecordsBody>(`record?${next}`, signal)
      if (outcome.kind === 'found') {
        records.push(...outcome.value.resultadoBusqueda)
        next = nextQuery(outcome.headers)
      } else if (outcome.kind === 'empty' && (handedOut || queries.length > 1)) {
        // The registry was refreshed meanwhile and this part of the result is gone.
        next = null
      } else {
        yield outcome
        if (outcome.kind === 'empty' || outcome.kind === 'cancelled') return
        continue
      }
      const last: boolean = next === null && index === queries.length - 1
      if (records.length >= recordsPerPage || last) {
        yield { kind: 'found', value: { records, last }, headers: new Headers() }
        records = []
        handedOut = true
      }
    }
  }
}
