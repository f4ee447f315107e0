// The search form on a page other than the start page. Typing only changes the form. Enter, or the choice of a
// municipality or year, opens the start page with the results.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { SearchForm } from './search-form.tsx'
import type { Search } from './search-url.ts'
import { useSite, useUrls } from './site-context.ts'

export function SearchElsewhere({ search }: { readonly search: Search }): JSX.Element {
  const urls = useUrls()
  const { registry } = useSite()
  const [draft, setDraft] = useState(search)
  /** The contents of the form now. `draft` may be older: two events may come before the next rendering. */
  const latest = useRef(search)
  const change = (changes: Partial<Search>): Search => {
    latest.current = { ...latest.current, ...changes }
    setDraft(latest.current)
    return latest.current
  }
  return (
    <SearchForm
      draft={draft}
      byYear={registry?.byYear ?? null}
      onType={change}
      onChoose={(changes) => location.assign(urls.search(change(changes)))}
    />
  )
}
