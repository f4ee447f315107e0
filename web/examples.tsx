// Three example searches for a first visit: words, the municipality with the most records, and a phrase in the year
// with the most records. If the registry could not be read, there is only the first.
import type { JSX } from 'preact'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { FilterLink } from './filter-link.tsx'
import { type Search, toYearChange, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface ExamplesProps {
  readonly onFollow: (change: Partial<Search>) => void
}

export function Examples({ onFollow }: ExamplesProps): JSX.Element {
  const { strings } = useLocale()
  const { registry } = useSite()
  const urls = useUrls()
  /** The municipality with the most records; null if it is unknown. */
  const largest = registry?.largest ?? null
  // The year with the most records. A registry that could be read has records, so it has a year.
  const peak = registry?.byYear.reduce((most, year) => (year.records > most.records ? year : most))
  const examples: { readonly label: string; readonly search: Partial<Search> }[] = [
    { label: strings.exampleWords, search: { words: strings.exampleWords } },
  ]
  if (largest !== null) examples.push({ label: toReadableName(largest), search: { municipality: largest } })
  if (peak !== undefined) {
    const unquotedPhrase = strings.examplePhrase.replaceAll('"', '')
    examples.push({
      label: `${unquotedPhrase}, ${peak.year}`,
      search: { words: strings.examplePhrase, ...toYearChange({ from: peak.year, to: peak.year }) },
    })
  }
  return (
    <section class="examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">{strings.examplesHeading}</h2>
      <ul>
        {examples.map(({ label, search }) => (
          <li key={label}>
            <FilterLink
              class="example"
              href={urls.search({ ...unfiltered, ...search })}
              onFollow={() => onFollow(search)}
            >
              {label}
            </FilterLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
