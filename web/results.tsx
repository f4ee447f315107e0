// The search result: a heading with the count, the list of records and the link to its next page, or the reason why
// there is nothing to show.

import type { PageRecord } from '../src/api/page-renderer.ts'
import { describeFilters } from './describe-search.ts'
import { FailureNotice } from './failure-notice.tsx'
import type { JSX } from './jsx-runtime.ts'
import { recordsPerPage } from './load-search.ts'
import type { Locale } from './locale.ts'
import { type PlaceCount, toProvinceName } from './map-counts.ts'
import { NoResults, toEmptyHeading } from './no-results.tsx'
import type { SearchView } from './page-data.ts'
import { RecordEntry } from './record-entry.tsx'
import { type RecordsResult, type SearchResult, toShownTotal } from './search-result.ts'
import { isUnfiltered, type Search, toFeedPath, toFilters, withQuery } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'
import type { Strings } from './strings.ts'
import { ApiRequest, Download, Follow, Tools, toRecordPath } from './tools.tsx'

export interface ResultsProps {
  readonly view: SearchView
  /** The search of the view, with its municipality as sentences name it: `A Coruña` for `Coruña, A` or `15030`. */
  readonly describedSearch: Search
  /** The address of the page, relative to the base URL. */
  readonly address: string
}

export function Results(props: ResultsProps): JSX.Element {
  const { result } = props.view
  const { strings } = useLocale()
  const urls = useUrls()
  if (result.kind === 'failure') {
    const { failure } = result
    const isCursorRefused = failure.kind === 'refused' && failure.problem.parameter === 'cursor'
    return (
      <>
        <FailureNotice failure={failure} href={result.address} />
        {isCursorRefused && (
          <p class="more">
            <a href={urls.search(result.search)}>{strings.firstPage}</a>
          </p>
        )}
      </>
    )
  }
  // Whether the words are an inscription code, and only the record with this code was found.
  const isOnlyByCode = result.kind === 'records' && result.recordByCode !== null && result.records.length === 0
  const { search } = result
  const requestPath = isOnlyByCode
    ? toRecordPath(search.words)
    : withQuery('record', { ...toFilters(search), limit: recordsPerPage })
  return (
    <>
      {result.kind === 'empty' ? (
        <NoResults result={result} hasOffers={props.view.offers.length > 0} />
      ) : (
        <Records {...props} result={result} />
      )}
      <Tools>
        {/* The downloads contain the records that match the words. A record found by its code may not match them. */}
        {result.kind === 'records' && result.records.length > 0 && (
          <Download search={search} describedSearch={props.describedSearch} total={result.total} />
        )}
        <Follow label={isUnfiltered(search) ? strings.followAll : strings.followSearch} path={toFeedPath(search)} />
        <ApiRequest path={requestPath} />
      </Tools>
    </>
  )
}

/** What a screen reader says of the outcome, so that it need not read the list. A failure has its own alert. */
export function toAnnouncement(result: SearchResult, { strings, formatRecordCount }: Locale): string {
  if (result.kind === 'failure') return ''
  if (result.kind === 'empty') return toEmptyHeading(result.problem, strings)
  const total = toShownTotal(result)
  return total === null ? strings.recordsWithoutCount : formatRecordCount(total)
}

function Records({ view, describedSearch, result, address }: ResultsProps & { readonly result: RecordsResult }) {
  const { strings } = useLocale()
  const urls = useUrls()
  const { search, records, recordByCode, prefix } = result
  const hasCharts = view.counts !== null && view.counts.byYear.length > 0
  return (
    <>
      <div class="results-head">
        <ResultsHeading result={result} describedSearch={describedSearch} />
        {/* On a narrow screen the charts follow the list. */}
        {hasCharts && (
          <a class="to-charts" href={`${address}#charts`}>
            {strings.charts}
          </a>
        )}
      </div>
      {/* If no record has the last word, it was searched as a prefix, and the page says so. */}
      {prefix !== null && <p class="hint prefix-note">{strings.prefixNote(prefix)}</p>}
      <Namesakes search={search} municipalities={view.counts?.places?.chosen ?? []} />
      {view.cursor !== null && (
        <p class="hint">
          {strings.continued} <a href={urls.search(search)}>{strings.firstPage}</a>
        </p>
      )}
      {recordByCode !== null && (
        <>
          <h3 class="group-heading">{strings.recordByCode}</h3>
          <ol class="records">
            <RecordEntry record={recordByCode} search={search} />
          </ol>
          {records.length > 0 && <h3 class="group-heading">{strings.recordsByWords}</h3>}
        </>
      )}
      <RecordGroups result={result} />
      <NextPage result={result} isContinued={view.cursor !== null} />
    </>
  )
}

