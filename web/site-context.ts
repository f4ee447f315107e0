// What every component may read of the page that is being rendered: its language, and the page itself. Rendering is
// synchronous, so there is one page at a time. `useUrls` makes the addresses of links.
import type { Locale } from './locale.ts'
import type { PageData } from './page-data.ts'
import { type Search, toFilters, toPageUrl, unfiltered, withQuery } from './search-url.ts'

/** What all components may read of the page. */
export type Site = Omit<PageData, 'view'> & { readonly urls: SiteUrls }

let current: { readonly locale: Locale; readonly site: Site } | undefined

/** Calls `render`, whose components read this page. */
export function renderWith<T>(locale: Locale, site: Site, render: () => T): T {
  current = { locale, site }
  try {
    return render()
  } finally {
    current = undefined
  }
}

function useCurrent(): { readonly locale: Locale; readonly site: Site } {
  if (current === undefined) throw new Error('A component is rendered without a page')
  return current
}

export function useLocale(): Locale {
  return useCurrent().locale
}

export function useSite(): Site {
  return useCurrent().site
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
