// Section for developers at the end of a page: the API request for the search or the record on screen.
import type { JSX } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { ChevronIcon } from './icons.tsx'
import type { SearchResult } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale, useSite } from './site-context.ts'
import { toCodePath, toSearchPath, toSnippets } from './snippets.ts'

export interface ApiRequestProps {
  /** Null if there is no result; the section then shows the request for `search`. */
  readonly result: SearchResult | null
  readonly search: Search
}

export function ApiRequest({ result, search }: ApiRequestProps): JSX.Element {
  const { metadata } = useSite()
  const shownSearch = result?.search ?? search
  // Whether the words are an inscription code, and only the record with this code was found.
  const isOnlyByCode = result?.kind === 'records' && result.recordByCode !== null && result.records.length === 0
  const path = isOnlyByCode ? toCodePath(shownSearch.words.trim()) : toSearchPath(shownSearch)
  return <ApiRequestSection url={metadata.baseUrl + path} />
}

/** The API request behind a page, with code that sends it. */
export function ApiRequestSection({ url }: { readonly url: string }): JSX.Element {
  const { strings } = useLocale()
  const snippets = toSnippets(url)
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
        <p class="hint">{strings.requestHint}</p>
        {snippets.map(({ name, line }) => (
          <div class="snippet" key={name}>
            <h3>{name}</h3>
            <div class="line">
              <code>{line}</code>
              <CopyButton text={line} what={name} />
            </div>
          </div>
        ))}
      </details>
    </section>
  )
}
