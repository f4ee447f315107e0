// The API request that returns what is on screen, for developers.
import type { JSX } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import type { Search } from './search-url.ts'
import { toSnippets } from './snippets.ts'
import type { SearchResult } from './use-search.ts'

export interface ApiRequestProps {
  readonly result: SearchResult | null
  readonly search: Search
}

export function ApiRequest({ result, search }: ApiRequestProps): JSX.Element {
  const { strings } = useLocale()
  const sent = result?.search ?? search
  const isByCode = result?.kind === 'records' && result.recordByCode !== null && result.records.length === 0
  const { url, snippets } = toSnippets(sent, isByCode)
  const isRange = sent.years !== null && sent.years.from !== sent.years.to
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
        <p class="hint">{isRange ? strings.requestYears : strings.requestHint}</p>
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
