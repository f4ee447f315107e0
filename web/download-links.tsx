// Links that download all records of a search, not only those on screen, and the link to the feed of the search.
import type { JSX } from 'preact'
import { describeFilters } from './describe-search.ts'
import { isUnfiltered, type Search, toFeedPath, toParameters, toQueryString } from './search-url.ts'
import { useLocale } from './site-context.ts'

export interface DownloadLinksProps {
  /** The search whose records are downloaded. The addresses and the file names are made from it. */
  readonly search: Search
  /** The same search with its municipality as in running text, `A Coruña` for `coruna`, for the labels. */
  readonly describedSearch: Search
  /** The number of records; null until they are counted, or if they could not be counted. */
  readonly total: number | null
}

export function DownloadLinks({ search, describedSearch, total }: DownloadLinksProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const query = toQueryString(toParameters(search))
  const recordCount = total === null ? strings.recordsWithoutCount : locale.formatRecordCount(total)
  // `317 records with “plan parcial” in Alicante`: part of the labels of the downloads for screen readers.
  const description = isUnfiltered(search)
    ? strings.allRecords(recordCount)
    : `${recordCount} ${describeFilters(describedSearch, locale)}`
  return (
    <p class="download">
      <span>{strings.download(recordCount)}</span>
      {formats.map(({ name, path }) => (
        <a
          key={name}
          class="tag"
          href={query === '' ? path : `${path}?${query}`}
          download={toFileName(search, name)}
          aria-label={strings.downloadAs(description, name)}
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

/** `path` is where the service returns the records in the format, relative to the base URL. */
const formats = [
  { name: 'CSV', path: 'record.csv' },
  { name: 'JSON', path: 'record' },
] as const

/** A search term may have 500 characters, more than a file system allows in a name. */
const fileNameCharactersMax = 80

/** The filters in small letters without accents: `expedientes-plan-parcial-avila-2004-2008.csv`. */
function toFileName(search: Search, format: string): string {
  const { from, to, ...otherFilters } = search
  const name = ['expedientes', ...Object.values(otherFilters), from, to === from ? '' : to]
    .join(' ')
    // NFD separates the accents from their letters, so that they can be removed.
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${name.slice(0, fileNameCharactersMax)}.${format.toLowerCase()}`
}
