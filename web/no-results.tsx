// Shown when nothing matches: the reason, the service's suggestions, and relaxed searches (one filter or one word
// less) that do match.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import { toRunningName } from './municipality-name.ts'
import { isUnfiltered, type Search, toFilters, toPageUrl } from './search-url.ts'
import { callWithRetry, type YearCount } from './service.ts'
import type { Strings } from './strings.ts'
import type { SearchResult } from './use-search.ts'

export interface NoResultsProps {
  readonly result: Extract<SearchResult, { kind: 'empty' }>
  /** The counts of the search without its years. */
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function NoResults({ result, byYear, onChoose }: NoResultsProps): JSX.Element {
  const { strings } = useLocale()
  const { search, noMatch } = result
  const alternatives = useAlternatives(search, byYear)
  return (
    <div class="no-results">
      <h2 id="results-heading">{strings.emptyHeading}</h2>
      <p>{toReason(noMatch.code, strings.emptyReasons)}</p>
      {noMatch.suggestions.length > 0 && (
        <>
          <h3>{strings.didYouMean}</h3>
          <ul class="suggestions">
            {noMatch.suggestions.map((municipality) => (
              <li key={municipality}>
                <FilterLink href={toPageUrl({ ...search, municipality })} onFollow={() => onChoose({ municipality })}>
                  {toRunningName(municipality)}
                </FilterLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {alternatives.length > 0 && (
        <>
          <h3>{strings.alternatives}</h3>
          <ul class="suggestions">
            {alternatives.map(({ change, label }) => (
              <li key={label}>
                <FilterLink href={toPageUrl({ ...search, ...change })} onFollow={() => onChoose(change)}>
                  {label}
                </FilterLink>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function toReason(code: string, reasons: Strings['emptyReasons']): string {
  if (code === 'unknown-municipality' || code === 'no-match-in-municipality') return reasons[code]
  return reasons['no-match']
}

/** A relaxed search that matches, as it is offered to the user. */
interface Alternative {
  readonly change: Partial<Search>
  readonly label: string
}

/** A change that makes the search match more. */
interface Relaxation {
  readonly change: Partial<Search>
  /** The word that is left out, if it is one of several. */
  readonly omittedWord?: string
}

/** Leaving out a word takes a request to count the matches, so only the first words of a long term are tried. */
const wordsTriedMax = 6
/** The most words whose omission is offered. */
const wordsOfferedMax = 3

/** The relaxed searches that match at least one record, with their counts. */
function useAlternatives(search: Search, byYear: readonly YearCount[] | null): readonly Alternative[] {
  const { strings, formatRecordCount } = useLocale()
  const [matching, setMatching] = useState<readonly (Relaxation & { readonly count: number })[]>([])
  useEffect(() => {
    const controller = new AbortController()
    setMatching([])
    const counting = toRelaxations(search).map(async (relaxation) => {
      const relaxed = { ...search, ...relaxation.change }
      const filters = toFilters(relaxed, relaxed.years?.from ?? null)
      const outcome = await callWithRetry((client, options) => client.summary(filters, options), controller.signal)
      return { ...relaxation, count: outcome.kind === 'found' ? outcome.value.total : 0 }
    })
    Promise.all(counting).then((counted) => {
      if (!controller.signal.aborted) setMatching(counted.filter(({ count }) => count > 0))
    })
    return () => controller.abort()
  }, [search])

  const alternatives: Alternative[] = []
  const inOtherYearsCount = search.years === null ? 0 : (byYear ?? []).reduce((sum, year) => sum + year.records, 0)
  if (inOtherYearsCount > 0) {
    alternatives.push({ change: { years: null }, label: strings.withoutYear(formatRecordCount(inOtherYearsCount)) })
  }
  // The search that matches the fewest records is the closest to the original one.
  const byWord = matching.filter((each) => each.omittedWord !== undefined).sort((a, b) => a.count - b.count)
  for (const { change, omittedWord = '', count } of byWord.slice(0, wordsOfferedMax)) {
    alternatives.push({ change, label: strings.withoutWord(omittedWord, formatRecordCount(count)) })
  }
  for (const { change, count } of matching.filter((each) => each.omittedWord === undefined)) {
    const toLabel = change.words === '' ? strings.withoutWords : strings.withoutMunicipality
    alternatives.push({ change, label: toLabel(formatRecordCount(count)) })
  }
  return alternatives
}

/** The search without one of its words, without all words, and without the municipality. */
function toRelaxations(search: Search): Relaxation[] {
  // A range of years takes one request per year, which is too many for a suggestion.
  if (search.years !== null && search.years.from !== search.years.to) return []
  // A phrase cannot be split into words.
  const words = /["“”«»]/.test(search.words) ? [] : search.words.split(/\s+/).filter((word) => word !== '')
  const omittable = words.length < 2 ? [] : words.slice(0, wordsTriedMax)
  const relaxations: Relaxation[] = omittable.map((omittedWord, omittedIndex) => ({
    change: { words: words.filter((_, index) => index !== omittedIndex).join(' ') },
    omittedWord,
  }))
  if (search.municipality.trim() !== '') relaxations.push({ change: { municipality: '' } })
  if (search.words.trim() !== '') relaxations.push({ change: { words: '' } })
  return relaxations.filter(({ change }) => !isUnfiltered({ ...search, ...change }))
}
