// The page as a whole: the search in the address goes out to the service, the answer comes back to the parts that
// show it.
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiRequest } from './api-request.tsx'
import { Charts } from './charts.tsx'
import { describeSearch } from './describe-search.ts'
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
  const { answer, busy, slow, counted, loadMore, retry } = useSearch(search)
  const byYear = counted?.summary?.by_year ?? null
  const whole = useRegistrySummary(search, counted)

  useEffect(() => {
    document.documentElement.lang = language
    const description = describeSearch(search, locale)
    document.title = [description, instance.name ?? locale.strings.name].filter((part) => part !== '').join(' · ')
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
      <Masthead instance={instance} whole={whole} onSwitchLanguage={switchLanguage} onHome={() => choose(unfiltered)} />
      <main class="wrap">
        <SearchForm draft={draft} byYear={byYear} onType={type} onChoose={choose} />
        <div class="under-form">
          {isUnfiltered(draft) ? (
            <Examples whole={whole} onFollow={choose} />
          ) : (
            <button type="button" class="quiet" onClick={() => choose(unfiltered)}>
              {locale.strings.clearAll}
            </button>
          )}
        </div>
        <div class="columns">
          <section class="results" id="results" aria-labelledby="results-heading" tabIndex={-1}>
            <Results
              answer={answer}
              search={search}
              busy={busy}
              slow={slow}
              byYear={byYear}
              onChoose={choose}
              onMore={loadMore}
              onRetry={retry}
            />
            <ApiRequest answer={answer} search={search} />
          </section>
          <Charts counted={counted} whole={whole} onChoose={choose} />
        </div>
      </main>
      <PageFooter instance={instance} />
    </LocaleContext.Provider>
  )
}

/** A link to "#results" would lead away: with a base address in the head it is the address of another search. */
function skipToResults(): void {
  document.getElementById('results')?.focus()
}
