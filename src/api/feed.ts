// {base}/feed: the newest changes of records that match the filters, as an Atom feed (RFC 4287) for feed readers, and at
// the same address as a page for browsers. A record has one entry, for its newest change. Records that are gone have
// none, because there is nothing left to show. If there are few changes, other matching records fill the feed.
// {base}/feed/<code> is the feed of one record.

import { toReadableName } from '../domain/municipality-name.ts'
import { describeFilter, filterNames, type ParameterName } from '../domain/parameters.ts'
import type { WireRecord } from '../domain/record.ts'
import type { WireIncluded } from '../domain/wire.ts'
import { htmlHeaders } from '../http/files.ts'
import { negotiateLanguage, prefersHtml } from '../http/negotiate.ts'
import type { ApiRequest } from '../http/request.ts'
import { respond } from '../http/respond.ts'
import type { ApiResponse } from '../http/response.ts'
import { type ResponseHeaders, representationHeaders } from '../http/response-headers.ts'
import { toPublicPath } from '../http/settings.ts'
import { Problem, quote } from '../problems.ts'
import type { Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { toLogState } from './changes.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { escapeHtml, toHtmlPage } from './html.ts'
import { dataCaching, toTag } from './json-response.ts'
import type { ParameterValues, ParsedParameters } from './parameters.ts'
import { conditionParameters, hasConditions, parseParameters, toCacheKey, toRelativeUrl } from './parameters.ts'
import type { Handler, RouteContext } from './route.ts'
import { type DatasetSettings, toSpanishNames } from './settings.ts'
import { explainPlace } from './unknown-place.ts'
import { escapeXml, xmlDeclaration } from './xml.ts'

/** The most entries in the feed. */
const entriesMax = 50

const feedHeaders: ResponseHeaders = {
  ...representationHeaders('application/atom+xml; charset=utf-8', dataCaching),
  Vary: 'Accept, Accept-Encoding, Accept-Language',
}
const pageHeaders: ResponseHeaders = { ...htmlHeaders, Vary: feedHeaders.Vary ?? '', 'X-Robots-Tag': 'noindex' }

/** The feed of a search. */
export const handleFeed: Handler = (request, context) => serveFeed(request, context, conditionParameters, undefined)

/** The feed of one record. `rawCode` is its percent-encoded inscription code. */
export const handleRecordFeed: Handler = (request, context, rawCode) => serveFeed(request, context, [], rawCode)

async function serveFeed(
  request: ApiRequest,
  { store, settings }: RouteContext,
  allowed: readonly ParameterName[],
  rawCode: string | undefined,
): Promise<ApiResponse | Problem> {
  const { dataset } = settings
  const parameters = parseParameters(request.target.query, allowed, currentSnapshot(store)?.metadata, { rawCode })
  if (parameters instanceof Problem) return parameters
  const snapshot = store.current()
  const isPage = prefersHtml(request.header('accept'), ['application/atom+xml', 'application/xml', 'application/json'])
  const language = negotiateLanguage(request.header('accept-language'), 'es')
  const headers = isPage ? pageHeaders : feedHeaders
  const { title, publisher } = dataset
  const form = isPage ? `page ${language} ${toPublicPath(settings)}` : 'feed'
  const key = [...toCacheKey(form, parameters.values), ...toLogState(snapshot)]
  // The response is made of nothing else, so a client that has it is answered before it is made.
  const tag = toTag(snapshot.metadata.id, [request.baseUrl, title, publisher, ...key])
  // The body contains the base URL, which the keys of the response cache lack, so there is no data version.
  return respond(request, { tag, headers }, async () => {
    // With the rule `exists`, a place without records gets an empty feed instead of a 404. It may have records later,
    // and feed readers would take a 404 for the end of the feed.
    const unknownPlace = explainPlace(parameters.query, snapshot, 'exists')
    if (unknownPlace !== undefined) return unknownPlace
    const entries = await findEntries(parameters, snapshot, request)
    // The record may have been withdrawn: its feed is gone, so that readers notice.
    if (rawCode !== undefined && entries.length === 0) {
      const detail = `No record has the inscription code ${quote(parameters.values.get('cod_archivo') ?? '')}`
      return new Problem('unknown-record', detail, { parameter: 'cod_archivo' })
    }
    const feed: Feed = { baseUrl: request.baseUrl, values: parameters.values, entries, snapshot, dataset }
    return { body: isPage ? toPage(feed, language, toPublicPath(settings)) : toFeed(feed) }
  })
}

interface Entry {
  readonly kind: 'new' | 'changed'
  /** When the change was published, as an ISO date and time. */
  readonly at: string
  readonly record: WireRecord & WireIncluded
}

/**
 * The newest changes, newest first. If there are fewer than `entriesMax`, other matching records follow in the order of
 * a search. Their entries are `new`, with the time at which the change log started.
 */
async function findEntries({ query }: ParsedParameters, snapshot: Snapshot, request: ApiRequest): Promise<Entry[]> {
  const filters = hasConditions(query) ? query : undefined
  const changed = await snapshot.changes.readLatest({ filters, limit: entriesMax }, request.deadline)
  const entries = changed.map(({ change, wire }): Entry => {
    // `readLatest` returns one change of each record that exists, so none is `gone`. `wire` is the record with the
    // properties that `pageQuery` below includes.
    const kind = change.kind === 'changed' ? 'changed' : 'new'
    return { kind, at: change.at, record: JSON.parse(wire) as Entry['record'] }
  })
  if (entries.length === entriesMax) return entries
  const pageQuery = { ...query, include: ['cod_archivo', 'place'], limit: entriesMax } as const
  const result = await snapshot.page(pageQuery, request.deadline)
  const listedCodes = new Set(entries.map(({ record }) => record.cod_archivo))
  // The text of the result is JSON objects joined by commas.
  const firstMatches = result === null ? [] : (JSON.parse(`[${result.text}]`) as Entry['record'][])
  const at = snapshot.changes.facts.startedAt
  const others = firstMatches
    .filter((record) => !listedCodes.has(record.cod_archivo))
    .map((record): Entry => ({ kind: 'new', at, record }))
  return [...entries, ...others].slice(0, entriesMax)
}

interface Feed {
  readonly baseUrl: string
  /** The parameters of the request: its filters and its term, or the code of a record. */
  readonly values: ParameterValues
  readonly entries: readonly Entry[]
  readonly snapshot: Snapshot
  readonly dataset: DatasetSettings
}

/** The address of the feed, relative to the base URL. */
function toFeedPath(values: ParameterValues): string {
  return toRelativeUrl('feed', values)
}

/** The address of the page about the same records: that of the record, or of the search. */
function toWebPath(values: ParameterValues): string {
  return toRelativeUrl(values.has('cod_archivo') ? 'expediente' : '', values)
}

/** The Atom document. */
function toFeed({ baseUrl, values, entries, snapshot, dataset }: Feed): string {
  const feedUrl = escapeXml(`${baseUrl}/${toFeedPath(values)}`)
  const webPageUrl = escapeXml(`${baseUrl}/${toWebPath(values)}`)
  const criteria = toCriteria(values, 'es')
  const names = toSpanishNames(dataset)
  const title = criteria === '' ? names.title : `${names.title}: ${criteria}`
  const subtitle = snapshot.metadata.fictional ? '<subtitle>Expedientes ficticios, de ejemplo</subtitle>\n' : ''
  return `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es">
<id>${feedUrl}</id>
<title>${escapeXml(title)}</title>
${subtitle}<updated>${entries[0]?.at ?? snapshot.changes.facts.startedAt}</updated>
<link rel="self" type="application/atom+xml" href="${feedUrl}"/>
<link rel="alternate" type="text/html" href="${webPageUrl}"/>
<author><name>${escapeXml(names.publisher)}</name></author>
<generator version="${version}">planning-registry</generator>
${entries.map((entry) => toEntry(baseUrl, entry)).join('')}</feed>
`
}

const pageTexts = {
  es: {
    heading: 'Últimas novedades',
    intro:
      'Esta dirección es un canal (Atom): un lector de canales le avisa de cada expediente nuevo o modificado. Copie la dirección en su lector:',
    new: 'Nuevo',
    changed: 'Modificado',
    records: 'Ver los expedientes',
    empty: 'Todavía no hay expedientes.',
  },
  en: {
    heading: 'Latest changes',
    intro:
      'This address is a feed (Atom): a feed reader tells you of each new or changed record. Copy the address into your reader:',
    new: 'New',
    changed: 'Changed',
    records: 'See the records',
    empty: 'There are no records yet.',
  },
} as const

/** The feed as a page that people can read. */
function toPage({ baseUrl, values, entries }: Feed, language: 'es' | 'en', publicPath: string): string {
  const text = pageTexts[language]
  const criteria = toCriteria(values, language)
  const dates = new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'long',
    timeZone: 'Europe/Madrid',
  })
  const items = entries.map(({ kind, at, record }) => {
    const href = `expediente/${encodeURIComponent(record.cod_archivo ?? '')}`
    const about = `${text[kind]} · ${dates.format(new Date(at))} · ${toReadableName(record.municipality)}`
    return `<li class="record"><h3 lang="es"><a href="${escapeHtml(href)}">${escapeHtml(record.title) || '–'}</a></h3>
<p class="about">${escapeHtml(about)}</p></li>`
  })
  const title = criteria === '' ? text.heading : `${text.heading}: ${criteria}`
  const main = `<h1>${escapeHtml(title)}</h1>
<p>${text.intro}</p>
<p class="line"><code>${escapeHtml(`${baseUrl}/${toFeedPath(values)}`)}</code></p>
<p><a href="${escapeHtml(toWebPath(values) || './')}">${text.records}</a></p>
${items.length === 0 ? `<p>${text.empty}</p>` : `<ol class="records">\n${items.join('\n')}\n</ol>`}`
  return toHtmlPage({ title, main }, language, publicPath)
}

