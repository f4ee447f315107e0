// Header and footer of every page: the name of the registry, the licence of its data, its contact, and links to the
// API. The header of the start page also has an introduction, with the size and the date of the registry.

import type { PageLanguage } from '../src/api/page-renderer.ts'
import { Logo } from './icons.tsx'
import type { Children, JSX } from './jsx-runtime.ts'
import { useLocale, useSite } from './site-context.ts'

export interface MastheadProps {
  /** The address of this page in the other language. */
  readonly otherLanguageUrl: string
  /** The address of the start page in this language. */
  readonly homeUrl: string
  /** Whether the header is small. It is large only on the start page without a search. */
  readonly isCompact: boolean
  /** The introduction at the end of the header; undefined for none. */
  readonly intro: Children
}

export function Masthead(props: MastheadProps): JSX.Element {
  const { otherLanguageUrl, homeUrl, isCompact, intro } = props
  const { language, strings } = useLocale()
  const { site: metadata } = useSite()
  const otherLanguage = language === 'es' ? 'en' : 'es'
  return (
    <header class={isCompact ? 'masthead compact' : 'masthead'} id="masthead">
      <div class="top">
        <div class="wrap">
          <a class="brand" href={homeUrl}>
            <Logo />
            <span>{metadata.name ?? strings.name}</span>
          </a>
          <nav aria-label={strings.navigation}>
            <a href={toReferenceUrl(language)}>{strings.reference}</a>
            <a class="language" href={otherLanguageUrl} lang={otherLanguage} hreflang={otherLanguage} rel="alternate">
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

/** The introduction of the start page. In a small header the style sheet leaves only the heading, for screen readers. */
export function Intro(): JSX.Element {
  const { strings, formatNumber, formatDate } = useLocale()
  const { site, registry } = useSite()
  const { total, byYear, municipalities } = registry
  const years = `${byYear.at(0)?.year ?? ''}–${byYear.at(-1)?.year ?? ''}`
  return (
    <div class="wrap intro">
      <h1>{strings.heading}</h1>
      <p class="lead">{strings.lead}</p>
      {total > 0 && (
        <p class="facts">
          <span>{strings.facts(formatNumber(total), formatNumber(municipalities), years)}</span>{' '}
          <span>{strings.refreshed(formatDate(new Date(site.refreshedAt)))}</span>
        </p>
      )}
    </div>
  )
}

export function PageFooter(): JSX.Element {
  const { language, strings } = useLocale()
  const { site: metadata } = useSite()
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
            {metadata.licence !== null && (
              <a href={metadata.licence} rel="license">
                {strings.licence(toLicenceName(metadata.licence))}
              </a>
            )}
            {metadata.licence !== null && metadata.contact !== null && ' · '}
            {metadata.contact !== null && (
              <a href={metadata.contact}>{strings.contact(metadata.contact.replace(/^mailto:/, ''))}</a>
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
function toReferenceUrl(language: PageLanguage): string {
  return language === 'es' ? 'docs?lang=es' : 'docs'
}

/** `CC BY 4.0` for `https://creativecommons.org/licenses/by/4.0/`; any other address without its `https://`. */
function toLicenceName(address: string): string {
  const [, kind, version] = /^https?:\/\/creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)\b/.exec(address) ?? []
  return kind === undefined ? address.replace(/^https?:\/\//, '') : `CC ${kind.toUpperCase()} ${version}`
}
