// Section for developers below the results: the API request that returns what is on screen.
import type { JSX } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import type { Search } from './search-url.ts'
import { toCodeSnippets, toSearchSnippets } from './snippets.ts'
import type { SearchResult } from './use-search.ts'

export interface ApiRequestProps {
  readonly result: SearchResult | null
  readonly search: Search
}

export function ApiRequest({ result, search }: ApiRequestProps): JSX.Element {
  const { strings } = useLocale()
  const shownSearch = result?.search ?? search
  const isOnlyByCode = result?.kind === 'records' && result.recordByCode !== null && result.records.length === 0
  const { url, snippets } = isOnlyByCode ? toCodeSnippets(shownSearch.words.trim()) : toSearchSnippets(shownSearch)
  const { years } = shownSearch
  const isYearRange = years !== null && years.from !== years.to
  return (
    <section class="request" aria-labelledby="request-heading">
      <h2 id="request-heading">{strings.request}</h2>
      <div class="line">
        <code>GET {url}</code>
        <CopyButton text={url} what={strings.address} />
      </div>
      <details>
        <summary>
          curl, JavaScript, Python
          <ChevronIcon />
        </summary>
        <p class="hint">{isYearRange ? strings.requestYears : strings.requestHint}</p>
        {snippets.map(({ name, code }) => (
          <div class="snippet" key={name}>
            <h3>{name}</h3>
            <div class="line">
              <code>{code}</code>
              <CopyButton text={code} what={name} />
            </div>
          </div>
        ))}
      </details>
    </section>
  )
}
