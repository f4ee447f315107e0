// From a search to what the page shows of it: the first page, more on request, the counts by year. A newer search
// cancels the one under way; what was found before stays on screen until the new answer is there.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WireRecord } from '../src/domain/record.ts'
import { type Page, readPages } from './result-pages.ts'
import { type Search, toServiceQuery, type YearRange } from './search-url.ts'
import {
  ask,
  askPatiently,
  type Failure,
  type Outcome,
  type Problem,
  type RecordsBody,
  type WireSummary,
  type YearCount,
} from './service.ts'

export type Answer =
  | {
      readonly kind: 'records'
      /** As it was asked: the words may have got an asterisk. */
      readonly search: Search
      /** The beginning that the last word was taken for, because no record holds it whole. */
      readonly beginning: string | null
      readonly records: readonly WireRecord[]
      readonly total: number | null
      readonly more: 'none' | 'ready' | 'loading' | Failure
      /** Found by its inscription code. */
      readonly exact: WireRecord | null
    }
  | { readonly kind: 'empty'; readonly search: Search; readonly problem: Problem }
  | { readonly kind: 'failure'; readonly search: Search; readonly failure: Failure }

export interface SearchState {
  readonly answer: Answer | null
  readonly busy: boolean
  readonly slow: boolean
  /** Counts may come later than records; until then those of the search before stand. */
  readonly counted: Counted | null
}

export interface Counted {
  readonly search: Search
  /** Of the search without its years, so that the chart shows what other years hold; null where nothing was found. */
  readonly summary: WireSummary | null
}

const slowMs = 4000
/** Counts that come this soon are shown together with the records; for slower ones nobody waits. */
const countingMs = 150

export function useSearch(search: Search): SearchState & { readonly loadMore: () => void; readonly retry: () => void } {
  const [state, setState] = useState<SearchState>({ answer: null, busy: true, slow: false, counted: null })
  const [attempt, setAttempt] = useState(0)
  const pages = useRef<AsyncGenerator<Outcome<Page>, void> | null>(null)
  const isLoading = useRef(false)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    const cancel = new AbortController()
    const show = (change: (before: SearchState) => SearchState): void => {
      if (!cancel.signal.aborted) setState(change)
    }
    show((before) => ({ ...before, busy: true, slow: false }))
    const slow = setTimeout(() => show((before) => ({ ...before, slow: true })), slowMs)
    findFirst(search, cancel.signal).then(async ({ answer, counting, rest }) => {
      const counted = counting.then((summary) => ({ search: answer?.search ?? search, summary }))
      await Promise.race([counted, new Promise((resolve) => setTimeout(resolve, countingMs))])
      clearTimeout(slow)
      if (cancel.signal.aborted) return
      pages.current = rest
      isLoading.current = false
      show((before) => ({ ...before, answer, busy: false, slow: false }))
      const counts = await counted
      show((before) => withCounts(before, counts))
    })
    return () => {
      clearTimeout(slow)
      cancel.abort()
    }
  }, [search, attempt])

  const loadMore = useCallback(() => {
    const rest = pages.current
    if (rest === null || isLoading.current) return
    isLoading.current = true
    setState((before) => withMore(before, { more: 'loading' }))
    rest.next().then(({ value }) => {
      if (value === undefined || pages.current !== rest || value.kind === 'cancelled') return
      isLoading.current = false
      if (value.kind === 'found') {
        const { records, last } = value.value
        setState((before) => withMore(before, { records, more: last ? 'none' : 'ready' }))
      } else {
        setState((before) => withMore(before, { more: value.kind === 'empty' ? 'none' : value }))
      }
    })
  }, [])

  return { ...state, loadMore, retry }
}

interface First {
  readonly answer: Answer | null
  readonly counting: Promise<WireSummary | null>
  readonly rest: AsyncGenerator<Outcome<Page>, void> | null
}

