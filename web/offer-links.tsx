// The other readings of the typed words as links with their counts: "plan parcial en Ávila · 3".
import type { JSX } from 'preact'
import { describeFilters } from './describe-search.ts'
import { FilterLink } from './filter-link.tsx'
import type { Offer } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'

export interface OfferLinksProps {
  /** The search as it was typed, which each offer changes. */
  readonly search: Search
  readonly offers: readonly Offer[]
  readonly onChoose: (change: Partial<Search>) => void
}

export function OfferLinks({ search, offers, onChoose }: OfferLinksProps): JSX.Element | null {
  const locale = useLocale()
  const urls = useUrls()
  if (offers.length === 0) return null
  return (
    <section class="examples" aria-labelledby="offers-heading">
      <h2 id="offers-heading">{locale.strings.offers}</h2>
      <ul>
        {offers.map(({ change, records }) => {
          const offered = { ...search, ...change }
          // `plan parcial en Ávila`, or `Expedientes en Ávila` if no words are left.
          const words = offered.words.trim() === '' ? locale.strings.recordsWithoutCount : offered.words
          const label = `${words} ${describeFilters({ ...offered, words: '' }, locale)}`
          return (
            <li key={label}>
              <FilterLink class="example" href={urls.search(offered)} onFollow={() => onChoose(change)}>
                {label} · {locale.formatNumber(records)}
              </FilterLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
