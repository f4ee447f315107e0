// Header and footer of every page: the name of the registry, the licence of its data, its contact, and links to the
// API. The header of the start page also has an introduction, with the size and the date of the registry.
import type { ComponentChildren, JSX } from 'preact'
import { onPlainClick } from './filter-link.tsx'
import { Logo } from './icons.tsx'
import { useLocale, useSite } from './site-context.ts'
import type { Language } from './strings.ts'

export interface MastheadProps {
  /** The address of this page in the other language. */
  readonly otherLanguageUrl: string
  readonly onSwitchLanguage: () => void
  /** The address of the start page in this language. */
  readonly homeUrl: string
  /** Called on the start page instead of loading it again; undefined on any other page, where the link loads it. */
  readonly onHome?: (() => void) | undefined
  /** Whether the header is small. It is large only on the start page without a search. */
  readonly isCompact: boolean
  /** The introduction at the end of the header; undefined for none. */
  readonly intro: ComponentChildren
}

export function Masthead(props: MastheadProps): JSX.Element {
  const { otherLanguageUrl, onSwitchLanguage, homeUrl, onHome, isCompact, intro } = props
  const { language, strings } = useLocale()
  const { metadata } = useSite()
  const otherLanguage = language === 'es' ? 'en' : 'es'
  return (
    <header class={isCompact ? 'masthead compact' : 'masthead'}>
      <div class="top">
        <div class="wrap">
          <a class="brand" href={homeUrl} onClick={onHome && onPlainClick(onHome)}>
            <Logo />
            <span>{metadata.name ?? strings.name}</span>
          </a>
          <nav aria-label={strings.navigation}>
            <a href={toReferenceUrl(language)}>{strings.reference}</a>
            <a
              class="language"
              href={otherLanguageUrl}
              lang={otherLanguage}
              hreflang={otherLanguage}
              rel="alternate"
              onClick={onPlainClick(onSwitchLanguage)}
            >
              {strings.otherLanguage}
            </a>
          </nav>
        </div>
      </div>
      {metadata.isFictional && (
        <p class="fictional">
          <span class="wrap">{strings.fictional}</span>
        </p>
      )}
      {intro}
    </header>
  )
}

/** The introduction of the start page; in a small header only a heading for screen readers. */
export function Intro({ isCompact }: { readonly isCompact: boolean }): JSX.Element {
  const { strings } = useLocale()
  if (isCompact) return <h1 class="visually-hidden">{strings.heading}</h1>
  return (
    <div class="wrap intro">
      <h1>{strings.heading}</h1>
      <p class="lead">{strings.lead}</p>
      <Facts />
    </div>
  )
}

/** The size and the date of the registry; nothing if the registry could not be read. */
function Facts(): JSX.Element | null {
  const { strings, formatNumber, formatDate } = useLocale()
  const { metadata, registry } = useSite()
  if (registry === null) return null
  const { total, byYear, municipalities } = registry
  const years = `${byYear.at(0)?.year ?? ''}–${byYear.at(-1)?.year ?? ''}`
  return (
    <p class="facts">
      <span>{strings.facts(formatNumber(total), formatNumber(municipalities), years)}</span>{' '}
      <span>{strings.refreshed(formatDate(new Date(metadata.refreshedAt)))}</span>
    </p>
  )
}

export function PageFooter(): JSX.Element {
  const { language, strings } = useLocale()
  const { metadata } = useSite()
  const links: readonly (readonly [href: string, label: string])[] = [
    [toReferenceUrl(language), strings.linkReference],
    ['openapi.json', strings.linkOpenApi],
    ['municipality', strings.linkMunicipalities],
    ['catalog', strings.linkCatalog],
  ]
  return (
    <footer class="page-footer">
      <div class="wrap">
        <div>
          <p>
            {metadata.publisher !== null && <strong>{metadata.publisher}. </strong>}
            {strings.footer}
          </p>
          <p>
            {metadata.licence === null ? (
              strings.noLicence
            ) : (
              <a href={metadata.licence} rel="license">
                {strings.licence(toLicenceName(metadata.licence))}
              </a>
            )}
            {metadata.contact !== null && (
              <>
                {' · '}
                <a href={metadata.contact}>{strings.contact(metadata.contact.replace(/^mailto:/, ''))}</a>
              </>
            )}
          </p>
        </div>
        <ul>
          {links.map(([href, label]) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}

/** The reference page of the API, which is in English unless the address names Spanish. */
function toReferenceUrl(language: Language): string {
  return language === 'es' ? 'docs?lang=es' : 'docs'
}

/** `CC BY 4.0` for `https://creativecommons.org/licenses/by/4.0/`; any other address without its `https://`. */
function toLicenceName(address: string): string {
  const [, kind, version] = /^https?:\/\/creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)\b/.exec(address) ?? []
  return kind === undefined ? address.replace(/^https?:\/\//, '') : `CC ${kind.toUpperCase()} ${version}`
}
