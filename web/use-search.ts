// From a search to what the page shows of it: the first page, more on request, the counts by year. A newer search
// cancels the one under way; what was found before stays on screen until the new answer is there.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WireRecord } from '../src/record/record.ts'
import { type Search, toServiceQuery, type YearRange } from './address.ts'
import { type Page, readPages } from './pages.ts'
import {
  ask,
  type Outcome,
  type Problem,
  type RecordsBody,
  type SummaryBody,
  type Trouble,
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
      readonly more: 'none' | 'ready' | 'loading' | Trouble
      /** Found by its inscription code. */
      readonly exact: WireRecord | null
    }
  | { readonly kind: 'empty'; readonly search: Search; readonly problem: Problem }
  | { readonly kind: 'trouble'; readonly search: Search; readonly trouble: Trouble }

export interface SearchState {
  readonly answer: Answer | null
  readonly busy: boolean
  readonly slow: boolean
  /** Of the search without its years, so that the chart shows what other years hold. */
  readonly summary: SummaryBody | null
}

const slowMs = 4000

export function useSearch(search: Search): SearchState & { readonly loadMore: () => void; readonly retry: () => void } {
  const [state, setState] = useState<SearchState>({ answer: null, busy: true, slow: false, summary: null })
  const [attempt, setAttempt] = useState(0)
  const pages = useRef<AsyncGenerator<Outcome<Page>, void> | null>(null)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    const cancel = new AbortController()
    const show = (change: Partial<SearchState>): void => {
      if (!cancel.signal.aborted) setState((before) => ({ ...before, ...change }))
    }
    show({ busy: true, slow: false })
    const slow = setTimeout(() => show({ slow: true }), slowMs)
    findFirst(search, cancel.signal).then(({ answer, summary, rest }) => {
      clearTimeout(slow)
      pages.current = rest
      show({ answer, summary, busy: false, slow: false })
    })
    return () => {
      clearTimeout(slow)
      cancel.abort()
    }
  }, [search, attempt])

  const loadMore = useCallback(() => {
    const rest = pages.current
    if (rest === null) return
    setState((before) => withMore(before, { more: 'loading' }))
    rest.next().then(({ value }) => {
      if (value === undefined || pages.current !== rest || value.kind === 'cancelled') return
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
  readonly summary: SummaryBody | null
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
  return {
    answer: { kind: 'records', search, beginning: null, records: [], total: 1, more: 'none', exact },
    summary: null,
    rest: null,
  }
}

async function findAsAsked(search: Search, signal: AbortSignal): Promise<First> {
  const { years } = search
  const counting = ask<SummaryBody>(`summary?${toServiceQuery(search, null)}`, signal)
  let queries = [toServiceQuery(search, years === null ? null : years.from)]
  if (years !== null && years.from !== years.to) {
    const counted = await counting
    if (counted.kind !== 'found') return { answer: toAnswer(search, counted), summary: null, rest: null }
    queries = within(counted.value.by_year, years)
      .map(({ year }) => toServiceQuery(search, year))
      .toReversed()
  }
  const rest = readPages(queries, signal)
  const [page, counted] = await Promise.all([rest.next(), counting])
  const summary = counted.kind === 'found' ? counted.value : null
  const outcome = page.value ?? noneInYears
  if (outcome.kind !== 'found') return { answer: toAnswer(search, outcome), summary, rest: null }
  const { records, last } = outcome.value
  const total = summary === null ? null : within(summary.by_year, years).reduce((sum, year) => sum + year.records, 0)
  const more = last ? 'none' : 'ready'
  return { answer: { kind: 'records', search, beginning: null, records, total, more, exact: null }, summary, rest }
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
      return { kind: 'trouble', search, trouble: outcome }
  }
}

function withMore(
  before: SearchState,
  change: { readonly records?: readonly WireRecord[]; readonly more: 'none' | 'ready' | 'loading' | Trouble },
): SearchState {
  if (before.answer?.kind !== 'records') return before
  const records = [...before.answer.records, ...(change.records ?? [])]
  return { ...before, answer: { ...before.answer, records, more: change.more } }
}
