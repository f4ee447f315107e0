// The page of one municipality: its newest records, its records over the years and on the map, and its feed.

import { Charts } from './charts.tsx'
import { toProvinceLabel } from './describe-search.ts'
import type { JSX } from './jsx-runtime.ts'
import type { MunicipalityView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { RecordEntry } from './record-entry.tsx'
import { SearchForm } from './search-form.tsx'
import { toFeedPath, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { Download, Follow, Tools } from './tools.tsx'

export function MunicipalityPage({ view }: { readonly view: MunicipalityView }): JSX.Element {
  const { name, ineCode, place, search, result, counts } = view
  const { strings, formatRecordCount } = useLocale()
  const { registry } = useSite()
  const urls = useUrls()
  const records = result.kind === 'records' ? result.records : []
  const total = result.kind === 'records' ? result.total : null
  const byYear = counts?.byYear ?? []
  // `Zaragoza` of `Zaragoza, Aragón`.
  const [province = ''] = place.split(', ')
  const hasMore = result.kind === 'records' && result.cursor !== null
  return (
    <PageFrame isCompact url={urls.municipality(ineCode)} skipTo="content">
      <main class="wrap article" id="content" tabindex={-1}>
        <nav class="trail" aria-label={strings.trail}>
          <a href={urls.search(unfiltered)}>{strings.home}</a>
          {province !== '' && (
            <a href={urls.search({ ...unfiltered, province: ineCode.slice(0, 2) })}>
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
        <SearchForm
          search={{ ...unfiltered, municipality: search.municipality, province: search.province }}
          byYear={registry.byYear}
          areYearsCounted={false}
          isFolded
        />
        <div class="columns">
          <section class="results" aria-labelledby="results-heading">
            <div class="results-head">
              <h2 id="results-heading">{strings.newest}</h2>
            </div>
            <ol class="records">
              {records.map((record, index) => (
                // Without filters in `search`, the links to the records are their plain addresses.
                <RecordEntry
                  key={`${record.id}/${index}`}
                  record={record}
                  search={unfiltered}
                  isMunicipalityShown={false}
                />
              ))}
            </ol>
            {hasMore && (
              <p class="more">
                <a class="button secondary" href={urls.search(search)}>
                  {strings.allOf(total === null ? strings.recordsWithoutCount : formatRecordCount(total))}
                </a>
              </p>
            )}
            <Tools>
              <Download search={search} describedSearch={search} total={total} />
              <Follow label={strings.followMunicipality} path={toFeedPath({ ...unfiltered, municipality: ineCode })} />
            </Tools>
          </section>
          {counts !== null && byYear.length > 0 && <Charts search={search} counts={counts} />}
        </div>
      </main>
    </PageFrame>
  )
}
