// The page as a whole: passes the search in the URL to the service and the result to the components that show it.
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiRequest } from './api-request.tsx'
import { Charts } from './charts.tsx'
import { toTitle } from './describe-search.ts'
import { Examples } from './examples.tsx'
import { readInstance } from './instance.ts'
import { preferredLanguage, saveLanguage, toLocale } from './locale.ts'
import { LocaleContext } from './locale-context.ts'
import { Masthead, PageFooter } from './masthead.tsx'
import { Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'
import { isUnfiltered, unfiltered } from './search-url.ts'
import type { Language } from './strings.ts'
import { useRegistrySummary } from './use-registry.ts'
import { useSearch } from './use-search.ts'
import { useSearchUrl } from './use-search-url.ts'

const instance = readInstance()

export function Page(): JSX.Element {
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  const locale = useMemo(() => toLocale(language), [language])
  const { draft, search, type, choose } = useSearchUrl()
  const { result, isLoading, isSlow, counts, loadMore, retry } = useSearch(search)
  const byYear = counts?.summary?.by_year ?? null
  const registrySummary = useRegistrySummary(search, counts)

  useEffect(() => {
    document.documentElement.lang = language
    const siteName = instance.name ?? locale.strings.name
    document.title = [toTitle(search, locale), siteName].filter((part) => part !== '').join(' · ')
  }, [language, locale, search])

  const switchLanguage = (): void => {
    const other = language === 'es' ? 'en' : 'es'
    saveLanguage(other)
    setLanguage(other)
  }

  return (
    <LocaleContext.Provider value={locale}>
      <button type="button" class="skip" onClick={skipToResults}>
        {locale.strings.skip}
      </button>
      <Masthead
        instance={instance}
        registrySummary={registrySummary}
        onSwitchLanguage={switchLanguage}
        onHome={() => choose(unfiltered)}
      />
      <main class="wrap">
        <SearchForm draft={draft} byYear={byYear} onType={type} onChoose={choose} />
        <div class="under-form">
          {isUnfiltered(draft) ? (
            <Examples registrySummary={registrySummary} onFollow={choose} />
          ) : (
            <button type="button" class="quiet" onClick={() => choose(unfiltered)}>
              {locale.strings.clearAll}
            </button>
          )}
        </div>
        <div class="columns">
          <section class="results" id="results" aria-labelledby="results-heading" tabIndex={-1}>
            <Results
              result={result}
              isLoading={isLoading}
              isSlow={isSlow}
              byYear={byYear}
              onChoose={choose}
              onMore={loadMore}
              onRetry={retry}
            />
            <ApiRequest result={result} search={search} />
          </section>
          <Charts counts={counts} registrySummary={registrySummary} onChoose={choose} />
        </div>
      </main>
      <PageFooter instance={instance} />
    </LocaleContext.Provider>
  )
}

/** A link to `#results` would leave the search: the page has a `<base>`, so the link would point to the base URL. */
function skipToResults(): void {
  document.getElementById('results')?.focus()
}
