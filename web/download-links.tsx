// Links that download the whole result. The service streams both formats.
import type { JSX } from 'preact'
import { describeFilters } from './describe-search.ts'
import { isUnfiltered, type Search, toFeedPath, toFilters, toQueryString } from './search-url.ts'
import { useLocale } from './site-context.ts'

export interface DownloadLinksProps {
  readonly search: Search
  /** Null until the records are counted. */
  readonly total: number | null
}

export function DownloadLinks({ search, total }: DownloadLinksProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const query = toQueryString({ ...toFilters(search) })
  const records = total === null ? strings.uncountedRecords : locale.formatRecordCount(total)
  const what = isUnfiltered(search) ? strings.allRecords(records) : `${records} ${describeFilters(search, locale)}`
  return (
    <p class="download">
      <span id="download-what">{strings.download(records)}</span>
      {formats.map(({ name, operation }) => (
        <a
          key={name}
          class="tag"
          href={query === '' ? operation : `${operation}?${query}`}
          download={toFileName(search, name)}
          aria-label={strings.downloadAs(what, name)}
        >
          {name}
        </a>
      ))}
      <a class="tag" href={toFeedPath(search)} type="application/atom+xml">
        {strings.feed}
      </a>
    </p>
  )
}

const formats = [
  { name: 'CSV', operation: 'record.csv' },
  { name: 'JSON', operation: 'record' },
] as const

const fileNameCharactersMax = 80

/** `expedientes-plan-parcial-avila-2004-2008.csv` */
function toFileName(search: Search, format: string): string {
  const { from, to, ...texts } = search
  const name = ['expedientes', ...Object.values(texts), from, to === from ? '' : to]
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${name.slice(0, fileNameCharactersMax)}.${format.toLowerCase()}`
}
