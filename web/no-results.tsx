// Nothing found: the reason, what the service suggests, and what the same search finds with one filter less.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { FilterLink } from './filter-link.tsx'
import { useLocale } from './locale-context.ts'
import { isUnfiltered, type Search, toPageUrl, toServiceQuery } from './search-url.ts'
import { askPatiently, type WireSummary, type YearCount } from './service.ts'
import type { Strings } from './strings.ts'
import type { Answer } from './use-search.ts'

export interface NoResultsProps {
  readonly answer: Extract<Answer, { kind: 'empty' }>
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function NoResults({ answer, byYear, onChoose }: NoResultsProps): JSX.Element {
  const { strings } = useLocale()
  const { search, problem } = answer
  const wider = useWiderSearches(search, byYear)
  return (
    <div class="no-results">
      <h2 id="results-heading">{strings.emptyHeading}</h2>
      <p>{toReason(problem.code, strings.emptyReasons)}</p>
      {problem.suggestions.length > 0 && (
        <>
          <h3>{strings.didYouMean}</h3>
          <ul class="suggestions">
            {problem.suggestions.map((municipality) => (
              <li key={municipality}>
                <FilterLink href={toPageUrl({ ...search, municipality })} onFollow={() => onChoose({ municipality })}>
                  {municipality}
                </FilterLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {wider.length > 0 && (
        <>
          <h3>{strings.widen}</h3>
          <ul class="suggestions">
            {wider.map(({ change, label }) => (
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

interface Wider {
  readonly change: Partial<Search>
  readonly label: string
}

/** Which filters a search can be asked without, and the word that is left out where it is but one of several. */
interface Widening {
  readonly change: Partial<Search>
  readonly word?: string
}

/** A half-remembered name has one wrong word among the right ones; of a long one only the first are tried. */
const wordsTriedMax = 6
const wordsOfferedMax = 3

/** What the same search finds with a filter or a word less, as far as that is more than nothing. */
function useWiderSearches(search: Search, byYear: readonly YearCount[] | null): readonly Wider[] {
  const { strings, formatRecordCount } = useLocale()
  const [found, setFound] = useState<readonly (Widening & { readonly count: number })[]>([])
  useEffect(() => {
    const cancel = new AbortController()
    setFound([])
    const counting = toWidenings(search).map(async (widening) => {
      const asked = { ...search, ...widening.change }
      const query = toServiceQuery(asked, asked.years?.from ?? null)
      const outcome = await askPatiently<WireSummary>(`summary?${query}`, cancel.signal)
      return { ...widening, count: outcome.kind === 'found' ? outcome.value.total : 0 }
    })
    Promise.all(counting).then((counted) => {
      if (!cancel.signal.aborted) setFound(counted.filter(({ count }) => count > 0))
    })
    return () => cancel.abort()
  }, [search])

  const inOtherYears = search.years === null ? 0 : (byYear ?? []).reduce((sum, year) => sum + year.records, 0)
  const wider: Wider[] = []
  if (inOtherYears > 0)
    wider.push({ change: { years: null }, label: strings.withoutYear(formatRecordCount(inOtherYears)) })
  // The fewer records are left, the more of what was meant is still in the search.
  const byWord = found.filter(({ word }) => word !== undefined).sort((a, b) => a.count - b.count)
  for (const { change, word = '', count } of byWord.slice(0, wordsOfferedMax)) {
    wider.push({ change, label: strings.withoutWord(word, formatRecordCount(count)) })
  }
  for (const { change, count } of found.filter(({ word }) => word === undefined)) {
    const label = change.words === '' ? strings.withoutWords : strings.withoutMunicipality
    wider.push({ change, label: label(formatRecordCount(count)) })
  }
  return wider
}

function toWidenings(search: Search): Widening[] {
  // Several years are several requests: not for a hint.
  if (search.years !== null && search.years.from !== search.years.to) return []
  const words = /["“”«»]/.test(search.words) ? [] : search.words.split(/\s+/).filter((word) => word !== '')
  const byWord = words.length < 2 ? [] : words.slice(0, wordsTriedMax)
  const widenings: Widening[] = byWord.map((word, at) => ({
    change: { words: words.filter((_, index) => index !== at).join(' ') },
    word,
  }))
  if (search.municipality.trim() !== '') widenings.push({ change: { municipality: '' } })
  if (search.words.trim() !== '') widenings.push({ change: { words: '' } })
  return widenings.filter(({ change }) => !isUnfiltered({ ...search, ...change }))
}
