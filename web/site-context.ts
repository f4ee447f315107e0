// Preact contexts that every component may read: the locale of the page, and the site it belongs to. page.tsx sets
// both. `useUrls` makes the addresses of links.
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SiteMetadata } from '../src/api/page-renderer.ts'
import { type Locale, toLocale } from './locale.ts'
import type { RegistryFacts } from './page-data.ts'
import { type Search, toPageUrl, toParameters, toQueryString, unfiltered } from './search-url.ts'

export interface Site {
  /** The name of the site, its publisher, the licence of its data and the like. */
  readonly metadata: SiteMetadata
  /** Null if the registry could not be read. */
  readonly registry: RegistryFacts | null
  /** The parameter `lang` that links repeat, if the address of the page has it; otherwise empty. */
  readonly languageParameter: Readonly<Record<string, string>>
  /** The HTML of the map, on the server; null in the browser, where the map is in the page already. */
  readonly mapHtml: string | null
}

export const LocaleContext: Context<Locale> = createContext(toLocale('es'))

/** Never shown: page.tsx provides the real site. */
const defaultSite: Site = {
  metadata: {
    baseUrl: '',
    name: null,
    publisher: null,
    licence: null,
    contact: null,
    refreshedAt: '',
    isFictional: false,
    codePattern: null,
  },
  registry: null,
  languageParameter: {},
  mapHtml: null,
}

export const SiteContext: Context<Site> = createContext(defaultSite)

export function useLocale(): Locale {
  return useContext(LocaleContext)
}

export function useSite(): Site {
  return useContext(SiteContext)
}

export interface SiteUrls {
  /** The page of a search. `more` are further parameters, such as a cursor. */
  readonly search: (search: Search, more?: Readonly<Record<string, string>>) => string
  /** The page of a record; `search` is the one that found it, to which the page links back. */
  readonly record: (code: string, search?: Search) => string
  readonly municipality: (ineCode: string) => string
}

/** Makes the addresses of pages, relative to the base URL. They repeat `lang` if the address of this page has it. */
export function useUrls(): SiteUrls {
  const { languageParameter } = useSite()
  const withQuery = (path: string, parameters: Readonly<Record<string, string>>): string => {
    const query = toQueryString({ ...parameters, ...languageParameter })
    return query === '' ? path : `${path}?${query}`
  }
  return {
    search: (search, more = {}) => toPageUrl(search, { ...more, ...languageParameter }),
    record: (code, search = unfiltered) => withQuery(`expediente/${encodeURIComponent(code)}`, toParameters(search)),
    municipality: (ineCode) => withQuery(`municipio/${ineCode}`, {}),
  }
}
