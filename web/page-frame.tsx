// What all pages share: the link that skips to the content, the header and the footer, and what the scripts need: texts
// and the notices of failures that the server cannot render.

import { FailureNotice } from './failure-notice.tsx'
import type { Children, JSX } from './jsx-runtime.ts'
import { Masthead, PageFooter } from './masthead.tsx'
import type { Failure } from './search-result.ts'
import { toQueryString, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface PageFrameProps {
  /** Whether the header is small. */
  readonly isCompact: boolean
  /** The address that the link to the other language repeats, relative to the base URL. */
  readonly url: string
  /** The id of the element that the skip link leads to. */
  readonly skipTo: string
  /** The introduction in the header; undefined for none. */
  readonly intro?: Children
  readonly children: Children
}

export function PageFrame({ isCompact, url, skipTo, intro, children }: PageFrameProps): JSX.Element {
  const { language, address } = useSite()
  const { strings } = useLocale()
  const urls = useUrls()
  return (
    <>
      {/* The page has a `<base>`, so `#results` alone would lead to the base URL. */}
      <a class="skip" href={`${address}#${skipTo}`}>
        {strings.skip}
      </a>
      <Masthead
        otherLanguageUrl={toOtherLanguageUrl(url, language)}
        homeUrl={urls.search(unfiltered)}
        isCompact={isCompact}
        intro={intro}
      />
      {children}
      <PageFooter />
      <ScriptTexts />
    </>
  )
}

const scriptFailures: readonly Failure['kind'][] = ['offline', 'busy', 'limited', 'failed']

/** The texts that only scripts show: the page has none of its own. `{}` stands for a value. */
function ScriptTexts(): JSX.Element {
  const { strings } = useLocale()
  const urls = useUrls()
  return (
    <>
      <template
        id="texts"
        data-searching={strings.searching}
        data-slow={strings.slow}
        data-loading-more={strings.loadingMore}
        data-copied={strings.copied}
        data-not-copied={strings.notCopied}
        data-accessed={strings.accessed('{}')}
      />
      {scriptFailures.map((kind) => (
        <template key={kind} id={`failure-${kind}`}>
          <FailureNotice failure={{ kind } as Failure} href={urls.search(unfiltered)} />
        </template>
      ))}
    </>
  )
}

/** The same page in the other language. */
function toOtherLanguageUrl(url: string, language: 'es' | 'en'): string {
  const [path = '', query = ''] = url.split('?')
  const parameters = Object.fromEntries(new URLSearchParams(query))
  return `${path}?${toQueryString({ ...parameters, lang: language === 'es' ? 'en' : 'es' })}`
}
