// Shown when nothing matches: the reason, the service's suggestions, and relaxed searches that do match.
import type { JSX } from 'preact'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { FilterLink } from './filter-link.tsx'
import type { Alternative, EmptyResult } from './search-result.ts'
import { type Search, unfiltered } from './search-url.ts'
import type { NoMatch } from './service.ts'
import { useLocale, useUrls } from './site-context.ts'
import type { Strings } from './strings.ts'

export interface NoResultsProps {
  readonly result: EmptyResult
  readonly onChoose: (change: Partial<Search>) => void
}

export function NoResults({ result, onChoose }: NoResultsProps): JSX.Element {
  const { strings, formatRecordCount } = useLocale()
  const { search, noMatch } = result
  const suggestions = toSuggestions(noMatch)
  const alternatives = result.alternatives.map((alternative) => ({
    change: alternative.change,
    label: toLabel(alternative, strings)(formatRecordCount(alternative.records)),
  }))
  return (
    <div class="no-results">
      <h2 id="results-heading">{strings.emptyHeading}</h2>
      <p>{toReason(noMatch.code, strings.emptyReasons)}</p>
      {suggestions.length > 0 && (
        <>
          <h3>{strings.didYouMean}</h3>
          <SearchLinks search={search} links={suggestions} onChoose={onChoose} />
        </>
      )}
      <h3>{strings.alternatives}</h3>
      <SearchLinks
        search={search}
        links={[...alternatives, { change: unfiltered, label: strings.withoutFilters }]}
        onChoose={onChoose}
      />
    </div>
  )
}

interface SearchLinksProps {
  readonly search: Search
  readonly links: readonly { readonly change: Partial<Search>; readonly label: string }[]
  readonly onChoose: (change: Partial<Search>) => void
}

function SearchLinks({ search, links, onChoose }: SearchLinksProps): JSX.Element {
  const urls = useUrls()
  return (
    <ul class="suggestions">
      {links.map(({ change, label }) => (
        <li key={label}>
          <FilterLink href={urls.search({ ...search, ...change })} onFollow={() => onChoose(change)}>
            {label}
          </FilterLink>
        </li>
      ))}
    </ul>
  )
}

/** The service suggests values of one parameter: terms, or names of places. */
function toSuggestions({ parameter, suggestions }: NoMatch): { change: Partial<Search>; label: string }[] {
  return suggestions.map((value) => {
    if (parameter === 'search') return { change: { words: value }, label: value }
    if (parameter === 'province') return { change: { province: value }, label: toReadableName(value) }
    if (parameter === 'community') return { change: { community: value }, label: toReadableName(value) }
    return { change: { municipality: value }, label: toReadableName(value) }
  })
}

/** The text of the link to the alternative, as a function of its formatted count. */
function toLabel({ change, omittedWord }: Alternative, strings: Strings): (records: string) => string {
  if (omittedWord !== null) return (records) => strings.withoutWord(omittedWord, records)
  if (change.words !== undefined) return strings.withoutWords
  if (change.from !== undefined) return strings.withoutYear
  if (change.municipality !== undefined) return strings.withoutMunicipality
  // Either both numbers or both larger places are removed (alternatives.ts).
  return change.province === undefined ? strings.withoutNumber : strings.withoutProvince
}

/** Why nothing matches, by the code of the problem. */
function toReason(code: string, reasons: Strings['emptyReasons']): string {
  const known = Object.entries(reasons).find(([each]) => each === code)
  return known?.[1] ?? reasons['no-match']
}
