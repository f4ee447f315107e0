// The top and the foot of the page: whose registry this is, how much it holds and of when, and the way to the
// reference.
import type { JSX } from 'preact'
import { Mark } from './icons.tsx'
import type { Instance } from './instance.ts'
import { useLocale } from './locale-context.ts'
import { baseUrl } from './search-url.ts'
import type { WireSummary } from './service.ts'

export interface MastheadProps {
  readonly instance: Instance
  readonly whole: WireSummary | null
  readonly onSwitchLanguage: () => void
  readonly onHome: () => void
}

export function Masthead({ instance, whole, onSwitchLanguage, onHome }: MastheadProps): JSX.Element {
  const { language, strings } = useLocale()
  const goHome = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onHome()
  }
  return (
    <header class="masthead">
      <div class="top">
        <div class="wrap">
          <a class="brand" href={baseUrl} onClick={goHome}>
            <Mark />
            <span>{instance.name ?? strings.name}</span>
          </a>
          <nav>
            <a href="docs">{strings.reference}</a>
            <button type="button" class="language" lang={language === 'es' ? 'en' : 'es'} onClick={onSwitchLanguage}>
              {strings.otherLanguage}
            </button>
          </nav>
        </div>
      </div>
      {instance.isFictional && (
        <p class="fictional">
          <span class="wrap">{strings.fictional}</span>
        </p>
      )}
      <div class="wrap intro">
        <h1>{strings.heading}</h1>
        <p class="lead">{strings.lead}</p>
        <Facts instance={instance} whole={whole} />
      </div>
    </header>
  )
}

function Facts({ instance, whole }: Pick<MastheadProps, 'instance' | 'whole'>): JSX.Element {
  const { strings, formatNumber, formatDate } = useLocale()
  if (whole === null) return <p class="facts" aria-busy="true" />
  const { total, by_year: years, by_municipality: municipalities } = whole
  const span = `${years.at(0)?.year ?? ''}–${years.at(-1)?.year ?? ''}`
  return (
    <p class="facts">
      <span>{strings.facts(formatNumber(total), formatNumber(municipalities.length), span)}</span>
      {instance.refreshed !== null && <span>{strings.refreshed(formatDate(instance.refreshed))}</span>}
    </p>
  )
}

export function PageFooter({ instance }: { readonly instance: Instance }): JSX.Element {
  const { strings } = useLocale()
  return (
    <footer class="page-footer">
      <div class="wrap">
        <p>
          {instance.publisher !== null && <strong>{instance.publisher}. </strong>}
          {strings.footer}
        </p>
        <ul>
          <li>
            <a href="docs">{strings.linkReference}</a>
          </li>
          <li>
            <a href="openapi.json">{strings.linkOpenApi}</a>
          </li>
          <li>
            <a href="municipality">{strings.linkMunicipalities}</a>
          </li>
          <li>
            <a href="catalog">{strings.linkCatalog}</a>
          </li>
        </ul>
      </div>
    </footer>
  )
}
