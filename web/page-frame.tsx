// What all pages share: the button that skips to the content, the header and the footer.
import type { ComponentChildren, JSX } from 'preact'
import { Masthead, PageFooter } from './masthead.tsx'
import { toQueryString, unfiltered } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'
import type { Language } from './strings.ts'

export interface PageFrameProps {
  /** Whether the header is small. */
  readonly isCompact: boolean
  /** The address of this page, relative to the base URL. */
  readonly url: string
  readonly onSwitchLanguage: () => void
  /**
   * On the start page, called when the user clicks the link to it in the header, instead of loading it again. Undefined
   * on any other page, where the link loads the start page.
   */
  readonly onHome?: (() => void) | undefined
  /** The id of the element that the skip button moves the focus to. */
  readonly skipTo: string
  /** The introduction in the header; undefined for none. */
  readonly intro?: ComponentChildren
  readonly children: ComponentChildren
}

export function PageFrame(props: PageFrameProps): JSX.Element {
  const { isCompact, url, onSwitchLanguage, onHome, skipTo, intro, children } = props
  const { language, strings } = useLocale()
  const urls = useUrls()
  return (
    <>
      {/* Not a link: the page has a `<base>`, so `#results` would lead to the base URL and leave the page. */}
      <button type="button" class="skip" onClick={() => document.getElementById(skipTo)?.focus()}>
        {strings.skip}
      </button>
      <Masthead
        otherLanguageUrl={toOtherLanguageUrl(url, language)}
        onSwitchLanguage={onSwitchLanguage}
        homeUrl={urls.search(unfiltered)}
        onHome={onHome}
        isCompact={isCompact}
        intro={intro}
      />
      {children}
      <PageFooter />
    </>
  )
}

/**
 * The same page in the other language. Spanish is named too: without `lang`, the page would be in the saved language or
 * the one that the browser prefers.
 */
function toOtherLanguageUrl(url: string, language: Language): string {
  const [path = '', query = ''] = url.split('?')
  const parameters = Object.fromEntries(new URLSearchParams(query))
  return `${path}?${toQueryString({ ...parameters, lang: language === 'es' ? 'en' : 'es' })}`
}
