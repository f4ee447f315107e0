// The page as a whole, on the server and in the browser: chooses the component of the view, and provides the locale and
// the site to all components.
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { preferredLanguage, saveLanguage, toLocale } from './locale.ts'
import { MissingPage } from './missing-page.tsx'
import { MunicipalityPage } from './municipality-page.tsx'
import type { PageData } from './page-data.ts'
import { RecordPage } from './record-page.tsx'
import { SearchPage } from './search-page.tsx'
import { LocaleContext, SiteContext } from './site-context.ts'
import { type Language, loadStrings } from './strings.ts'

export interface PageProps {
  readonly data: PageData
  /** The HTML of the map, on the server; null in the browser, where the map is in the page already. */
  readonly mapHtml: string | null
}

export function Page({ data, mapHtml }: PageProps): JSX.Element {
  // The server renders Spanish unless the address names another language, so that responses can be cached.
  const [language, setLanguage] = useState<Language>(data.language ?? 'es')
  // Links repeat the language only if the address names it. After a switch it is saved in the browser instead, if the
  // browser allows that.
  const [isLanguageInUrl, setLanguageInUrl] = useState(data.language !== null)
  const locale = useMemo(() => toLocale(language), [language])
  const site = useMemo(() => {
    const languageParameter: Readonly<Record<string, string>> = isLanguageInUrl ? { lang: language } : {}
    return { metadata: data.site, registry: data.registry, languageParameter, mapHtml }
  }, [data, mapHtml, isLanguageInUrl, language])
  // The saved language, or the one that the browser prefers, is applied after the first rendering, which must be the
  // same as on the server.
  useEffect(() => {
    if (data.language !== null) return
    const preferred = preferredLanguage()
    // If the text cannot be loaded, the page stays as it is.
    loadStrings(preferred).then(
      () => setLanguage(preferred),
      () => {},
    )
  }, [])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  const switchLanguage = async (): Promise<void> => {
    const other = language === 'es' ? 'en' : 'es'
    const isSaved = saveLanguage(other)
    const isLoaded = await loadStrings(other).then(
      () => true,
      () => false,
    )
    // Read only now, because the user may have made another search while the text was loaded.
    const url = new URL(location.href)
    url.searchParams.set('lang', other)
    // If the text cannot be loaded, the page is loaded again, and the server renders it in the other language.
    if (!isLoaded) return location.assign(url)
    setLanguage(other)
    setLanguageInUrl(!isSaved)
    if (isSaved) url.searchParams.delete('lang')
    history.replaceState(history.state, '', url)
  }

  return (
    <LocaleContext.Provider value={locale}>
      <SiteContext.Provider value={site}>
        {data.view.kind === 'search' && <SearchPage view={data.view} onSwitchLanguage={switchLanguage} />}
        {data.view.kind === 'record' && <RecordPage view={data.view} onSwitchLanguage={switchLanguage} />}
        {data.view.kind === 'municipality' && <MunicipalityPage view={data.view} onSwitchLanguage={switchLanguage} />}
        {data.view.kind === 'missing' && <MissingPage view={data.view} onSwitchLanguage={switchLanguage} />}
      </SiteContext.Provider>
    </LocaleContext.Provider>
  )
}
