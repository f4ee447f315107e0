// Three example searches for a first visit. They are taken from the registry's own counts, so that each has results.
import type { JSX } from 'preact'
import type { WireSummary } from '../src/client/client.ts'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import { toRunningName } from './municipality-name.ts'
import { type Search, toPageUrl, unfiltered } from './search-url.ts'

export interface ExamplesProps {
  readonly registrySummary: WireSummary | null
  readonly onFollow: (change: Partial<Search>) => void
}

export function Examples({ registrySummary, onFollow }: ExamplesProps): JSX.Element {
  const { strings } = useLocale()
  const [largest] = registrySummary?.by_municipality ?? []
  const peak = registrySummary?.by_year.reduce((most, year) => (year.records > most.records ? year : most))
  const examples: { readonly label: string; readonly search: Partial<Search> }[] = [
    { label: strings.exampleWords, search: { words: strings.exampleWords } },
    ...(largest === undefined ? [] : [{ label: toRunningName(largest.name), search: { municipality: largest.name } }]),
    ...(peak === undefined
      ? []
      : [
          {
            label: `${strings.examplePhrase.replaceAll('"', '')}, ${peak.year}`,
            search: { words: strings.examplePhrase, years: { from: peak.year, to: peak.year } },
          },
        ]),
  ]
  return (
    <section class="examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">{strings.examplesHeading}</h2>
      <ul>
        {examples.map(({ label, search }) => (
          <li key={label}>
            <FilterLink
              class="example"
              href={toPageUrl({ ...unfiltered, ...search })}
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
