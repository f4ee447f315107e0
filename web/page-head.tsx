// The elements of the head that differ from page to page: title, description, canonical address, what search
// engines may index, Open Graph and schema.org.
import type { JSX } from 'preact'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { describeFilters, toTitle } from './describe-search.ts'
import { toSafeUrl } from './document-url.ts'
import type { Locale } from './locale.ts'
import type { PageData, RecordView } from './page-data.ts'
import { isUnfiltered, toFeedPath, toPageUrl, toQueryString, unfiltered } from './search-url.ts'

export interface HeadFacts {
  readonly title: string
  readonly description: string
  readonly siteName: string
  readonly language: string
  /** The address of the page without parameters that do not matter, relative to the base URL. */
  readonly path: string
  readonly baseUrl: string
  /** Whether search engines may list the page. */
  readonly isIndexed: boolean
  /** The feed of new records that match, relative to the base URL; null if the page has none. */
  readonly feed: string | null
  readonly feedTitle: string
  /** What the page is about, in the vocabulary of schema.org; null if the page has nothing of its own to say. */
  readonly jsonLd: Readonly<Record<string, unknown>> | null
}

/** Parameters of an address that keep its language; empty for Spanish, which an address need not name. */
type LanguageParameter = Readonly<Record<string, string>>

export function toHeadFacts({ site, language, view, registry }: PageData, locale: Locale): HeadFacts {
  const { strings, formatRecordCount } = locale
  const siteName = site.name ?? strings.name
  const common = { siteName, language: locale.language, baseUrl: site.baseUrl, feedTitle: strings.feed }
  const languageParameter: LanguageParameter = language === 'en' ? { lang: language } : {}
  if (view.kind === 'missing') {
    const { heading, text } = strings.missing[view.what]
    const title = `${heading} · ${siteName}`
    return { ...common, title, description: text(view.value), path: './', isIndexed: false, feed: null, jsonLd: null }
  }
  if (view.kind === 'record')
    return { ...common, ...toRecordFacts(view, locale, siteName, site.baseUrl, languageParameter) }
  /** `317 records`, or `Records` if they could not be counted. */
  const describeCount = (total: number | null): string =>
    total === null ? strings.uncountedRecords : formatRecordCount(total)
  if (view.kind === 'municipality') {
    const { name, place, ineCode, counts } = view
    const nameWithPlace = place === '' ? name : `${name} (${place})`
    const title = `${strings.municipalityTitle(nameWithPlace)} · ${siteName}`
    const description = strings.municipalityDescription(nameWithPlace, describeCount(counts?.total ?? null))
    const path = `municipio/${ineCode}${toQuerySuffix(languageParameter)}`
    const feed = toFeedPath({ ...unfiltered, municipality: ineCode })
    return { ...common, title, description, path, isIndexed: true, feed, jsonLd: toPlaceData(name, place) }
  }
  const { search, cursor, result } = view
  const title = [toTitle(search, locale), siteName].filter((part) => part !== '').join(' · ')
  return {
    ...common,
    title,
    description:
      isUnfiltered(search) || result.kind !== 'records'
        ? strings.description
        : `${describeCount(result.total)} ${describeFilters(search, locale)}. ${strings.description}`,
    path: toPageUrl(search, { ...(cursor !== null && { cursor }), ...languageParameter }),
    // There would be a page for every possible term, so only first pages of searches without words are indexed.
    isIndexed: result.kind === 'records' && cursor === null && search.words === '',
    feed: result.kind === 'failure' ? null : toFeedPath(search),
    jsonLd: isUnfiltered(search) && registry !== null ? toWebSite(siteName, site.baseUrl) : null,
  }
}

/** `?lang=en`; empty without parameters. */
function toQuerySuffix(parameters: LanguageParameter): string {
  const query = toQueryString(parameters)
  return query === '' ? '' : `?${query}`
}

function toRecordFacts(
  { record }: RecordView,
  { strings, formatIsoDate }: Locale,
  siteName: string,
  baseUrl: string,
  languageParameter: LanguageParameter,
): Omit<HeadFacts, 'siteName' | 'language' | 'baseUrl' | 'feedTitle'> {
  const code = record.cod_archivo ?? ''
  const title = record.title.trim() === '' ? strings.untitled : record.title
  const municipality = toReadableName(record.municipality)
  const path = `expediente/${encodeURIComponent(code)}`
  return {
    title: `${title} · ${municipality} · ${siteName}`,
    description: strings.recordDescription(title, municipality, formatIsoDate(record.checkin_date), code),
    path: path + toQuerySuffix(languageParameter),
    isIndexed: true,
    feed: null,
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
      isPartOf: { '@id': `${baseUrl}catalog#dataset` },
      ...(toSafeUrl(record.links) === null ? {} : { encoding: { '@type': 'MediaObject', contentUrl: record.links } }),
    },
  }
}

/** A municipality. `place` is the province, and perhaps the community, that contains it; empty if it is unknown. */
function toPlaceData(name: string, place: string): Record<string, unknown> {
  const container = place === '' ? {} : { containedInPlace: { '@type': 'AdministrativeArea', name: place } }
  return { '@context': 'https://schema.org', '@type': 'AdministrativeArea', name, ...container }
}

/** Tells search engines the address of the search, so that they can show a search box in their results. */
function toWebSite(name: string, baseUrl: string): Record<string, unknown> {
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
        <script
          type="application/ld+json"
          // Every `<` is escaped, so that no value ends the element.
          dangerouslySetInnerHTML={{ __html: JSON.stringify(jsonLd).replaceAll('<', '\\u003c') }}
        />
      )}
    </>
  )
}
