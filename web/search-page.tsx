// The start page: the form, the result of the search in the URL, and the counts beside it.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ApiRequest } from './api-request.tsx'
import { Charts } from './charts.tsx'
import { Examples } from './examples.tsx'
import { Intro } from './masthead.tsx'
import { OfferLinks } from './offer-links.tsx'
import type { SearchView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { Results } from './results.tsx'
import { ActiveFilters, SearchForm } from './search-form.tsx'
import { isUnfiltered, unfiltered } from './search-url.ts'
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
  // The title of the window changes with the search and the language.
  useEffect(() => {
    const siteName = site.metadata.name ?? locale.strings.name
    document.title = toSearchWindowTitle(search, locale, siteName)
  }, [locale, search])

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
      <main class="wrap">
        <SearchForm draft={draft} byYear={counts?.byYear ?? null} onType={type} onLeave={choose} onChoose={choose} />
        <div class="under-form">
          {isUnfiltered(draft) ? <Examples onFollow={choose} /> : <ActiveFilters search={search} onChoose={choose} />}
          <OfferLinks search={draft} offers={offers} onChoose={choose} />
        </div>
        <div class="columns">
          <section class="results" id="results" aria-labelledby="results-heading" tabIndex={-1}>
            <Results
              result={result}
              isLoading={isLoading}
              isSlow={isSlow}
              nextPage={nextPage}
              isContinued={isContinued}
              municipalities={counts?.places?.chosen ?? []}
              onChoose={choose}
              onMore={loadMore}
              onRetry={retry}
            />
            <ApiRequest result={result} search={search} />
          </section>
          {hasCharts && <Charts draft={draft} counts={counts} onChoose={choose} />}
        </div>
      </main>
    </PageFrame>
  )
}
