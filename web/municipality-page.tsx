// The page of one municipality: its newest records, its records over the years and on the map, and its feed.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Charts } from './charts.tsx'
import { DeferredPart } from './deferred-part.tsx'
import { toProvinceLabel } from './describe-search.ts'
import { DownloadLinks } from './download-links.tsx'
import type { MunicipalityView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { toProvinceCode } from './province-code.ts'
import { RecordEntry } from './record-entry.tsx'
import { SearchElsewhere } from './search-elsewhere.tsx'
import { type Search, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { toMunicipalityWindowTitle } from './window-title.ts'

export interface MunicipalityPageProps {
  readonly view: MunicipalityView
  readonly onSwitchLanguage: () => void
}

export function MunicipalityPage({ view, onSwitchLanguage }: MunicipalityPageProps): JSX.Element {
  const { name, ineCode, place, search, result, counts } = view
  const locale = useLocale()
  const { strings, formatRecordCount } = locale
  const { metadata } = useSite()
  const urls = useUrls()
  // The title of the window changes with the language.
  useEffect(() => {
    document.title = toMunicipalityWindowTitle(view, locale, metadata.name ?? strings.name)
  }, [locale])
  /** Opens the start page with the changed search. */
  const open = (change: Partial<Search>): void => location.assign(urls.search({ ...search, ...change }))
  const records = result.kind === 'records' ? result.records : []
  const total = result.kind === 'records' ? result.total : null
  const byYear = counts?.byYear ?? []
  // `Zaragoza` of `Zaragoza, Aragón`.
  const [province = ''] = place.split(', ')
  const hasMore = result.kind === 'records' && result.cursor !== null
  return (
    <PageFrame isCompact url={urls.municipality(ineCode)} onSwitchLanguage={onSwitchLanguage} skipTo="content">
      <main class="wrap article" id="content" tabIndex={-1}>
        <nav class="trail" aria-label={strings.trail}>
          <a href={urls.search(unfiltered)}>{strings.home}</a>
          {province !== '' && (
            <a href={urls.search({ ...unfiltered, province: toProvinceCode(ineCode) })}>
              {toProvinceLabel(province, name, strings)}
            </a>
          )}
        </nav>
        <h1>{name}</h1>
        <p class="facts">
          <span>{place}</span> <span>{strings.ineCode(ineCode)}</span>{' '}
          {total !== null && <span>{formatRecordCount(total)}</span>}{' '}
          {byYear.length > 0 && (
            <span>
              {byYear.at(0)?.year}–{byYear.at(-1)?.year}
            </span>
          )}
        </p>
        <SearchElsewhere
          search={{ ...unfiltered, municipality: search.municipality, province: search.province }}
          byYear={byYear.length > 0 ? byYear : null}
        />
        <div class="columns">
          <section class="results" aria-labelledby="results-heading">
            <div class="results-head">
              <h2 id="results-heading">{strings.newest}</h2>
              <DownloadLinks search={search} describedSearch={search} total={total} />
            </div>
            <ol class="records">
              {records.map((record, index) => (
                // The server renders each entry after the rest of the page (deferred-part.tsx). The import does not
                // check that ids are unique, so the key also has the index. Without filters in `search`, the links to
                // the records are their plain addresses.
                <DeferredPart key={`${record.id}/${index}`}>
                  <RecordEntry record={record} search={unfiltered} isMunicipalityShown={false} onChoose={open} />
                </DeferredPart>
              ))}
            </ol>
            {hasMore && (
              <p class="more">
                <a class="button secondary" href={urls.search(search)}>
                  {strings.allOf(total === null ? strings.recordsWithoutCount : formatRecordCount(total))}
                </a>
              </p>
            )}
          </section>
          {counts !== null && byYear.length > 0 && <Charts draft={search} counts={counts} onChoose={open} />}
        </div>
      </main>
    </PageFrame>
  )
}
