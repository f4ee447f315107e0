// The search result: a heading with the count, the list of records and the control that loads more, or the reason why
// there is nothing to show.
import { Fragment, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { DeferredPart } from './deferred-part.tsx'
import { describeFilters } from './describe-search.ts'
import { DownloadLinks } from './download-links.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { FilterLink, onPlainClick } from './filter-link.tsx'
import { hasAllWords } from './highlight.ts'
import { type PlaceCount, toProvinceName } from './map-counts.ts'
import { NoResults, toEmptyHeading } from './no-results.tsx'
import { toProvinceCode } from './province-code.ts'
import { RecordEntry } from './record-entry.tsx'
import {
  countFoundOnlyByCode,
  type RecordsResult,
  type SearchCounts,
  type SearchResult,
  toShownTotal,
  withMunicipalityName,
} from './search-result.ts'
import { isSameSearch, isUnfiltered, type Search } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'
import type { NextPage } from './use-search.ts'

export interface ResultsProps {
  /** Null if the search was aborted before it had a result. */
  readonly result: SearchResult | null
  readonly isLoading: boolean
  /** Whether the search takes longer than usual, which the page then says. */
  readonly isSlow: boolean
  readonly nextPage: NextPage
  /** Whether the list begins after the first record of the result, because the address has a cursor. */
  readonly isContinued: boolean
  /** They may be those of an earlier search; null if nothing was counted. */
  readonly counts: SearchCounts | null
  /** Called with what a link changes in the search. */
  readonly onChoose: (change: Partial<Search>) => void
  readonly onMore: () => void
  readonly onRetry: () => void
}

export function Results(props: ResultsProps): JSX.Element {
  const { result, isLoading, isSlow, onRetry } = props
  const { strings } = useLocale()
  const urls = useUrls()
  const isCursorRefused =
    result?.kind === 'failure' && result.failure.kind === 'refused' && result.failure.parameter === 'cursor'
  return (
    <div aria-busy={isLoading}>
      <Announcement result={result} isLoading={isLoading} />
      {isSlow && (
        <p class="notice slow" role="status">
          {strings.slow}
        </p>
      )}
      {result?.kind === 'failure' && (
        // The result has an address if the page that failed to load is no search, but for example that of a record.
        <FailureNotice failure={result.failure} href={result.address ?? urls.search(result.search)} onRetry={onRetry} />
      )}
      {isCursorRefused && (
        <p class="more">
          <a href={urls.search(result.search)}>{strings.firstPage}</a>
        </p>
      )}
      {result?.kind === 'empty' && <NoResults result={result} onChoose={props.onChoose} />}
      {result?.kind === 'records' && <Records {...props} result={result} />}
    </div>
  )
}

type RecordsProps = Omit<ResultsProps, 'result'> & { readonly result: RecordsResult }

function Records(props: RecordsProps): JSX.Element {
  const { result, isLoading, isContinued, nextPage, counts, onChoose, onMore } = props
  const { strings } = useLocale()
  const urls = useUrls()
  const { search, records, recordByCode, prefix, total } = result
  const describedSearch = withMunicipalityName(search, result, counts)
  return (
    <div class={isLoading ? 'stale' : undefined}>
      <div class="results-head">
        <ResultsHeading result={result} describedSearch={describedSearch} />
        {/* The downloads contain the records that match the words. `recordByCode`, whose code the user has typed, may
            not match them: if it is the only record of the page, there is nothing to download. */}
        {records.length > 0 && <DownloadLinks search={search} describedSearch={describedSearch} total={total} />}
      </div>
      {/* If no record has the last word, it was searched as a prefix, and the page says so. */}
      {prefix !== null && <p class="hint prefix-note">{strings.prefixNote(prefix)}</p>}
      {counts !== null && isSameSearch(counts.search, search) && (
        <Namesakes search={search} municipalities={counts.places?.chosen ?? []} onChoose={onChoose} />
      )}
      {isContinued && (
        <p class="hint">
          {strings.continued} <a href={urls.search(search)}>{strings.firstPage}</a>
        </p>
      )}
      {recordByCode !== null && (
        <>
          <h3 class="group">{strings.recordByCode}</h3>
          <ol class="records">
            <RecordEntry record={recordByCode} search={search} onChoose={onChoose} />
          </ol>
          {records.length > 0 && <h3 class="group">{strings.recordsByWords}</h3>}
        </>
      )}
      <RecordGroups result={result} onChoose={onChoose} />
      <LoadMore result={result} isLoading={isLoading} isContinued={isContinued} nextPage={nextPage} onMore={onMore} />
    </div>
  )
}

/**
 * The records found by their title, then those found in their documents. The service lists them in this order. Without
 * words, all records are one list without a heading.
 */
function RecordGroups({ result, onChoose }: Pick<RecordsProps, 'result' | 'onChoose'>): JSX.Element {
  const { strings } = useLocale()
  const { search, records } = result
  const hasWords = search.words.trim() !== ''
  // The index of the first record whose title does not have all words, so that it was found in documents; -1 for none.
  const documentsStart = hasWords ? records.findIndex(({ title }) => !hasAllWords(title, search.words)) : -1
  const inTitle = documentsStart < 0 ? records : records.slice(0, documentsStart)
  const inDocuments = documentsStart < 0 ? [] : records.slice(documentsStart)
  const groups = [
    { heading: strings.inTitle, records: inTitle },
    { heading: strings.inDocuments, records: inDocuments },
  ].filter((group) => group.records.length > 0)
  return (
    <>
      {groups.map((group) => (
        <Fragment key={group.heading}>
          {hasWords && <h3 class="group">{group.heading}</h3>}
          <ol class="records">
            {group.records.map((record, index) => (
              // The server renders each entry after the rest of the page (deferred-part.tsx). The import does not check
              // that ids are unique, so the key also has the index.
              <DeferredPart key={`${record.id}/${index}`}>
                <RecordEntry record={record} search={search} onChoose={onChoose} />
              </DeferredPart>
            ))}
          </ol>
        </Fragment>
      ))}
    </>
  )
}

interface NamesakesProps extends Pick<ResultsProps, 'onChoose'> {
  readonly search: Search
  /** The municipalities that the search is limited to; several if they share the name. Some may have 0 records. */
  readonly municipalities: readonly PlaceCount[]
}

/**
 * Says that several municipalities have the name in the search, and links to each. Municipalities without records in
 * the chosen years are left out. So are municipalities without an INE code: a link selects one by its province, which
 * is unknown. Null if fewer than two municipalities are left.
 */
function Namesakes({ search, municipalities, onChoose }: NamesakesProps): JSX.Element | null {
  const { strings, formatNumber } = useLocale()
  const urls = useUrls()
  const selectable = municipalities.flatMap(({ code, name, records }) =>
    code === null || records === 0 ? [] : [{ code, name, records }],
  )
  if (selectable.length < 2) return null
  return (
    <div class="notice namesakes">
      <p>{strings.namesakes(formatNumber(selectable.length))}</p>
      <ul class="suggestions">
        {selectable.map(({ code, name, records }) => {
          // The search has the name already, so adding the province is enough.
          const change = { province: toProvinceCode(code) }
          return (
            <li key={code}>
              <FilterLink href={urls.search({ ...search, ...change })} onFollow={() => onChoose(change)}>
                {toDistinctName(name, code)} · {formatNumber(records)}
              </FilterLink>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The name with its province: `Sada (Navarra)`. It replaces brackets that the name has at its end. */
function toDistinctName(name: string, code: string): string {
  return `${name.replace(/\s*\([^()]*\)$/, '')} (${toProvinceName(code)})`
}

interface ResultsHeadingProps {
  readonly result: RecordsResult
  /** The search of the result, with its municipality as sentences name it: `A Coruña` for `Coruña, A` or `15030`. */
  readonly describedSearch: Search
}

function ResultsHeading({ result, describedSearch }: ResultsHeadingProps): JSX.Element {
  const locale = useLocale()
  const { search, prefix } = result
  const total = toShownTotal(result)
  if (isUnfiltered(search)) return <h2 id="results-heading">{locale.strings.newest}</h2>
  // If `prefix` is set, the words end in an asterisk that the page has added, so `urbaniz*` is shown as `urbaniz…`.
  const words = prefix === null ? search.words : search.words.replace(/\*$/, '…')
  return (
    <h2 id="results-heading">
      {total === null ? locale.strings.recordsWithoutCount : <strong>{locale.formatRecordCount(total)}</strong>}{' '}
      {describeFilters({ ...describedSearch, words }, locale)}
    </h2>
  )
}

/**
 * Scrolling loads at most this many further pages. After them only a click loads more, so the footer can be reached.
 */
const automaticPagesMax = 3

type LoadMoreProps = Pick<RecordsProps, 'result' | 'isLoading' | 'isContinued' | 'nextPage' | 'onMore'>

/**
 * The link to the next page of the result. Scrolling to the link loads that page too, up to `automaticPagesMax` times.
 * If the page could not be loaded, a notice replaces the link; after the last page, a line says that the list ends.
 */
function LoadMore({ result, isLoading, isContinued, nextPage, onMore }: LoadMoreProps): JSX.Element {
  const { strings, formatRecordCount } = useLocale()
  const urls = useUrls()
  const link = useRef<HTMLAnchorElement>(null)
  /** How many pages scrolling has loaded. */
  const [automaticPages, setAutomaticPages] = useState(0)
  const { search, records, cursor } = result

  useEffect(() => setAutomaticPages(0), [search])
  useEffect(() => {
    // While a new search runs, no further page of the old result is loaded.
    const isAutomatic = nextPage === 'ready' && !isLoading && automaticPages < automaticPagesMax
    if (!isAutomatic || link.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      setAutomaticPages(automaticPages + 1)
      onMore()
    })
    observer.observe(link.current)
    return () => observer.disconnect()
  }, [nextPage, isLoading, automaticPages, onMore])

  if (cursor === null) {
    const shownCount = records.length + countFoundOnlyByCode(result)
    // A continued list lacks the records before its cursor, so its end names the total.
    const endCount = isContinued ? (toShownTotal(result) ?? shownCount) : shownCount
    return <p class="more all">{strings.endOfList(formatRecordCount(endCount))}</p>
  }
  const href = urls.search(search, { cursor })
  // `NextPage` is a string, or the failure as an object.
  const hasFailed = typeof nextPage === 'object'
  if (hasFailed) return <FailureNotice failure={nextPage} href={href} onRetry={onMore} isBelowResults />
  return (
    <p class="more">
      <a
        class="button secondary"
        ref={link}
        href={href}
        rel="next"
        aria-disabled={isLoading || nextPage === 'loading' ? 'true' : undefined}
        onClick={onPlainClick(onMore)}
      >
        {nextPage === 'loading' ? strings.loadingMore : strings.more}
      </a>
    </p>
  )
}

/** Tells a screen reader the outcome of the search without reading the whole list. A failure has its own alert. */
function Announcement({ result, isLoading }: Pick<ResultsProps, 'result' | 'isLoading'>): JSX.Element {
  const { strings, formatRecordCount } = useLocale()
  const total = result?.kind === 'records' ? toShownTotal(result) : null
  let text = ''
  if (isLoading) text = strings.searching
  else if (result?.kind === 'empty') text = toEmptyHeading(result.noMatch, strings)
  else if (total !== null) text = formatRecordCount(total)
  else if (result?.kind === 'records') text = strings.recordsWithoutCount
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  )
}
