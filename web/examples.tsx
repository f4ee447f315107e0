// The first visit: three searches to try, made from what the registry holds, so that each of them finds something.
import type { JSX } from 'preact'
import { FilterLink } from './filter-link.tsx'
import { useSpeech } from './locale-context.ts'
import { everything, type Search, toPageAddress } from './search-url.ts'
import type { SummaryBody } from './service.ts'

export interface ExamplesProps {
  readonly whole: SummaryBody | null
  readonly onFollow: (change: Partial<Search>) => void
}

export function Examples({ whole, onFollow }: ExamplesProps): JSX.Element {
  const { say } = useSpeech()
  const [busiest] = whole?.by_municipality ?? []
  const fullest = whole?.by_year.reduce((most, year) => (year.records > most.records ? year : most))
  const examples: { readonly label: string; readonly search: Partial<Search> }[] = [
    { label: say.exampleWords, search: { words: say.exampleWords } },
    ...(busiest === undefined ? [] : [{ label: busiest.name, search: { municipality: busiest.name } }]),
    ...(fullest === undefined
      ? []
      : [
          {
            label: `${say.examplePhrase.replaceAll('"', '')}, ${fullest.year}`,
            search: { words: say.examplePhrase, years: { from: fullest.year, to: fullest.year } },
          },
        ]),
  ]
  return (
    <section class="examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">{say.examplesHeading}</h2>
      <ul>
        {examples.map(({ label, search }) => (
          <li key={label}>
            <FilterLink
              class="example"
              href={toPageAddress({ ...everything, ...search })}
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