/**
 * The records found by their title, then the others: the service lists them in this order. Without words, all records
 * are one list without a heading. The script adds the groups of the next page to those with the same name.
 */
function RecordGroups({ result }: { readonly result: RecordsResult }): JSX.Element {
  const { strings } = useLocale()
  const { search, records, inTitle } = result
  const hasWords = search.words !== ''
  const others = records.slice(hasWords ? inTitle : 0)
  const groups = [
    { name: 'title', heading: strings.inTitle, records: records.slice(0, hasWords ? inTitle : 0) },
    { name: 'others', heading: hasWords ? toOthersHeading(others, strings) : '', records: others },
  ].filter((group) => group.records.length > 0)
  return (
    <div id="list">
      {groups.map((group) => (
        <div key={group.name} data-group={group.name}>
          {group.heading !== '' && <h3 class="group-heading">{group.heading}</h3>}
          <ol class="records">
            {group.records.map((record, index) => (
              // The import does not check that ids are unique, so the key also has the index.
              <RecordEntry key={`${record.id}/${index}`} record={record} search={search} />
            ))}
          </ol>
        </div>
      ))}
    </div>
  )
}

/** Where the words were found, if not in the title: the passages tell. */
function toOthersHeading(records: readonly PageRecord[], strings: Strings): string {
  const isFromDocument = ({ passages = [] }: PageRecord): boolean => passages.some(({ document }) => document !== null)
  if (records.every(isFromDocument)) return strings.inDocuments
  return records.some(isFromDocument) ? strings.inOtherDataOrDocuments : strings.inOtherData
}

interface NamesakesProps {
  readonly search: Search
  /** The municipalities that the search is limited to; several if they share the name. Some may have 0 records. */
  readonly municipalities: readonly PlaceCount[]
}

/**
 * Says that several municipalities have the name in the search, and links to each. Municipalities without records in
 * the chosen years are left out. So are municipalities without an INE code: a link selects one by its province, which
 * is unknown. Null if fewer than two municipalities are left.
 */
function Namesakes({ search, municipalities }: NamesakesProps): JSX.Element | null {
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
        {selectable.map(({ code, name, records }) => (
          <li key={code}>
            {/* The search has the name already, so adding the province is enough. */}
            <a href={urls.search({ ...search, province: code.slice(0, 2) })}>
              {toDistinctName(name, code)} · {formatNumber(records)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The name with its province: `Sada (Navarra)`. It replaces brackets that the name has at its end. */
function toDistinctName(name: string, code: string): string {
  return `${name.replace(/\s*\([^()]*\)$/, '')} (${toProvinceName(code)})`
}

function ResultsHeading({
  result,
  describedSearch,
}: Pick<ResultsProps, 'describedSearch'> & { result: RecordsResult }) {
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

/** The link to the next page; after the last page, a line says that the list ends. */
function NextPage({ result, isContinued }: { readonly result: RecordsResult; readonly isContinued: boolean }) {
  const { strings, formatRecordCount } = useLocale()
  const urls = useUrls()
  const { search, records, cursor, hasFoundOnlyByCode } = result
  if (cursor === null) {
    const shownCount = records.length + (hasFoundOnlyByCode ? 1 : 0)
    // A continued list lacks the records before its cursor, so its end names the total.
    const endCount = isContinued ? (toShownTotal(result) ?? shownCount) : shownCount
    return (
      <p class="more all" id="more">
        {strings.endOfList(formatRecordCount(endCount))}
      </p>
    )
  }
  return (
    <p class="more" id="more">
      <a class="button secondary" href={urls.search(search, { cursor })} rel="next">
        {strings.more}
      </a>
    </p>
  )
}