/** The filters with their values: `Ávila, 2011, sin acuerdo, plan parcial`. */
function toCriteria(values: ParameterValues, language: 'es' | 'en'): string {
  return filterNames
    .flatMap((name) => (values.has(name) ? describeFilter(name, values.get(name) ?? '', language) : []))
    .join(', ')
}

function toEntry(baseUrl: string, { kind, at, record }: Entry): string {
  const address = escapeXml(`${baseUrl}/expediente/${encodeURIComponent(record.cod_archivo ?? '')}`)
  // The id contains the time of the change: feed readers show an entry again if its id is new, but few do so if only
  // `updated` is new. Atom requires a title, so an empty one becomes a dash.
  return `<entry>
<id>${address}#${at}</id>
<title>${escapeXml(record.title) || '–'}</title>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${address}"/>
<category term="${kind}"/>
<summary>${escapeXml(describe(kind, record))}</summary>
</entry>
`
}

/** `Nuevo expediente de Ávila (Castilla y León). Ámbito: SECTOR R-1. Entrada: 2011-05-20. Código: 05019-202255.` */
function describe(
  kind: Entry['kind'],
  { municipality, place, area, checkin_date, cod_archivo }: Entry['record'],
): string {
  const community = place ? ` (${place.community})` : ''
  return [
    `${kind === 'new' ? 'Nuevo expediente' : 'Expediente modificado'} de ${toReadableName(municipality)}${community}.`,
    ...(area === '' ? [] : [`Ámbito: ${area}.`]),
    `Entrada: ${checkin_date}.`,
    `Código: ${cod_archivo}.`,
  ].join(' ')
}
