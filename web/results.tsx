// The search result: a heading with the count, the list of records and the control that loads more, or the reason why
// there is nothing to show.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describeFilters } from './describe-search.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { useLocale } from './locale-context.ts'
import { NoResults } from './no-results.tsx'
import { RecordEntry } from './record-entry.tsx'
import { isUnfiltered, type Search } from './search-url.ts'
import type { YearCount } from './service.ts'
import type { RecordsResult, SearchResult } from './use-search.ts'

export interface ResultsProps {
  readonly result: SearchResult | null
  readonly isLoading: boolean
  readonly isSlow: boolean
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
  readonly onMore: () => void
  readonly onRetry: () => void
}

export function Results(props: ResultsProps): JSX.Element {
  const { result, isLoading, isSlow, onRetry } = props
  const { strings } = useLocale()
  return (
    <div aria-busy={isLoading}>
      <Announcement result={result} isLoading={isLoading} />
      {isSlow && (
        <p class="notice slow" role="status">
          {strings.slow}
        </p>
      )}
      {result === null && <Skeleton />}
      {result?.kind === 'failure' && <FailureNotice failure={result.failure} onRetry={onRetry} />}
      {result?.kind === 'empty' && <NoResults result={result} byYear={props.byYear} onChoose={props.onChoose} />}
      {result?.kind === 'records' && <Records {...props} result={result} />}
    </div>
  )
}

type RecordsProps = Pick<ResultsProps, 'isLoading' | 'onChoose' | 'onMore'> & { readonly result: RecordsResult }

function Records({ result, isLoading, onChoose, onMore }: RecordsProps): JSX.Element {
  const { strings } = useLocale()
  const { search, records, recordByCode, prefix, total } = result
  return (
    <div class={isLoading ? 'stale' : undefined}>
      <div class="results-head">
        <ResultsHeading result={result} />
        {records.length > 0 && <DownloadButtons search={search} total={total} />}
      </div>
      {prefix !== null && <p class="hint prefix-note">{strings.prefixNote(prefix)}</p>}
      {recordByCode !== null && (
        <>
          <h3 class="group">{strings.recordByCode}</h3>
          <ol class="records">
            <RecordEntry record={recordByCode} words="" onChoose={onChoose} />
          </ol>
          {records.length > 0 && <h3 class="group">{strings.recordsByWords}</h3>}
        </>
      )}
      {records.length > 0 && (
        <ol class="records">
          {records.map((record, index) => (
            <RecordEntry key={`${record.id}/${index}`} record={record} words={search.words} onChoose={onChoose} />
          ))}
        </ol>
      )}
      <LoadMore result={result} onMore={onMore} />
    </div>
  )
}

function ResultsHeading({ result }: { readonly result: RecordsResult }): JSX.Element {
  const locale = useLocale()
  const { total, search, prefix } = result
  if (isUnfiltered(search)) return <h2 id="results-heading">{locale.strings.newest}</h2>
  const words = prefix === null ? search.words : search.words.replace(/\*$/, '…')
  return (
    <h2 id="results-heading">
      {total === null ? locale.strings.uncountedRecords : <strong>{locale.formatRecordCount(total)}</strong>}{' '}
      {describeFilters({ ...search, words }, locale)}
    </h2>
  )
}

/** Scrolling loads this many pages; then only the button does, so that the user can reach the footer. */
const automaticPagesMax = 3

interface LoadMoreProps {
  readonly result: RecordsResult
  readonly onMore: () => void
}

function LoadMore({ result, onMore }: LoadMoreProps): JSX.Element | null {
  const { strings, formatRecordCount } = useLocale()
  const button = useRef<HTMLButtonElement>(null)
  const [automaticPages, setAutomaticPages] = useState(0)
  const { nextPage, search, records } = result

  useEffect(() => setAutomaticPages(0), [search])
  useEffect(() => {
    if (nextPage !== 'ready' || automaticPages >= automaticPagesMax || button.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      setAutomaticPages(automaticPages + 1)
      onMore()
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [nextPage, automaticPages, onMore])

  if (typeof nextPage === 'object') return <FailureNotice failure={nextPage} onRetry={onMore} isBelowResults />
  if (nextPage === 'none') {
    return <p class="more all">{strings.endOfList(formatRecordCount(Math.max(records.length, 1)))}</p>
  }
  return (
    <p class="more">
      <button type="button" class="secondary" ref={button} onClick={onMore} aria-disabled={nextPage === 'loading'}>
        {nextPage === 'loading' ? strings.loadingMore : strings.more}
      </button>
    </p>
  )
}

/** Tells a screen reader the outcome of the search without reading the whole list. */
function Announcement({ result, isLoading }: Pick<ResultsProps, 'result' | 'isLoading'>): JSX.Element {
  const { strings, formatRecordCount } = useLocale()
  let text = ''
  if (isLoading) text = strings.searching
  else if (result?.kind === 'empty') text = strings.emptyHeading
  else if (result?.kind === 'records' && result.total !== null) text = formatRecordCount(result.total)
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  )
}

/** Grey placeholders until the first result arrives. */
function Skeleton(): JSX.Element {
  const { strings } = useLocale()
  return (
    <div class="skeleton">
      <h2 id="results-heading">{strings.searching}</h2>
      <ol class="records" aria-hidden="true">
        {Array.from({ length: 6 }, (_, index) => (
          <li class="record" key={index}>
            <span class="placeholder wide" />
            <span class="placeholder" />
            <span class="placeholder short" />
          </li>
        ))}
      </ol>
    </div>
  )
}
