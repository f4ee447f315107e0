// Entry point on the server: loads what a page shows from the registry and renders it as HTML. The service calls
// `renderPage` (src/api/page-renderer.ts has its types). The browser continues with the same data (main.tsx).
import { renderToString } from 'preact-render-to-string'
import type { PageAddress, PageRequest, RenderedPage } from '../src/api/page-renderer.ts'
import { createClient } from '../src/client/client.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { loadRecord } from './load-record.ts'
import { loadSearch } from './load-search.ts'
import { toLocale } from './locale.ts'
import type { PlaceCount } from './map-counts.ts'
import { toMapLabels } from './map-labels.ts'
import { findOffers } from './offers.ts'
import { Page } from './page.tsx'
import type { PageData, RecordView, SearchView, View } from './page-data.ts'
import { PageHead, toHeadFacts } from './page-head.tsx'
import { toPlaceChange } from './place-change.ts'
import { toProvinceCode } from './province-code.ts'
import { renderInParts } from './render-parts.tsx'
import type { FailedResult, Offer, SearchResult } from './search-result.ts'
import { needsServer, parsePageUrl, type Search, toPageUrl, unfiltered } from './search-url.ts'
import { drawServerMap } from './server-map.ts'
import { type Registry, readRegistry } from './server-registry.ts'
import { type Failure, type Service, toService } from './service.ts'
import { type Language, loadStrings } from './strings.ts'

/** A call to a busy service is not repeated: the page says that it is busy, and the browser tries again later. */
const attemptsMax = 1

export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  // `request.fetch` calls the operations of the service in this process, without a connection.
  const client = createClient(request.apiUrl, { fetch: request.fetch, retries: 0 })
  // The signal is never aborted, because the deadline of the request already ends the searches.
  const service = toService(client, new AbortController().signal, attemptsMax)
  const language = toLanguage(new URLSearchParams(request.query).get('lang'))
  const registry = await readRegistry(service, request.dataVersion)
  const view = withFailedAddress(await loadView(request, service, registry), request)
  const data: PageData = { site: request.site, language, registry: registry?.facts ?? null, view }
  await loadStrings(language ?? 'es')
  const locale = toLocale(language ?? 'es')
  // Rendering takes a few milliseconds, so other requests are served between its steps.
  await request.letOthersRun()
  const head = renderToString(<PageHead facts={toHeadFacts(data, locale)} />)
  const mapHtml = drawMap(data)
  await request.letOthersRun()
  const body = await renderInParts(<Page data={data} mapHtml={mapHtml} />, request.letOthersRun)
  return {
    status: toStatus(view),
    language: locale.language,
    head,
    body,
    data,
    retryAfterSeconds: toRetryAfterSeconds(view),
  }
}

/** The language in the address; null if it names none, or one that the page does not have. */
function toLanguage(text: string | null): Language | null {
  return text === 'es' || text === 'en' ? text : null
}

async function loadView(request: PageRequest, service: Service, registry: Registry | null): Promise<View> {
  const { address, query, site } = request
  switch (address.kind) {
    case 'search':
      return loadSearchView(service, registry, parsePageUrl(query), {
        cursor: new URLSearchParams(query).get('cursor') || null,
        codePattern: site.codePattern,
      })
    case 'record':
      return loadRecordView(service, address.code, parsePageUrl(query), request.readLinkCheck)
    case 'municipality':
      return loadMunicipalityView(service, address.ineCode, registry)
    case 'unknown':
      return { kind: 'missing', what: 'address', value: address.path, suggestion: address.suggestion }
  }
}

interface SearchViewOptions {
  /** The cursor in the address; null for the first page. */
  readonly cursor: string | null
  /** The pattern of inscription codes; null for the standard format. */
  readonly codePattern: string | null
}

async function loadSearchView(
  service: Service,
  registry: Registry | null,
  search: Search,
  { cursor, codePattern }: SearchViewOptions,
): Promise<SearchView> {
  const [loaded, offers] = await Promise.all([
    loadSearch(service, search, cursor, registry?.facts.provinces ?? [], codePattern),
    loadOffers(service, registry, search),
  ])
  const counts = await loaded.pendingCounts
  // Only an aborted search has no result, and nothing aborts one on the server. The type asks for a fallback.
  const loadedResult = loaded.result ?? toFailedResult(search, { kind: 'offline' })
  const result: SearchResult =
    loadedResult.kind === 'records' ? { ...loadedResult, total: loadedResult.total ?? counts.total } : loadedResult
  return nameMunicipality({ kind: 'search', search, cursor, result, counts, offers })
}

/** What else the words may mean, such as a place (offers.ts); empty without words or if the registry cannot be read. */
async function loadOffers(service: Service, registry: Registry | null, search: Search): Promise<readonly Offer[]> {
  if (registry === null || search.words.trim() === '') return []
  return findOffers(service, search, await registry.readPlaces(service))
}

/**
 * Replaces an INE code in the municipality of the search by the name, which the form can show, and adds the province,
 * because a municipality of another province may have the same name. Any other search stays as it is.
 */
function nameMunicipality(view: SearchView): SearchView {
  const [chosen] = view.counts?.places?.chosen ?? []
  // The search has an INE code only if it is the code of the chosen municipality. Otherwise it has a name, has no
  // municipality, or matches nothing.
  if (chosen?.code !== view.search.municipality.trim()) return view
  const change = { municipality: chosen.name, province: toProvinceCode(chosen.code) }
  return {
    ...view,
    search: { ...view.search, ...change },
    result: { ...view.result, search: { ...view.result.search, ...change } },
    counts: view.counts === null ? null : { ...view.counts, search: { ...view.counts.search, ...change } },
  }
}

