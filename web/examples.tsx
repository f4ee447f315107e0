// Example searches for a first visit, which the server has chosen (server-registry.ts).
import type { JSX } from 'preact'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { FilterLink } from './filter-link.tsx'
import type { Search } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface ExamplesProps {
  readonly onFollow: (search: Search) => void
}

export function Examples({ onFollow }: ExamplesProps): JSX.Element | null {
  const { strings } = useLocale()
  const { registry } = useSite()
  const urls = useUrls()
  const examples = registry?.examples ?? []
  if (examples.length === 0) return null
  return (
    <section class="examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">{strings.examplesHeading}</h2>
      <ul>
        {examples.map((search) => {
          const label = toLabel(search)
          return (
            <li key={label}>
              <FilterLink class="example" href={urls.search(search)} onFollow={() => onFollow(search)}>
                {label}
              </FilterLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** `plan parcial`, `Alicante`, `estudio de detalle, 2004`. The period of an example is one year, so `from` says it. */
function toLabel({ words, municipality, from }: Search): string {
  const parts = [words.replaceAll('"', ''), toReadableName(municipality), from]
  return parts.filter((part) => part !== '').join(', ')
}
