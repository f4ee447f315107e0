// Header and footer of the page: the name of the registry, its size and date, and links to the API.
import type { JSX } from 'preact'
import type { WireSummary } from '../src/client/client.ts'
import { Logo } from './icons.tsx'
import type { Instance } from './instance.ts'
import { useLocale } from './locale-context.ts'
import { baseUrl } from './search-url.ts'

export interface MastheadProps {
  readonly instance: Instance
  /** Null until it is known. */
  readonly registrySummary: WireSummary | null
  readonly onSwitchLanguage: () => void
  readonly onHome: () => void
}

export function Masthead({ instance, registrySummary, onSwitchLanguage, onHome }: MastheadProps): JSX.Element {
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
            <Logo />
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
        <Facts instance={instance} registrySummary={registrySummary} />
      </div>
    </header>
  )
}

function Facts({ instance, registrySummary }: Pick<MastheadProps, 'instance' | 'registrySummary'>): JSX.Element {
  const { strings, formatNumber, formatDate } = useLocale()
  if (registrySummary === null) return <p class="facts" aria-busy="true" />
  const { total, by_year: years, by_municipality: municipalities } = registrySummary
  const span = `${years.at(0)?.year ?? ''}–${years.at(-1)?.year ?? ''}`
  return (
    <p class="facts">
      <span>{strings.facts(formatNumber(total), formatNumber(municipalities.length), span)}</span>
      {instance.refreshedAt !== null && <span>{strings.refreshed(formatDate(instance.refreshedAt))}</span>}
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
