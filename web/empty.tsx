// Nothing found: the reason, what the service suggests, and what the same search finds with one filter less.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isEverything, type Search, toPageAddress, toServiceQuery } from './address.ts'
import { FilterLink } from './filter-link.tsx'
import { ask, type SummaryBody, type YearCount } from './service.ts'
import { useSpeech } from './speech-context.ts'
import type { Strings } from './strings.ts'
import type { Answer } from './use-search.ts'

export interface EmptyProps {
  readonly answer: Extract<Answer, { kind: 'empty' }>
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function Empty({ answer, byYear, onChoose }: EmptyProps): JSX.Element {
  const { say } = useSpeech()
  const { search, problem } = answer
  const wider = useWiderSearches(search, byYear)
  return (
    <div class="empty">
      <h2 id="results-heading">{say.emptyHeading}</h2>
      <p>{toReason(problem.code, say.emptyReasons)}</p>
      {problem.suggestions.length > 0 && (
        <>
          <h3>{say.didYouMean}</h3>
          <ul class="suggestions">
            {problem.suggestions.map((municipality) => (
              <li key={municipality}>
                <FilterLink
                  href={toPageAddress({ ...search, municipality })}
                  onFollow={() => onChoose({ municipality })}
                >
                  {municipality}
                </FilterLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {wider.length > 0 && (
        <>
          <h3>{say.widen}</h3>
          <ul class="suggestions">
            {wider.map(({ change, label }) => (
              <li key={label}>
                <FilterLink href={toPageAddress({ ...search, ...change })} onFollow={() => onChoose(change)}>
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

function useWiderSearches(search: Search, byYear: readonly YearCount[] | null): readonly Wider[] {
  const { say, records } = useSpeech()
  const [counts, setCounts] = useState<{ readonly municipality: number; readonly words: number } | null>(null)
  useEffect(() => {
    const cancel = new AbortController()
    setCounts(null)
    const count = async (asked: Search, isNarrowed: boolean): Promise<number> => {
      // Several years are several requests: not for a hint.
      if (!isNarrowed || isEverything(asked) || (asked.years !== null && asked.years.from !== asked.years.to)) return 0
      const outcome = await ask<SummaryBody>(
        `summary?${toServiceQuery(asked, asked.years?.from ?? null)}`,
        cancel.signal,
      )
      return outcome.kind === 'found' ? outcome.value.total : 0
    }
    Promise.all([
      count({ ...search, municipality: '' }, search.municipality.trim() !== ''),
      count({ ...search, words: '' }, search.words.trim() !== ''),
    ]).then(([municipality, words]) => {
      if (!cancel.signal.aborted) setCounts({ municipality, words })
    })
    return () => cancel.abort()
  }, [search])

  const inOtherYears = search.years === null ? 0 : (byYear ?? []).reduce((sum, year) => sum + year.records, 0)
  const wider: Wider[] = []
  if (inOtherYears > 0) wider.push({ change: { years: null }, label: say.withoutYear(records(inOtherYears)) })
  if (counts !== null && counts.municipality > 0) {
    wider.push({ change: { municipality: '' }, label: say.withoutMunicipality(records(counts.municipality)) })
  }
  if (counts !== null && counts.words > 0) {
    wider.push({ change: { words: '' }, label: say.withoutWords(records(counts.words)) })
  }
  return wider
}
