// The top and the foot of the page: whose registry this is, how much it holds and of when, and the way to the
// reference.
import type { JSX } from 'preact'
import { Mark } from './icons.tsx'
import type { Instance } from './instance.ts'
import { useSpeech } from './locale-context.ts'
import { baseAddress } from './search-url.ts'
import type { SummaryBody } from './service.ts'

export interface MastheadProps {
  readonly instance: Instance
  readonly whole: SummaryBody | null
  readonly onSwitchLanguage: () => void
  readonly onHome: () => void
}

export function Masthead({ instance, whole, onSwitchLanguage, onHome }: MastheadProps): JSX.Element {
  const { language, say } = useSpeech()
  const goHome = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onHome()
  }
  return (
    <header class="masthead">
      <div class="top">
        <div class="wrap">
          <a class="brand" href={baseAddress} onClick={goHome}>
            <Mark />
            <span>{instance.name ?? say.name}</span>
          </a>
          <nav>
            <a href="docs">{say.reference}</a>
            <button type="button" class="language" lang={language === 'es' ? 'en' : 'es'} onClick={onSwitchLanguage}>
              {say.otherLanguage}
            </button>
          </nav>
        </div>
      </div>
      {instance.isFictional && (
        <p class="fictional">
          <span class="wrap">{say.fictional}</span>
        </p>
      )}
      <div class="wrap intro">
        <h1>{say.heading}</h1>
        <p class="lead">{say.lead}</p>
        <Facts instance={instance} whole={whole} />
      </div>
    </header>
  )
}

function Facts({ instance, whole }: Pick<MastheadProps, 'instance' | 'whole'>): JSX.Element {
  const { say, number, day } = useSpeech()
  if (whole === null) return <p class="facts" aria-busy="true" />
  const { total, by_year: years, by_municipality: municipalities } = whole
  const span = `${years.at(0)?.year ?? ''}–${years.at(-1)?.year ?? ''}`
  return (
    <p class="facts">
      <span>{say.facts(number(total), number(municipalities.length), span)}</span>
      {instance.refreshed !== null && <span>{say.refreshed(day(instance.refreshed))}</span>}
    </p>
  )
}

export function PageFoot({ instance }: { readonly instance: Instance }): JSX.Element {
  const { say } = useSpeech()
  return (
    <footer class="foot">
      <div class="wrap">
        <p>
          {instance.publisher !== null && <strong>{instance.publisher}. </strong>}
          {say.footer}
        </p>
        <ul>
          <li>
            <a href="docs">{say.linkReference}</a>
          </li>
          <li>
            <a href="openapi.json">{say.linkOpenApi}</a>
          </li>
          <li>
            <a href="municipality">{say.linkMunicipalities}</a>
          </li>
          <li>
            <a href="catalog">{say.linkCatalog}</a>
          </li>
        </ul>
      </div>
    </footer>
  )
}
