// The first visit: three searches to try, made from what the registry holds, so that each of them finds something.
import type { JSX } from 'preact'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import { type Search, toPageUrl, unfiltered } from './search-url.ts'
import type { WireSummary } from './service.ts'

export interface ExamplesProps {
  readonly whole: WireSummary | null
  readonly onFollow: (change: Partial<Search>) => void
}

export function Examples({ whole, onFollow }: ExamplesProps): JSX.Element {
  const { strings } = useLocale()
  const [busiest] = whole?.by_municipality ?? []
  const fullest = whole?.by_year.reduce((most, year) => (year.records > most.records ? year : most))
  const examples: { readonly label: string; readonly search: Partial<Search> }[] = [
    { label: strings.exampleWords, search: { words: strings.exampleWords } },
    ...(busiest === undefined ? [] : [{ label: busiest.name, search: { municipality: busiest.name } }]),
    ...(fullest === undefined
      ? []
      : [
          {
            label: `${strings.examplePhrase.replaceAll('"', '')}, ${fullest.year}`,
            search: { words: strings.examplePhrase, years: { from: fullest.year, to: fullest.year } },
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
