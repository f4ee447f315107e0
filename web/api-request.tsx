// The request behind what is on screen, for those who want to build on it.
import type { JSX } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { ChevronIcon } from './icons.tsx'
import { useSpeech } from './locale-context.ts'
import type { Search } from './search-url.ts'
import { toSnippets } from './snippets.ts'
import type { Answer } from './use-search.ts'

export interface RequestLineProps {
  readonly answer: Answer | null
  readonly search: Search
}

export function RequestLine({ answer, search }: RequestLineProps): JSX.Element {
  const { say } = useSpeech()
  const asked = answer?.search ?? search
  const isByCode = answer?.kind === 'records' && answer.exact !== null && answer.records.length === 0
  const { address, snippets } = toSnippets(asked, isByCode)
  const isRange = asked.years !== null && asked.years.from !== asked.years.to
  return (
    <section class="request" aria-labelledby="request-heading">
      <h2 id="request-heading">{say.request}</h2>
      <div class="line">
        <code>GET {address}</code>
        <CopyButton text={address} what={say.address} />
      </div>
      <details>
        <summary>
          curl, JavaScript, Python
          <ChevronIcon />
        </summary>
        <p class="hint">{isRange ? say.requestYears : say.requestHint}</p>
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
