// The page as a whole: the search in the address goes out to the service, the answer comes back to the parts that
// show it.
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { RequestLine } from './api-request.tsx'
import { Pictures } from './charts.tsx'
import { describeSearch } from './describe-search.ts'
import { Examples } from './examples.tsx'
import { readInstance } from './instance.ts'
import { preferredLanguage, rememberLanguage, toSpeech } from './locale.ts'
import { SpeechContext } from './locale-context.ts'
import { Masthead, PageFoot } from './masthead.tsx'
import { Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'
import { everything, isEverything } from './search-url.ts'
import type { Language } from './strings.ts'
import { useWholeRegistry } from './use-registry.ts'
import { useSearch } from './use-search.ts'
import { useAddress } from './use-search-url.ts'

const instance = readInstance()

export function Page(): JSX.Element {
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  const speech = useMemo(() => toSpeech(language), [language])
  const { draft, search, type, choose } = useAddress()
  const { answer, busy, slow, counted, loadMore, retry } = useSearch(search)
  const byYear = counted?.summary?.by_year ?? null
  const whole = useWholeRegistry(search, counted)

  useEffect(() => {
    document.documentElement.lang = language
    const description = describeSearch(search, speech)
    document.title = [description, instance.name ?? speech.say.name].filter((part) => part !== '').join(' · ')
  }, [language, speech, search])

  const switchLanguage = (): void => {
    const other = language === 'es' ? 'en' : 'es'
    rememberLanguage(other)
    setLanguage(other)
  }

  return (
    <SpeechContext.Provider value={speech}>
      <button type="button" class="skip" onClick={skipToResults}>
        {speech.say.skip}
      </button>
      <Masthead instance={instance} whole={whole} onSwitchLanguage={switchLanguage} onHome={() => choose(everything)} />
      <main class="wrap">
        <SearchForm draft={draft} byYear={byYear} onType={type} onChoose={choose} />
        <div class="under-form">
          {isEverything(draft) ? (
            <Examples whole={whole} onFollow={choose} />
          ) : (
            <button type="button" class="quiet" onClick={() => choose(everything)}>
              {speech.say.clearAll}
            </button>
          )}
        </div>
        <div class="columns">
          <section class="found" id="results" aria-labelledby="results-heading" tabIndex={-1}>
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
            <RequestLine answer={answer} search={search} />
          </section>
          <Pictures counted={counted} whole={whole} onChoose={choose} />
        </div>
      </main>
      <PageFoot instance={instance} />
    </SpeechContext.Provider>
  )
}

/** A link to "#results" would lead away: with a base address in the head it is the address of another search. */
function skipToResults(): void {
  document.getElementById('results')?.focus()
}