/** The record; the page that says that it is missing; or the start page with a failure. */
async function loadRecordView(
  service: Service,
  code: string,
  search: Search,
  readLinkCheck: PageRequest['readLinkCheck'],
): Promise<View> {
  const outcome = await loadRecord(service, code, search, readLinkCheck)
  if (outcome.kind === 'found') return nameRecordMunicipality(outcome.value)
  // The service refuses a code of another form with status 400. For a reader, such a code is unknown too.
  const isUnknown = outcome.kind === 'empty' || outcome.kind === 'refused'
  if (isUnknown) return { kind: 'missing', what: 'record', value: code, suggestion: null }
  // Nothing cancels a call on the server (see `renderPage`); the type asks for a fallback.
  const failure: Failure = outcome.kind === 'cancelled' ? { kind: 'offline' } : outcome
  return toFailureView({ ...unfiltered, words: code }, failure)
}

/** Replaces the INE code of the record's municipality in the search by the name, which the link back can show. */
function nameRecordMunicipality(view: RecordView): RecordView {
  const { record, search } = view
  const ineCode = record.place?.ine_code
  if (ineCode === undefined || ineCode !== search.municipality.trim()) return view
  const change = { municipality: toReadableName(record.municipality), province: toProvinceCode(ineCode) }
  return { ...view, search: { ...search, ...change } }
}

/** The municipality; the page that says that it is missing; or the start page with a failure. */
async function loadMunicipalityView(service: Service, ineCode: string, registry: Registry | null): Promise<View> {
  const missing: View = { kind: 'missing', what: 'municipality', value: ineCode, suggestion: null }
  if (!/^\d{5}$/.test(ineCode)) return missing
  const search = { ...unfiltered, municipality: ineCode }
  // The search has no words that could be an inscription code, so it needs no pattern of codes.
  const view = await loadSearchView(service, registry, search, { cursor: null, codePattern: null })
  if (view.result.kind === 'empty') return missing
  // If the search has failed, the start page shows the failure.
  if (view.result.kind === 'failure') return view
  const { result, counts } = view
  const [chosen] = counts?.places?.chosen ?? []
  // All records are of the municipality, so the first one tells where it is.
  const place = result.records[0]?.place ?? null
  // Some communities have one province, of the same name, such as Cantabria: the set names it once.
  const placeText = place === null ? '' : [...new Set([place.province, place.community])].join(', ')
  const name = chosen?.name ?? ineCode
  return { kind: 'municipality', ineCode, name, place: placeText, search: view.search, result, counts }
}

/** The start page with a failure instead of results. */
function toFailureView(search: Search, failure: Failure): SearchView {
  return {
    kind: 'search',
    search,
    cursor: null,
    result: toFailedResult(search, failure),
    counts: null,
    offers: [],
  }
}

/** The result of a search that has failed. If it needs an address, `renderPage` adds one (`withFailedAddress`). */
function toFailedResult(search: Search, failure: Failure): FailedResult {
  return { kind: 'failure', search, failure, address: null }
}

/**
 * Adds the address of the request to a failure, if only the server can repeat the request: that of a record, of a
 * municipality, or of a search for which `needsServer` is true, such as a page after a cursor. Any other view stays as
 * it is.
 */
function withFailedAddress(view: View, { address, query }: PageRequest): View {
  if (view.kind !== 'search' || view.result.kind !== 'failure') return view
  if (address.kind === 'search' && !needsServer(query)) return view
  const url = query === '' ? toPath(address) : `${toPath(address)}?${query}`
  return { ...view, result: { ...view.result, address: url } }
}

/** The path of a page, relative to the base URL. */
function toPath(address: PageAddress): string {
  switch (address.kind) {
    case 'search':
      return './'
    case 'record':
      return `expediente/${encodeURIComponent(address.code)}`
    case 'municipality':
      return `municipio/${encodeURIComponent(address.ineCode)}`
    case 'unknown':
      return address.path
  }
}

/** The HTML of the map; empty for a page without one. */
function drawMap({ view, registry, language }: PageData): string {
  if (view.kind === 'missing' || view.kind === 'record') return ''
  const counts = view.counts?.places ?? null
  if (counts === null || registry === null) return ''
  const languageParameter: Readonly<Record<string, string>> = language === null ? {} : { lang: language }
  const toHref = (place: PlaceCount): string =>
    toPageUrl({ ...view.search, ...toPlaceChange(place, counts, registry.provinces) }, languageParameter)
  return drawServerMap(counts, registry.provinces, toMapLabels(toLocale(language ?? 'es'), toHref))
}

/** The HTTP status of the page. Any failure but a refused search may be over soon, so it has 503. */
function toStatus(view: View): number {
  if (view.kind === 'missing') return 404
  if (view.kind !== 'search' || view.result.kind !== 'failure') return 200
  return view.result.failure.kind === 'refused' ? 400 : 503
}

/** After how many seconds the browser may try again; null unless the service was busy or the client above its limit. */
function toRetryAfterSeconds(view: View): number | null {
  if (view.kind !== 'search' || view.result.kind !== 'failure') return null
  const { failure } = view.result
  return failure.kind === 'busy' || failure.kind === 'limited' ? failure.retryAfterSeconds : null
}
