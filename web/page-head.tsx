// The elements of the HTML head that the server renders for each page: title, description, canonical address or
// `noindex`, OpenSearch description, feed, Open Graph and schema.org.

import { toReadableName } from '../src/domain/municipality-name.ts'
import { describeFilters } from './describe-search.ts'
import { descriptionsByLanguage } from './descriptions.ts'
import { toSafeUrl } from './document-url.ts'
import { Html, type JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import type { MissingView, MunicipalityView, PageData, RecordView, SearchView } from './page-data.ts'
import { toShownTotal, withMunicipalityName } from './search-result.ts'
import { isUnfiltered, toFeedPath, toPageUrl, toRecordFeedPath, unfiltered, withQuery } from './search-url.ts'
import {
  toMissingWindowTitle,
  toMunicipalityWindowTitle,
  toNameWithPlace,
  toRecordTitle,
  toRecordWindowTitle,
  toSearchWindowTitle,
} from './window-title.ts'

export interface HeadFacts extends ViewFacts {
  readonly siteName: string
  readonly language: string
  /** Absolute, ending in a slash. */
  readonly baseUrl: string
  readonly feedTitle: string
}

/** The facts that depend on what the page shows. */
interface ViewFacts {
  readonly title: string
  readonly description: string
  /**
   * The address of the page, relative to the base URL, without the parameters that do not change what it is about. If
   * there is no page at the requested address, it is that of the start page.
   */
  readonly path: string
  /** Whether search engines may list the page. */
  readonly isIndexed: boolean
  /** The feed of new and changed records, relative to the base URL; null if the page has none. */
  readonly feed: string | null
  /** What the page is about, in the vocabulary of schema.org; null for a page without such data. */
  readonly jsonLd: Readonly<Record<string, unknown>> | null
}

/** What the facts of every kind of page are made from, besides the view, which is what the page shows. */
interface HeadContext {
  readonly locale: Locale
  readonly siteName: string
  readonly baseUrl: string
  /** `{ lang: 'en' }`; empty for Spanish, which an address need not name. */
  readonly languageParameter: Readonly<Record<string, string>>
}

export function toHeadFacts(data: PageData, locale: Locale): HeadFacts {
  const { baseUrl } = data.site
  const siteName = data.site.name ?? locale.strings.name
  const languageParameter: HeadContext['languageParameter'] = data.language === 'en' ? { lang: 'en' } : {}
  const viewFacts = toViewFacts(data, { locale, siteName, baseUrl, languageParameter })
  return { ...viewFacts, siteName, language: locale.language, baseUrl, feedTitle: locale.strings.feed }
}

function toViewFacts({ view, registry }: PageData, context: HeadContext): ViewFacts {
  switch (view.kind) {
    case 'missing':
      return toMissingFacts(view, context)
    case 'record':
      return toRecordFacts(view, context)
    case 'municipality':
      return toMunicipalityFacts(view, context)
    case 'search':
      return toSearchFacts(view, context, registry.total > 0)
  }
}

function toMissingFacts(view: MissingView, { locale, siteName }: HeadContext): ViewFacts {
  const title = toMissingWindowTitle(view, locale, siteName)
  const description = locale.strings.missing[view.what].text(view.value)
  return { title, description, path: './', isIndexed: false, feed: null, jsonLd: null }
}

function toMunicipalityFacts(view: MunicipalityView, { locale, siteName, languageParameter }: HeadContext): ViewFacts {
  const { name, place, ineCode, counts } = view
  const count = describeCount(counts?.total ?? null, locale)
  return {
    title: toMunicipalityWindowTitle(view, locale, siteName),
    description: descriptionsByLanguage[locale.language].municipality(toNameWithPlace(view), count),
    path: withQuery(`municipio/${ineCode}`, languageParameter),
    isIndexed: true,
    feed: toFeedPath({ ...unfiltered, municipality: ineCode }),
    jsonLd: toPlaceData(name, place),
  }
}

/** `isRegistryRead` is false if the facts of the registry could not be read. */
function toSearchFacts(view: SearchView, context: HeadContext, isRegistryRead: boolean): ViewFacts {
  const { search, cursor, result } = view
  const { locale, siteName, baseUrl, languageParameter } = context
  const description = descriptionsByLanguage[locale.language].search
  const hasFoundRecords = !isUnfiltered(search) && result.kind === 'records'
  const describedSearch = withMunicipalityName(search, result, view.counts)
  return {
    title: toSearchWindowTitle(describedSearch, locale, siteName),
    description: hasFoundRecords
      ? `${describeCount(toShownTotal(result), locale)} ${describeFilters(describedSearch, locale)}. ${description}`
      : description,
    path: toPageUrl(search, { ...(cursor !== null && { cursor }), ...languageParameter }),
    // There would be a page for every possible term, so only first pages of searches without words are indexed.
    isIndexed: result.kind === 'records' && cursor === null && search.words === '',
    feed: result.kind === 'failure' ? null : toFeedPath(search),
    jsonLd: isUnfiltered(search) && isRegistryRead ? toWebSiteData(siteName, baseUrl) : null,
  }
}

/** `317 records`, or `Records` if they could not be counted. */
function describeCount(total: number | null, { strings, formatRecordCount }: Locale): string {
  return total === null ? strings.recordsWithoutCount : formatRecordCount(total)
}

function toRecordFacts({ record }: RecordView, context: HeadContext): ViewFacts {
  const { locale, siteName, baseUrl, languageParameter } = context
  const { language, strings, formatIsoDate } = locale
  const descriptions = descriptionsByLanguage[language]
  const code = record.cod_archivo ?? ''
  const title = toRecordTitle(record, strings.untitled)
  const municipality = toReadableName(record.municipality)
  const path = `expediente/${encodeURIComponent(code)}`
  return {
    title: toRecordWindowTitle(record, locale, siteName),
    description: descriptions.record(title, municipality, formatIsoDate(record.checkin_date), code),
    path: withQuery(path, languageParameter),
    isIndexed: true,
    feed: toRecordFeedPath(code),
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'Report',
      '@id': baseUrl + path,
      url: baseUrl + path,
      name: title,
      identifier: code,
      reportNumber: record.registration_number,
      inLanguage: 'es',
      dateCreated: record.checkin_date,
      ...(record.inscription_date === null ? {} : { datePublished: record.inscription_date }),
      spatialCoverage: toPlaceData(municipality, record.place?.province ?? ''),
      // The dataset of all records, which the address `catalog` describes.
      isPartOf: { '@id': `${baseUrl}catalog#dataset` },
      ...(toSafeUrl(record.links) === null ? {} : { encoding: { '@type': 'MediaObject', contentUrl: record.links } }),
    },
  }
}

