// The search form on a page other than the start page. Typing, leaving and emptying a field only change the form.
// Enter, or the choice of a municipality or year, opens the start page with the results.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { SearchForm } from './search-form.tsx'
import type { Search } from './search-url.ts'
import type { YearCount } from './service.ts'
import { useSite, useUrls } from './site-context.ts'

export interface SearchElsewhereProps {
  /** The contents of the form at first. */
  readonly search: Search
  /** How many records of `search` each year has; if null, the form shows the years of the whole registry. */
  readonly byYear: readonly YearCount[] | null
}

export function SearchElsewhere({ search, byYear }: SearchElsewhereProps): JSX.Element {
  const urls = useUrls()
  const { registry } = useSite()
  const [draft, setDraft] = useState(search)
  /** The contents of the form now. `draft` may be older: two events may come before the next rendering. */
  const latest = useRef(search)
  const changeDraft = (change: Partial<Search>): Search => {
    latest.current = { ...latest.current, ...change }
    setDraft(latest.current)
    return latest.current
  }
  const choose = (change: Partial<Search>): void => {
    const next = changeDraft(change)
    const values = Object.values(change)
    // `change` is empty if Enter submits the form, which opens the results in any case.
    const isEmptied = values.length > 0 && values.every((value) => value === '')
    if (!isEmptied) location.assign(urls.search(next))
  }
  // `byYear` counts the records in the municipality of `search`. For another one, the years of all records are shown.
  const isSamePlace = draft.municipality === search.municipality
  return (
    <SearchForm
      draft={draft}
      byYear={(isSamePlace ? byYear : null) ?? registry?.byYear ?? null}
      onType={changeDraft}
      onLeave={changeDraft}
      onChoose={choose}
    />
  )
}
