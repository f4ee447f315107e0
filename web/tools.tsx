// At the end of a page: what can be done with its records elsewhere. Downloads them, follows them with a feed reader,
// and shows the API request behind the page.

import { CopyButton } from './copy-button.tsx'
import { describeFilters } from './describe-search.ts'
import { ChevronIcon } from './icons.tsx'
import type { Children, JSX } from './jsx-runtime.ts'
import { isUnfiltered, type Search, toFilters, withQuery } from './search-url.ts'
import { useLocale, useSite } from './site-context.ts'

export function Tools({ children }: { readonly children: Children }): JSX.Element {
  const { strings } = useLocale()
  return (
    <section class="tools" aria-label={strings.tools}>
      {children}
    </section>
  )
}

function Tool({ summary, id, children }: { readonly summary: string; readonly id: string; children: Children }) {
  return (
    <details id={id}>
      <summary>
        {summary}
        <ChevronIcon />
      </summary>
      {children}
    </details>
  )
}

export interface FollowProps {
  /** `Seguir esta búsqueda` */
  readonly label: string
  /** The feed, relative to the base URL. */
  readonly path: string
}

export function Follow({ label, path }: FollowProps): JSX.Element {
  const { strings } = useLocale()
  const { site } = useSite()
  const url = site.baseUrl + path
  return (
    <Tool summary={label} id="follow">
      <p class="hint">{strings.followHint}</p>
      <div class="line">
        <code>{url}</code>
        <CopyButton text={url} what={strings.address} />
      </div>
      <p>
        <a href={path} type="application/atom+xml">
          {strings.openFeed}
        </a>
      </p>
    </Tool>
  )
}

/** The API request behind a page, and one line of curl, JavaScript and Python that sends it. */
export function ApiRequest({ path }: { readonly path: string }): JSX.Element {
  const { strings } = useLocale()
  const { site } = useSite()
  const url = site.baseUrl + path
  const snippets = [
    { name: 'curl', line: `curl '${url}'` },
    { name: 'JavaScript', line: `const { resultadoBusqueda } = await (await fetch('${url}')).json()` },
    {
      name: 'Python',
      line: `import json, urllib.request; records = json.load(urllib.request.urlopen('${url}'))['resultadoBusqueda']`,
    },
  ]
  return (
    <Tool summary={strings.request} id="request">
      <p class="hint">{strings.requestHint}</p>
      <div class="line">
        <code>
          GET <a href={path}>{url}</a>
        </code>
        <CopyButton text={url} what={strings.address} />
      </div>
      {snippets.map(({ name, line }) => (
        <div class="snippet" key={name}>
          <h3>{name}</h3>
          <div class="line">
            <code>{line}</code>
            <CopyButton text={line} what={name} />
          </div>
        </div>
      ))}
    </Tool>
  )
}

/** The address of the request for a record. An apostrophe would end the quotes of a snippet. */
export function toRecordPath(code: string): string {
  return `record/${encodeURIComponent(code).replaceAll("'", '%27')}`
}

export interface DownloadProps {
  /** The search whose records are downloaded. */
  readonly search: Search
  /** The same search with its municipality as in running text, for the label. */
  readonly describedSearch: Search
  /** The number of records; null if they could not be counted. */
  readonly total: number | null
}

/** Downloads all records of a search, not only those on screen. */
export function Download({ search, describedSearch, total }: DownloadProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const recordCount = total === null ? strings.recordsWithoutCount : locale.formatRecordCount(total)
  // `317 records with “plan parcial” in Alicante`: part of the label for screen readers.
  const description = isUnfiltered(search)
    ? strings.allRecords(recordCount)
    : `${recordCount} ${describeFilters(describedSearch, locale)}`
  return (
    <p class="download">
      <a href={withQuery('record.csv', toFilters(search))} download aria-label={strings.downloadAs(description, 'CSV')}>
        {strings.download(recordCount)}
      </a>
    </p>
  )
}
