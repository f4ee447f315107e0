// The page of a record, municipality or address that does not exist: says so, and offers a search instead.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MissingView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { SearchElsewhere } from './search-elsewhere.tsx'
import { unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { toMissingWindowTitle } from './window-title.ts'

export interface MissingPageProps {
  readonly view: MissingView
  readonly onSwitchLanguage: () => void
}

export function MissingPage({ view, onSwitchLanguage }: MissingPageProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { metadata } = useSite()
  const urls = useUrls()
  const { heading, text } = strings.missing[view.what]
  // The title of the window changes with the language.
  useEffect(() => {
    document.title = toMissingWindowTitle(view, locale, metadata.name ?? strings.name)
  }, [locale])
  // `url` is for the link to the other language. This address has no page, so that link leads to the start page.
  return (
    <PageFrame isCompact url={urls.search(unfiltered)} onSwitchLanguage={onSwitchLanguage} skipTo="content">
      <main class="wrap article" id="content" tabIndex={-1}>
        <h1>{heading}</h1>
        <p>{text(view.value)}</p>
        {view.suggestion !== null && (
          <p>
            {strings.otherAddress} <a href={view.suggestion}>{view.suggestion}</a>
          </p>
        )}
        {/* The form contains the code that no record has: records may mention it as words. */}
        <SearchElsewhere search={{ ...unfiltered, words: view.what === 'record' ? view.value : '' }} byYear={null} />
        <p>
          <a href={urls.search(unfiltered)}>{strings.newest}</a>
        </p>
      </main>
    </PageFrame>
  )
}
