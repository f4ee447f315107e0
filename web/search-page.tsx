// The start page: the form, the result of the search in the URL, and the counts beside it.
import type { JSX, RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiRequest } from './api-request.tsx'
import { Charts } from './charts.tsx'
import { Examples } from './examples.tsx'
import { Intro } from './masthead.tsx'
import { OfferLinks } from './offer-links.tsx'
import type { SearchView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { Results } from './results.tsx'
import { ActiveFilters, SearchForm } from './search-form.tsx'
import { withMunicipalityName } from './search-result.ts'
import { isUnfiltered, type Search, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { useOffers } from './use-offers.ts'
import { useSearch } from './use-search.ts'
import { useSearchUrl } from './use-search-url.ts'
import { toSearchWindowTitle } from './window-title.ts'

export interface SearchPageProps {
  readonly view: SearchView
  readonly onSwitchLanguage: () => void
}

export function SearchPage({ view, onSwitchLanguage }: SearchPageProps): JSX.Element {
  const locale = useLocale()
  const site = useSite()
  const urls = useUrls()
  // `draft` is what the form contains, `search` the search that is run. `type` changes the draft, and after a pause the
  // search; `choose` changes both at once.
  const { draft, search, type, choose } = useSearchUrl(view.search)
  const { result, isLoading, isSlow, nextPage, isContinued, counts, loadMore, retry } = useSearch(
    search,
    view,
    site.registry?.provinces ?? [],
  )
  // Other readings of the typed words, which the page offers as links: for `plan Ávila`, the word `plan` in the
  // municipality Ávila.
  const offers = useOffers(draft, view.search, view.offers)
  const siteName = site.metadata.name ?? locale.strings.name
  const windowTitle = toSearchWindowTitle(withMunicipalityName(search, result, counts), locale, siteName)
  // The title of the window changes with the search and the language.
  useEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  const { resultsElement, chooseBesideResults } = useScrollToResults(choose)
  const rememberFocus = useLostFocus(resultsElement, [draft, isLoading, counts])

  const isCompact = !isUnfiltered(search)
  // `byYear` counts all years, so a search without results may have a chart: it offers the other years, and keeps the
  // focus of a user who has just chosen a year in it. Until the counts of a search arrive, those of the previous search
  // are kept.
  const hasCharts = counts !== null && counts.byYear.length > 0
  return (
    <PageFrame
      isCompact={isCompact}
      url={urls.search(search, isContinued && view.cursor !== null ? { cursor: view.cursor } : {})}
      onSwitchLanguage={onSwitchLanguage}
      onHome={() => choose(unfiltered)}
      skipTo="results"
      intro={<Intro isCompact={isCompact} />}
    >
      <main class="wrap" onFocusIn={rememberFocus}>
        <SearchForm draft={draft} byYear={counts?.byYear ?? null} onType={type} onLeave={choose} onChoose={choose} />
        <div class="under-form">
          {isUnfiltered(draft) ? <Examples onFollow={choose} /> : <ActiveFilters search={search} onChoose={choose} />}
          <OfferLinks search={draft} offers={offers} onChoose={choose} />
        </div>
        <div class="columns">
          <section class="results" id="results" aria-labelledby="results-heading" tabIndex={-1} ref={resultsElement}>
            <Results
              result={result}
              isLoading={isLoading}
              isSlow={isSlow}
              nextPage={nextPage}
              isContinued={isContinued}
              counts={counts}
              onChoose={chooseBesideResults}
              onMore={loadMore}
              onRetry={retry}
            />
            <ApiRequest result={result} search={search} />
          </section>
          {hasCharts && <Charts draft={draft} counts={counts} onChoose={chooseBesideResults} />}
        </div>
      </main>
    </PageFrame>
  )
}

interface ScrollToResults {
  /** For the element that begins with the heading of the results. */
  readonly resultsElement: RefObject<HTMLElement | null>
  /** Chooses a filter in the results or beside them, and then shows the heading of the results. */
  readonly chooseBesideResults: (change: Partial<Search>) => void
}

/**
 * Scrolls to the heading of the results after a choice, if the heading is above the screen: the user has scrolled down,
 * and would not see that the list has changed. The form is above the heading, so a choice in it needs no scrolling.
 */
function useScrollToResults(choose: (change: Partial<Search>) => void): ScrollToResults {
  const resultsElement = useRef<HTMLElement>(null)
  const [choices, setChoices] = useState(0)
  // Runs when the choice is rendered, because the header becomes smaller with the first filter.
  useLayoutEffect(() => {
    const element = resultsElement.current
    const isAboveScreen = element !== null && element.getBoundingClientRect().top < 0
    if (choices > 0 && isAboveScreen) element.scrollIntoView()
  }, [choices])
  const chooseBesideResults = useCallback(
    (change: Partial<Search>) => {
      choose(change)
      setChoices((count) => count + 1)
    },
    [choose],
  )
  return { resultsElement, chooseBesideResults }
}

/**
 * Moves the focus to the results if the element that had it has disappeared, such as a followed link or the chart.
 * Otherwise users of the keyboard and of screen readers would start again at the top of the page. `changes` are the
 * values with which an element may disappear. A further page of the list is not among them: its link may disappear too,
 * but the browser then continues from there. Returns the handler for each element that gets the focus.
 */
function useLostFocus(resultsElement: RefObject<HTMLElement | null>, changes: readonly unknown[]): () => void {
  const lastFocused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const isLost = lastFocused.current?.isConnected === false && document.activeElement === document.body
    // The page scrolls only after some of the choices (`useScrollToResults`).
    if (isLost) resultsElement.current?.focus({ preventScroll: true })
  }, changes)
  return () => {
    lastFocused.current = document.activeElement
  }
}
