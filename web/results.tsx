// What was found, or why nothing was: the heading with the count, the list, and the way to more of it.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describeSearch } from './describe-search.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { useLocale } from './locale-context.ts'
import { NoResults } from './no-results.tsx'
import { RecordEntry } from './record-entry.tsx'
import { isUnfiltered, type Search } from './search-url.ts'
import type { YearCount } from './service.ts'
import type { Answer } from './use-search.ts'

export interface ResultsProps {
  readonly answer: Answer | null
  readonly search: Search
  readonly busy: boolean
  readonly slow: boolean
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
  readonly onMore: () => void
  readonly onRetry: () => void
}

export function Results(props: ResultsProps): JSX.Element {
  const { answer, busy, slow, onRetry } = props
  const { strings } = useLocale()
  return (
    <div aria-busy={busy}>
      <Announcement answer={answer} busy={busy} />
      {slow && (
        <p class="notice slow" role="status">
          {strings.slow}
        </p>
      )}
      {answer === null && <Skeleton />}
      {answer?.kind === 'failure' && <FailureNotice failure={answer.failure} onRetry={onRetry} />}
      {answer?.kind === 'empty' && <NoResults answer={answer} byYear={props.byYear} onChoose={props.onChoose} />}
      {answer?.kind === 'records' && <Found {...props} answer={answer} />}
    </div>
  )
}

type RecordsAnswer = Extract<Answer, { kind: 'records' }>

function Found({ answer, busy, onChoose, onMore }: ResultsProps & { readonly answer: RecordsAnswer }): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { search, records, exact, beginning, total } = answer
  const list = (
    <ol class="records">
      {records.map((record, index) => (
        <RecordEntry key={`${record.id}/${index}`} record={record} words={search.words} onChoose={onChoose} />
      ))}
    </ol>
  )
  return (
    <div class={busy ? 'stale' : undefined}>
      <div class="results-head">
        <ResultsHeading answer={answer} />
        {records.length > 0 && <DownloadButtons search={search} total={total} />}
      </div>
      {beginning !== null && <p class="hint prefix-note">{strings.beginning(beginning)}</p>}
      {exact !== null && (
        <>
          <h3 class="group">{strings.exact}</h3>
          <ol class="records">
            <RecordEntry record={exact} words="" onChoose={onChoose} />
          </ol>
          {records.length > 0 && <h3 class="group">{strings.alsoWords}</h3>}
        </>
      )}
      {records.length > 0 && list}
      <More answer={answer} onMore={onMore} />
    </div>
  )
}

function ResultsHeading({ answer }: { readonly answer: RecordsAnswer }): JSX.Element {
  const locale = useLocale()
  const { total, search, beginning } = answer
  if (isUnfiltered(search)) return <h2 id="results-heading">{locale.strings.newest}</h2>
  const words = beginning === null ? search.words : search.words.replace(/\*$/, '…')
  return (
    <h2 id="results-heading">
      {total !== null && <strong>{locale.formatRecordCount(total)}</strong>}{' '}
      {describeSearch({ ...search, words }, locale)}
    </h2>
  )
}

/** Results come by themselves this many times; then the reader asks, so that the foot of the page can be reached. */
const pagesUnasked = 3

function More({ answer, onMore }: { readonly answer: RecordsAnswer; readonly onMore: () => void }): JSX.Element | null {
  const { strings, formatNumber } = useLocale()
  const button = useRef<HTMLButtonElement>(null)
  const [unasked, setUnasked] = useState(0)
  const { more, search, records } = answer

  useEffect(() => setUnasked(0), [search])
  useEffect(() => {
    if (more !== 'ready' || unasked >= pagesUnasked || button.current === null) return
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watch.disconnect()
      setUnasked(unasked + 1)
      onMore()
    })
    watch.observe(button.current)
    return () => watch.disconnect()
  }, [more, unasked, onMore])

  if (typeof more === 'object') return <FailureNotice failure={more} onRetry={onMore} isBelowResults />
  if (more === 'none') {
    const count = Math.max(records.length, 1)
    return <p class="more all">{strings.allShown(count, formatNumber(count))}</p>
  }
  return (
    <p class="more">
      <button type="button" class="secondary" ref={button} onClick={onMore} aria-disabled={more === 'loading'}>
        {more === 'loading' ? strings.loadingMore : strings.more}
      </button>
    </p>
  )
}

/** Tells a screen reader what came of the search, without reading the list out. */
function Announcement({ answer, busy }: { readonly answer: Answer | null; readonly busy: boolean }): JSX.Element {
  const locale = useLocale()
  let text = ''
  if (busy) text = locale.strings.searching
  else if (answer?.kind === 'empty') text = locale.strings.emptyHeading
  else if (answer?.kind === 'records' && answer.total !== null) text = locale.formatRecordCount(answer.total)
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  )
}

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
