// Shown when nothing matches: the reason, the suggestions of the service, searches with fewer filters or words if they
// match, and a link that removes all filters.

import { toReadableName } from '../src/domain/municipality-name.ts'
import { isFieldParameter } from '../src/domain/own-fields.ts'
import type { Problem } from '../src/problems.ts'
import { describeFilters, describeOtherFilter, toOtherFilterLabel } from './describe-search.ts'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import { problemTexts } from './problem-texts.ts'
import type { Alternative, EmptyResult } from './search-result.ts'
import { hasNoTerm, otherFiltersOf, parsePageUrl, type Search, unfiltered } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'
import type { Strings } from './strings.ts'

export interface NoResultsProps {
  readonly result: EmptyResult
  /** Whether the page offers other readings of the words already. */
  readonly hasOffers: boolean
}

export function NoResults({ result, hasOffers }: NoResultsProps): JSX.Element {
  const locale = useLocale()
  const { strings, formatRecordCount } = locale
  const urls = useUrls()
  const { search, problem } = result
  const suggestions = [...(hasOffers ? [] : toReadings(problem)), ...toSuggestions(problem)]
  const alternatives = result.alternatives.map((alternative) => ({
    change: alternative.change,
    label: toLabel(alternative, search, formatRecordCount(alternative.records), locale),
  }))
  return (
    <div class="no-results">
      <h2 id="results-heading">{toEmptyHeading(problem, strings)}</h2>
      <p>
        {toReason(result, locale)}{' '}
        {problem.parameter === 'cursor' && <a href={urls.search(search)}>{strings.firstPage}</a>}
      </p>
      {suggestions.length > 0 && (
        <>
          <h3>{strings.didYouMean}</h3>
          <SearchLinks search={search} links={suggestions} />
        </>
      )}
      <h3>{strings.alternatives}</h3>
      <SearchLinks search={search} links={[...alternatives, { change: unfiltered, label: strings.withoutFilters }]} />
    </div>
  )
}

/** That no records were found or, on a page after the last record, that the list has ended. */
export function toEmptyHeading({ parameter }: Problem, strings: Strings): string {
  return parameter === 'cursor' ? strings.afterEndHeading : strings.emptyHeading
}

/** A change of the search, and the text of the link that makes it. */
interface SearchLink {
  readonly change: Partial<Search>
  readonly label: string
}

interface SearchLinksProps {
  readonly search: Search
  readonly links: readonly SearchLink[]
}

function SearchLinks({ search, links }: SearchLinksProps): JSX.Element {
  const urls = useUrls()
  return (
    <ul class="suggestions">
      {links.map(({ change, label }) => (
        <li key={label}>
          <a href={urls.search({ ...search, ...change })}>{label}</a>
        </li>
      ))}
    </ul>
  )
}

/** What the service takes the words for, such as a place or a code, as changes of the search. */
function toReadings({ queries }: Problem): SearchLink[] {
  return queries.map(({ text, query }) => ({ change: parsePageUrl(query), label: text }))
}

/** The suggestions of the service as changes of the search: values of one parameter, such as terms or places. */
function toSuggestions({ parameter = '', suggestions }: Problem): SearchLink[] {
  return suggestions.map((value) => {
    if (isFieldParameter(parameter)) return { change: { [parameter]: value }, label: value }
    if (parameter === 'search') return { change: { words: value }, label: value }
    if (parameter === 'province') return { change: { province: value }, label: toReadableName(value) }
    if (parameter === 'community') return { change: { community: value }, label: toReadableName(value) }
    // The only other parameter with suggestions is `municipality`.
    return { change: { municipality: value }, label: toReadableName(value) }
  })
}

/**
 * The text of the link to an alternative. It leaves one word out of the term (`omittedWord`), or removes the whole
 * term, one filter, or a pair of filters: then `change` has an empty value for each and nothing else. `records` is how
 * many records it matches, such as `3 records`.
 */
function toLabel({ change, omittedWord }: Alternative, search: Search, records: string, locale: Locale): string {
  const { strings } = locale
  if (omittedWord !== null) return strings.withoutWord(omittedWord, records)
  if (change.words !== undefined) return strings.withoutWords(records)
  // The beginning and the end of the period are removed together.
  if (change.from !== undefined) return strings.withoutYear(records)
  if (change.municipality !== undefined) return strings.withoutMunicipality(records)
  // Province and community are removed together (alternatives.ts). All provinces are all communities too.
  if (change.province !== undefined && search.province === '') return strings.withoutCommunity(records)
  if (change.province !== undefined) return strings.withoutProvince(records)
  const other = otherFiltersOf(search).find((name) => change[name] !== undefined)
  if (other !== undefined) return strings.withoutFilter(toOtherFilterLabel(other, search, locale), records)
  // Registration number and identifier are removed together too. The text names those that the search has.
  if (search.id === '') return strings.withoutNumber(records)
  if (search.registrationNumber === '') return strings.withoutIdentifier(records)
  return strings.withoutNumberAndIdentifier(records)
}

/** Why nothing matches. The `code` of `problem` names the reason; an unknown one is shown as `no-match`. */
function toReason(result: EmptyResult, locale: Locale): string {
  const { code } = result.problem
  const reason = problemTexts[locale.language][code]
  const isPlain = reason === undefined || code === 'no-match' || code === 'no-match-in-municipality'
  return isPlain ? toNoMatchReason(result, locale) : reason
}

/** Why no record matches, although each place of the search has records. */
function toNoMatchReason({ search, problem }: EmptyResult, locale: Locale): string {
  const { strings } = locale
  const { code, parameter } = problem
  // No record has this number, whatever the other filters are.
  if (parameter === 'registration_number') {
    return strings.noRecords(strings.withNumber(search.registrationNumber))
  }
  if (parameter === 'id') return strings.noRecords(strings.withId(search.id))
  const other = otherFiltersOf(search).find((name) => name === parameter)
  if (other !== undefined) return strings.noRecords(describeOtherFilter(other, search, locale))
  if (hasNoTerm(search)) return strings.noTerm
  const texts = problemTexts[locale.language]
  if (code === 'no-match-in-municipality') return texts[code] ?? ''
  if (search.words === '') return strings.noRecords(describeFilters(search, locale))
  return texts['no-match'] ?? ''
}
