// The request behind what is on screen, for those who want to build on it.
import type { JSX } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import type { Search } from './search-url.ts'
import { toSnippets } from './snippets.ts'
import type { Answer } from './use-search.ts'

export interface ApiRequestProps {
  readonly answer: Answer | null
  readonly search: Search
}

export function ApiRequest({ answer, search }: ApiRequestProps): JSX.Element {
  const { strings } = useLocale()
  const asked = answer?.search ?? search
  const isByCode = answer?.kind === 'records' && answer.exact !== null && answer.records.length === 0
  const { address, snippets } = toSnippets(asked, isByCode)
  const isRange = asked.years !== null && asked.years.from !== asked.years.to
  return (
    <section class="request" aria-labelledby="request-heading">
      <h2 id="request-heading">{strings.request}</h2>
      <div class="line">
        <code>GET {address}</code>
        <CopyButton text={address} what={strings.address} />
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
