// Entry point on the server: loads what a page shows from the registry and renders it as HTML. The service calls
// `renderPage` (src/api/page-renderer.ts has its types).

import type { PageAddress, PageRequest, RenderedPage } from '../src/api/page-renderer.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { type JSX, toHtml } from './jsx-runtime.ts'
import { loadRecord } from './load-record.ts'
import { loadSearch } from './load-search.ts'
import { toLocale } from './locale.ts'
import { MissingPage } from './missing-page.tsx'
import { MunicipalityOptions } from './municipality-options.tsx'
import { MunicipalityPage } from './municipality-page.tsx'
import { findOffers } from './offers.ts'
import type { MunicipalityView, PageData, RecordView, SearchView, View } from './page-data.ts'
import { PageHead, toHeadFacts } from './page-head.tsx'
import { RecordPage } from './record-page.tsx'
import { type KnownRegistry, readRegistry } from './registry-facts.ts'
import { SearchMain, SearchPage } from './search-page.tsx'
import { parsePageUrl, type Search, unfiltered } from './search-url.ts'
import { renderWith, toUrls } from './site-context.ts'

export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  const { address, language, isLanguageNamed, registry, site } = request
  const known = await readRegistry(request)
  const locale = { ...toLocale(language), fields: registry.fields }
  const base = { site, language, isLanguageNamed, address: toUrl(request), mark: registry.mark, registry: known.facts }
  const render = (component: () => JSX.Element): string =>
    toHtml(renderWith(locale, { ...base, urls: toUrls(request) }, component))
  if (address.kind === 'municipalities') {
    const text = new URLSearchParams(request.query).get('text') ?? ''
    const body = render(() => <MunicipalityOptions text={text} municipalities={registry.municipalities} />)
    return { status: 200, head: '', body, retryAfterSeconds: null }
  }
  const view = await loadView(request, known)
  // Rendering takes about a millisecond, so other requests are served before it.
  await request.letOthersRun()
  const outcome = { status: toStatus(view), retryAfterSeconds: isBusy(view) ? retryAfterSeconds : null }
  if (address.kind === 'results' && view.kind === 'search') {
    return { ...outcome, head: '', body: render(() => <SearchMain view={view} />) }
  }
  const data: PageData = { ...base, view }
  const head = render(() => <PageHead facts={toHeadFacts(data, locale)} />)
  return { ...outcome, head, body: render(() => <Page view={view} />) }
}

function Page({ view }: { readonly view: View }): JSX.Element {
  switch (view.kind) {
    case 'search':
      return <SearchPage view={view} />
    case 'record':
      return <RecordPage view={view} />
    case 'municipality':
      return <MunicipalityPage view={view} />
    case 'missing':
      return <MissingPage view={view} />
  }
}

/** When a client may ask a busy service again. */
const retryAfterSeconds = 5

/** What the page shows; the start page with a failure if the registry cannot be read. */
async function loadView(request: PageRequest, known: KnownRegistry): Promise<View> {
  const { address, query } = request
  try {
    switch (address.kind) {
      case 'record':
        return await loadRecordView(request, address.code)
      case 'municipality':
        return await loadMunicipalityView(request, known, address.ineCode)
      case 'unknown':
        return { kind: 'missing', what: 'address', value: address.path, suggestion: address.suggestion }
      default:
        return await loadSearchView(request, known, parsePageUrl(query))
    }
  } catch (error) {
    if (!request.isBusy(error)) throw error
    const search = address.kind === 'record' ? { ...unfiltered, words: address.code } : parsePageUrl(query)
    const result = { kind: 'failure', search, failure: { kind: 'busy' }, address: toUrl(request) } as const
    return { kind: 'search', search, cursor: null, result, counts: null, offers: [] }
  }
}

async function loadSearchView(request: PageRequest, known: KnownRegistry, search: Search): Promise<SearchView> {
  const { registry, site, query } = request
  const cursor = new URLSearchParams(query).get('cursor') || null
  const { result, counts } = await loadSearch(registry, search, {
    cursor,
    facts: known.facts,
    codePattern: site.codePattern,
    address: toUrl(request),
  })
  const offers = search.words === '' ? [] : await findOffers(registry, search, known.places())
  return nameMunicipality({ kind: 'search', search, cursor, result, counts, offers })
}

/**
 * Replaces an INE code in the municipality of the search by the name, which the form can show, and adds the province,
 * because a municipality of another province may have the same name. Any other search stays as it is.
 */
function nameMunicipality(view: SearchView): SearchView {
  const [chosen] = view.counts?.places?.chosen ?? []
  // The search has an INE code only if it is the code of the chosen municipality. Otherwise it has a name, has no
  // municipality, or matches nothing.
  if (chosen?.code !== view.search.municipality) return view
  const change = { municipality: chosen.name, province: chosen.code.slice(0, 2) }
  const search = { ...view.search, ...change }
  return { ...view, search, result: { ...view.result, search: { ...view.result.search, ...change } } }
}

/** The record, or the page that says that it is missing. */
async function loadRecordView({ registry, query, readLinkCheck }: PageRequest, code: string): Promise<View> {
  const view = await loadRecord(registry, code, parsePageUrl(query), readLinkCheck)
  return view === null
    ? { kind: 'missing', what: 'record', value: code, suggestion: null }
    : nameRecordMunicipality(view)
}

/** Replaces the INE code of the record's municipality in the search by the name, which the link back can show. */
function nameRecordMunicipality(view: RecordView): RecordView {
  const { record, search } = view
  const ineCode = record.place?.ine_code
  if (ineCode === undefined || ineCode !== search.municipality) return view
  const change = { municipality: toReadableName(record.municipality), province: ineCode.slice(0, 2) }
  return { ...view, search: { ...search, ...change } }
}

/** The municipality, or the page that says that it is missing. */
async function loadMunicipalityView(request: PageRequest, known: KnownRegistry, ineCode: string): Promise<View> {
  const missing: View = { kind: 'missing', what: 'municipality', value: ineCode, suggestion: null }
  if (!/^\d{5}$/.test(ineCode)) return missing
  const { search, result, counts } = await loadSearchView(request, known, { ...unfiltered, municipality: ineCode })
  if (result.kind !== 'records') return missing
  const [chosen] = counts?.places?.chosen ?? []
  // All records are of the municipality, so the first one tells where it is.
  const place = result.records[0]?.place ?? null
  // Some communities have one province, of the same name, such as Cantabria: the set names it once.
  const placeText = place === null ? '' : [...new Set([place.province, place.community])].join(', ')
  const name = chosen?.name ?? ineCode
  const view: MunicipalityView = { kind: 'municipality', ineCode, name, place: placeText, search, result, counts }
  return view
}

/** The address of the page, relative to the base URL. */
function toUrl({ address, query }: PageRequest): string {
  const path = toPath(address)
  return query === '' ? path : `${path}?${query}`
}

function toPath(address: PageAddress): string {
  switch (address.kind) {
    case 'record':
      return `expediente/${encodeURIComponent(address.code)}`
    case 'municipality':
      return `municipio/${encodeURIComponent(address.ineCode)}`
    case 'unknown':
      return address.path
    default:
      return './'
  }
}

function isBusy(view: View): boolean {
  return view.kind === 'search' && view.result.kind === 'failure' && view.result.failure.kind === 'busy'
}

/** The HTTP status of the page. */
function toStatus(view: View): number {
  if (view.kind === 'missing') return 404
  if (isBusy(view)) return 503
  return view.kind === 'search' && view.result.kind === 'failure' ? 400 : 200
}
