// The search form on any page but the start page: typing only changes the form, and a choice (Enter, or a municipality
// or year) opens the start page with the results.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { SearchForm } from './search-form.tsx'
import type { Search } from './search-url.ts'
import { useSite, useUrls } from './site-context.ts'

export function SearchElsewhere({ search }: { readonly search: Search }): JSX.Element {
  const urls = useUrls()
  const { registry } = useSite()
  const [draft, setDraft] = useState(search)
  return (
    <SearchForm
      draft={draft}
      byYear={registry?.byYear ?? null}
      onType={(change) => setDraft((before) => ({ ...before, ...change }))}
      onChoose={(change) => location.assign(urls.search({ ...draft, ...change }))}
    />
  )
}