/** Asks for the words as they are and, where no record holds them, for words that begin like the last one. */
async function findFirst(search: Search, signal: AbortSignal): Promise<First> {
  const [first, exact] = await Promise.all([findAsAsked(search, signal), findByCode(search, signal)])
  const isForWordsEmpty = first.answer?.kind === 'empty' && first.answer.problem.code !== 'unknown-municipality'
  const beginning = isForWordsEmpty ? unfinishedWord(search.words) : null
  if (beginning !== null && exact === null) {
    const asked = { ...search, words: `${search.words.trim()}*` }
    const second = await findAsAsked(asked, signal)
    if (second.answer?.kind === 'records') return { ...second, answer: { ...second.answer, beginning } }
  }
  if (exact === null) return first
  if (first.answer?.kind === 'records') return { ...first, answer: { ...first.answer, exact } }
  const answer: Answer = { kind: 'records', search, beginning: null, records: [], total: 1, more: 'none', exact }
  return { answer, counting: Promise.resolve(null), rest: null }
}

async function findAsAsked(search: Search, signal: AbortSignal): Promise<First> {
  const { years } = search
  const filters = toServiceQuery(search, null)
  const asking = askPatiently<WireSummary>(filters === '' ? 'summary' : `summary?${filters}`, signal)
  const counting = asking.then((counted) => (counted.kind === 'found' ? counted.value : null))
  let queries = [toServiceQuery(search, years === null ? null : years.from)]
  if (years !== null && years.from !== years.to) {
    const counted = await asking
    if (counted.kind !== 'found') return { answer: toAnswer(search, counted), counting, rest: null }
    queries = within(counted.value.by_year, years)
      .map(({ year }) => toServiceQuery(search, year))
      .toReversed()
  }
  const rest = readPages(queries, signal)
  const { value: outcome = noneInYears } = await rest.next()
  if (outcome.kind !== 'found') return { answer: toAnswer(search, outcome), counting, rest: null }
  const { records, last } = outcome.value
  const more = last ? 'none' : 'ready'
  return {
    answer: { kind: 'records', search, beginning: null, records, total: null, more, exact: null },
    counting,
    rest,
  }
}

/** Someone may hold the inscription code of a record and nothing else. */
async function findByCode(search: Search, signal: AbortSignal): Promise<WireRecord | null> {
  const words = search.words.trim()
  if (!/^[\p{L}\p{N}._/-]+-\d+$/u.test(words)) return null
  const query = toServiceQuery(
    { ...search, words: '' },
    search.years?.from === search.years?.to ? (search.years?.from ?? null) : null,
  )
  const outcome = await ask<RecordsBody>(
    `record/${encodeURIComponent(words)}${query === '' ? '' : `?${query}`}`,
    signal,
  )
  return outcome.kind === 'found' ? (outcome.value.resultadoBusqueda[0] ?? null) : null
}

/** The last word of the term, where a prefix can stand for it (three letters or more, no quotes, no asterisk). */
function unfinishedWord(words: string): string | null {
  const [last] = /[\p{L}\p{N}]{3,}$/u.exec(words.trim()) ?? []
  return last === undefined || /["“”«»*]/.test(words) ? null : last
}

const noneInYears: Outcome<Page> = { kind: 'empty', problem: { code: 'no-match', detail: '', suggestions: [] } }

function within(byYear: readonly YearCount[], years: YearRange | null): readonly YearCount[] {
  return years === null ? byYear : byYear.filter(({ year }) => year >= years.from && year <= years.to)
}

function toAnswer(search: Search, outcome: Exclude<Outcome<unknown>, { kind: 'found' }>): Answer | null {
  switch (outcome.kind) {
    case 'cancelled':
      return null
    case 'empty':
      return { kind: 'empty', search, problem: outcome.problem }
    default:
      return { kind: 'failure', search, failure: outcome }
  }
}

function withCounts(before: SearchState, counted: Counted): SearchState {
  const { answer } = before
  const { summary } = counted
  if (answer?.kind !== 'records' || summary === null) return { ...before, counted }
  const total = within(summary.by_year, answer.search.years).reduce((sum, year) => sum + year.records, 0)
  return { ...before, counted, answer: { ...answer, total } }
}

function withMore(
  before: SearchState,
  change: { readonly records?: readonly WireRecord[]; readonly more: 'none' | 'ready' | 'loading' | Failure },
): SearchState {
  if (before.answer?.kind !== 'records') return before
  const records = [...before.answer.records, ...(change.records ?? [])]
  return { ...before, answer: { ...before.answer, records, more: change.more } }
}
