// The start page: the form, the result of the search in the URL, and the counts beside it. Another search replaces what
// is in `main`: the script fetches it alone (browser/search.ts).

import { toReadableName } from '../src/domain/municipality-name.ts'
import { Charts } from './charts.tsx'
import { describeFilters } from './describe-search.ts'
import type { JSX } from './jsx-runtime.ts'
import { Intro } from './masthead.tsx'
import type { SearchView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { Results, toAnnouncement } from './results.tsx'
import { ActiveFilters, SearchForm } from './search-form.tsx'
import { withMunicipalityName } from './search-result.ts'
import { isUnfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { toSearchWindowTitle } from './window-title.ts'

export function SearchPage({ view }: { readonly view: SearchView }): JSX.Element {
  return (
    <PageFrame isCompact={!isUnfiltered(view.search)} url={useAddress(view)} skipTo="results" intro={<Intro />}>
      <SearchMain view={view} />
    </PageFrame>
  )
}

/** The address of the page, relative to the base URL. */
function useAddress({ search, cursor }: SearchView): string {
  return useUrls().search(search, cursor === null ? {} : { cursor })
}

/** The content of the start page, which is also served alone. */
export function SearchMain({ view }: { readonly view: SearchView }): JSX.Element {
  const locale = useLocale()
  const { site, registry } = useSite()
  const { search, result, counts } = view
  const isCompact = !isUnfiltered(search)
  const describedSearch = withMunicipalityName(search, result, counts)
  const address = useAddress(view)
  return (
    <main
      class="wrap"
      id="main"
      aria-busy="false"
      data-title={toSearchWindowTitle(describedSearch, locale, site.name ?? locale.strings.name)}
      data-address={address}
      data-announcement={toAnnouncement(result, locale)}
      data-compact={isCompact}
    >
      <SearchForm search={search} byYear={counts?.byYear ?? registry.byYear} areYearsCounted isFolded={isCompact} />
      <div class="under-form" id="under-form">
        {isCompact ? <ActiveFilters search={search} /> : <Examples />}
        <Offers view={view} />
      </div>
      <p class="visually-hidden" role="status" id="announcement" />
      <div class="columns" id="columns">
        <section class="results" id="results" aria-labelledby="results-heading" tabindex={-1}>
          <Results view={view} describedSearch={describedSearch} address={address} />
        </section>
        {/* `byYear` counts all years, so a search without results may have a chart, which offers the other years. */}
        {counts !== null && counts.byYear.length > 0 && <Charts search={search} counts={counts} />}
      </div>
    </main>
  )
}

/** Example searches for a first visit. */
function Examples(): JSX.Element | null {
  const { strings } = useLocale()
  const { registry } = useSite()
  const urls = useUrls()
  const links = registry.examples.map((search) => ({
    // `plan parcial`, `Alicante`, `estudio de detalle, 2004`. The period of an example is one year.
    label: [search.words.replaceAll('"', ''), toReadableName(search.municipality), search.from]
      .filter((part) => part !== '')
      .join(', '),
    href: urls.search(search),
  }))
  return <LinkRow id="examples" heading={strings.examplesHeading} links={links} />
}

/** Other readings of the words: `plan parcial en Ávila · 3`. */
function Offers({ view: { search, offers } }: { readonly view: SearchView }): JSX.Element | null {
  const locale = useLocale()
  const urls = useUrls()
  const links = offers.map(({ change, records }) => {
    const offered = { ...search, ...change }
    // `Expedientes en Ávila` if no words are left.
    const words = offered.words === '' ? locale.strings.recordsWithoutCount : offered.words
    const filters = describeFilters({ ...offered, words: '' }, locale)
    return { label: `${words} ${filters} · ${locale.formatNumber(records)}`, href: urls.search(offered) }
  })
  return <LinkRow id="offers" heading={locale.strings.offers} links={links} />
}

interface LinkRowProps {
  readonly id: string
  readonly heading: string
  readonly links: readonly { readonly label: string; readonly href: string }[]
}

function LinkRow({ id, heading, links }: LinkRowProps): JSX.Element | null {
  if (links.length === 0) return null
  return (
    <section class="examples" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      <ul>
        {links.map(({ label, href }) => (
          <li key={label}>
            <a class="example" href={href}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
