// Entry point on the server: loads what a page shows from the registry and renders it (contract:
// src/api/page-renderer.ts). The browser continues with the same data (main.tsx).
import { renderToString } from 'preact-render-to-string'
import type { PageRequest, RenderedPage } from '../src/api/page-renderer.ts'
import { createClient } from '../src/client/client.ts'
import { loadRecord } from './load-record.ts'
import { loadSearch } from './load-search.ts'
import { toLocale } from './locale.ts'
import type { PlaceCount } from './map-counts.ts'
import { toMapLabels } from './map-labels.ts'
import { findOffers } from './offers.ts'
import { Page } from './page.tsx'
import type { PageData, SearchView, View } from './page-data.ts'
import { PageHead, toHeadFacts } from './page-head.tsx'
import { toPlaceChange } from './place-change.ts'
import { renderInParts } from './render-parts.tsx'
import type { SearchResult } from './search-result.ts'
import { parsePageUrl, type Search, toPageUrl, unfiltered } from './search-url.ts'
import { drawServerMap } from './server-map.ts'
import { type Registry, readRegistry } from './server-registry.ts'
import { type Failure, type Service, toService } from './service.ts'
import type { Language } from './strings.ts'

export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  // The deadline of the request ends the searches, so nothing else aborts them.
  const client = createClient(request.apiUrl, { fetch: request.fetch, retries: 0 })
  const service = toService(client, new AbortController().signal, 1)
  const parameters = new URLSearchParams(request.query)
  const language = toLanguage(parameters.get('lang'))
  const registry = await readRegistry(service, request.dataVersion)
  const view = await loadView(request, service, registry)
  const data: PageData = { site: request.site, language, registry: registry?.facts ?? null, view }
  const locale = toLocale(language ?? 'es')
  await request.yieldIfUsed()
  const head = renderToString(<PageHead facts={toHeadFacts(data, locale)} />)
  const mapHtml = drawMap(data)
  await request.yieldIfUsed()
  const body = await renderInParts(<Page data={data} mapHtml={mapHtml} />, request.yieldIfUsed)
  return {
    status: toStatus(view),
    language: locale.language,
    head,
    body,
    data,
    retryAfterSeconds: toRetryAfterSeconds(view),
  }
}

function toLanguage(text: string | null): Language | null {
  return text === 'es' || text === 'en' ? text : null
}

async function loadView(request: PageRequest, service: Service, registry: Registry | null): Promise<View> {
  const { address, query, site } = request
  const parameters = new URLSearchParams(query)
  switch (address.kind) {
    case 'search':
      return loadSearchView(service, parsePageUrl(query), parameters.get('cursor') || null, registry, site.codePattern)
    case 'record':
      return loadRecordView(service, address.code, parsePageUrl(query).words, request.readLinkCheck)
    case 'municipality':
      return loadMunicipalityView(service, address.ineCode, registry)
    case 'unknown':
      return { kind: 'missing', what: 'address', value: address.path, suggestion: address.suggestion }
  }
}

async function loadSearchView(
  service: Service,
  search: Search,
  cursor: string | null,
  registry: Registry | null,
  codePattern: string | null,
): Promise<SearchView> {
  const [loaded, offers] = await Promise.all([
    loadSearch(service, search, cursor, registry?.facts.provinces ?? [], codePattern),
    registry === null || search.words.trim() === '' ? [] : findOffers(service, search, await registry.readPlaces()),
  ])
  const counts = await loaded.counts
  // Only an aborted search has no result, and nothing aborts one on the server. The type asks for a fallback.
  const found = loaded.result ?? { kind: 'failure', search, failure: { kind: 'offline' } }
  const result: SearchResult = found.kind === 'records' ? { ...found, total: found.total ?? counts.total } : found
  return nameMunicipality({ kind: 'search', search, cursor, result, counts, offers })
}

/** Replaces an INE code in the search by the name and the province, which the form can show. */
function nameMunicipality(view: SearchView): SearchView {
  const [chosen] = view.counts?.places?.chosen ?? []
  if (chosen === undefined || chosen.code === null || view.search.municipality.trim() !== chosen.code) return view
  const named = { municipality: chosen.name, province: chosen.code.slice(0, 2) }
  return {
    ...view,
    search: { ...view.search, ...named },
    result: { ...view.result, search: { ...view.result.search, ...named } },
    counts: view.counts === null ? null : { ...view.counts, search: { ...view.counts.search, ...named } },
  }
}

async function loadRecordView(
  service: Service,
  code: string,
  words: string,
  readLinkCheck: PageRequest['readLinkCheck'],
): Promise<View> {
  const outcome = await loadRecord(service, code, words, readLinkCheck)
  if (outcome.kind === 'found') return outcome.value
  // A code of another form is as unknown as one that no record has.
  if (outcome.kind === 'empty' || outcome.kind === 'refused')
    return { kind: 'missing', what: 'record', value: code, suggestion: null }
  return toFailureView({ ...unfiltered, words: code }, outcome.kind === 'cancelled' ? { kind: 'offline' } : outcome)
}

async function loadMunicipalityView(service: Service, ineCode: string, registry: Registry | null): Promise<View> {
  if (!/^\d{5}$/.test(ineCode)) return { kind: 'missing', what: 'municipality', value: ineCode, suggestion: null }
  const view = await loadSearchView(service, { ...unfiltered, municipality: ineCode }, null, registry, null)
  if (view.result.kind === 'empty') return { kind: 'missing', what: 'municipality', value: ineCode, suggestion: null }
  // The start page shows failures.
  if (view.result.kind === 'failure') return view
  const [chosen] = view.counts?.places?.chosen ?? []
  const { search, result, counts } = view
  const [record] = result.kind === 'records' ? result.records : []
  const place = record?.place ?? null
  const placeText = place === null ? '' : [...new Set([place.province, place.community])].join(', ')
  return { kind: 'municipality', ineCode, name: chosen?.name ?? ineCode, place: placeText, search, result, counts }
}

/** The start page with a failure instead of results. */
function toFailureView(search: Search, failure: Failure): SearchView {
  return {
    kind: 'search',
    search,
    cursor: null,
    result: { kind: 'failure', search, failure },
    counts: null,
    offers: [],
  }
}

/** The picture of the map; empty for a page without one. */
function drawMap({ view, registry, language }: PageData): string {
  if (view.kind === 'missing' || view.kind === 'record') return ''
  const counts = view.counts?.places ?? null
  if (counts === null || registry === null) return ''
  const hasOtherProvinces = registry.provinces.length > 1
  const languageParameter: Readonly<Record<string, string>> = language === null ? {} : { lang: language }
  const toHref = (place: PlaceCount): string =>
    toPageUrl({ ...view.search, ...toPlaceChange(place, counts, hasOtherProvinces) }, languageParameter)
  return drawServerMap(counts, registry.provinces, toMapLabels(toLocale(language ?? 'es'), toHref))
}

function toStatus(view: View): number {
  if (view.kind === 'missing') return 404
  if (view.kind !== 'search' || view.result.kind !== 'failure') return 200
  return view.result.failure.kind === 'refused' ? 400 : 503
}

function toRetryAfterSeconds(view: View): number | null {
  if (view.kind !== 'search' || view.result.kind !== 'failure') return null
  const { failure } = view.result
  return failure.kind === 'busy' || failure.kind === 'limited' ? failure.retryAfterSeconds : null
}
