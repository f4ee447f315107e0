// Preact contexts that every component may read: the locale of the page, and the page itself. page.tsx sets both.
// `useUrls` makes the addresses of links.
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Locale, toLocale } from './locale.ts'
import type { PageData } from './page-data.ts'
import { type Search, toFilters, toPageUrl, unfiltered, withQuery } from './search-url.ts'

export const LocaleContext: Context<Locale> = createContext(toLocale('es'))

/** What all components may read of the page. */
export type Site = Omit<PageData, 'view'> & { readonly urls: SiteUrls }

export const SiteContext: Context<Site | null> = createContext<Site | null>(null)

export function useLocale(): Locale {
  return useContext(LocaleContext)
}

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (site === null) throw new Error('A component is rendered without a page')
  return site
}

export interface SiteUrls {
  /** `{ lang: 'en' }` if the address of this page names the language; otherwise empty. */
  readonly languageParameter: Readonly<Record<string, string>>
  /** The page of a search. `more` are further parameters, such as a cursor. */
  readonly search: (search: Search, more?: Readonly<Record<string, string>>) => string
  /** The page of a record; `search` is the one that found it, to which the page links back. */
  readonly record: (code: string, search?: Search) => string
  readonly municipality: (ineCode: string) => string
}

/** The addresses of pages, relative to the base URL. They repeat `lang` if the address of this page has it. */
export function useUrls(): SiteUrls {
  return useSite().urls
}

export function toUrls({ language, isLanguageNamed }: Pick<PageData, 'language' | 'isLanguageNamed'>): SiteUrls {
  const languageParameter: SiteUrls['languageParameter'] = isLanguageNamed ? { lang: language } : {}
  return {
    languageParameter,
    search: (search, more = {}) => toPageUrl(search, { ...more, ...languageParameter }),
    record: (code, search = unfiltered) =>
      withQuery(`expediente/${encodeURIComponent(code)}`, { ...toFilters(search), ...languageParameter }),
    municipality: (ineCode) => withQuery(`municipio/${ineCode}`, languageParameter),
  }
}