/** A municipality for schema.org. `place` is the province, and perhaps the community, around it; empty if unknown. */
function toPlaceData(name: string, place: string): Record<string, unknown> {
  const container = place === '' ? {} : { containedInPlace: { '@type': 'AdministrativeArea', name: place } }
  return { '@context': 'https://schema.org', '@type': 'AdministrativeArea', name, ...container }
}

/** Tells search engines the address of the search, so that they can show a search box in their results. */
function toWebSiteData(name: string, baseUrl: string): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name,
    url: baseUrl,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}?search={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  }
}

export function PageHead({ facts }: { readonly facts: HeadFacts }): JSX.Element {
  const { title, description, siteName, language, path, baseUrl, isIndexed, feed, feedTitle, jsonLd } = facts
  const url = new URL(path, baseUrl).href
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {isIndexed ? <link rel="canonical" href={url} /> : <meta name="robots" content="noindex" />}
      <link rel="search" type="application/opensearchdescription+xml" href="opensearch.xml" title={siteName} />
      {feed !== null && <link rel="alternate" type="application/atom+xml" href={feed} title={feedTitle} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={language === 'es' ? 'es_ES' : 'en_GB'} />
      <meta name="twitter:card" content="summary" />
      {jsonLd !== null && (
        // Every `<` is escaped, so that no value ends the element.
        <script type="application/ld+json">{new Html(JSON.stringify(jsonLd).replaceAll('<', '\\u003c'))}</script>
      )}
    </>
  )
}
