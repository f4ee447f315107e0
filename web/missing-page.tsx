// The page of a record, municipality or address that does not exist: says so, and offers a search instead.
import type { JSX } from './jsx-runtime.ts'
import type { MissingView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { SearchForm } from './search-form.tsx'
import { unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export function MissingPage({ view }: { readonly view: MissingView }): JSX.Element {
  const { strings } = useLocale()
  const { registry } = useSite()
  const urls = useUrls()
  const { heading, text } = strings.missing[view.what]
  // `url` is for the link to the other language. This address has no page, so that link leads to the start page.
  return (
    <PageFrame isCompact url={urls.search(unfiltered)} skipTo="content">
      <main class="wrap article" id="content" tabindex={-1}>
        <h1>{heading}</h1>
        <p>{text(view.value)}</p>
        {view.suggestion !== null && (
          <p>
            {strings.otherAddress} <a href={view.suggestion}>{view.suggestion}</a>
          </p>
        )}
        {/* The form contains the code that no record has: records may mention it as words. */}
        <SearchForm
          search={{ ...unfiltered, words: view.what === 'record' ? view.value : '' }}
          byYear={registry.byYear}
          areYearsCounted={false}
          isFolded
        />
        <p>
          <a href={urls.search(unfiltered)}>{strings.newest}</a>
        </p>
      </main>
    </PageFrame>
  )
}
