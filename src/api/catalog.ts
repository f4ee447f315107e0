// {base}/catalog: the description of the registry for open-data portals (DCAT-AP 3 as JSON-LD) and for search engines
// (a schema.org Dataset in the head of the page). It combines the operator's settings with facts of the snapshot.

import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { version } from '../version.ts'
import { dataCaching, toTag } from './json-response.ts'
import { parseParameters } from './parameters.ts'
import type { DatasetSettings } from './settings.ts'

const headers = representationHeaders('application/ld+json', dataCaching)

export async function handleCatalog(
  request: ApiRequest,
  store: RegistryStore,
  dataset: DatasetSettings,
): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const body = JSON.stringify(toCatalog(request.baseUrl, snapshot, dataset))
  const tag = toTag(snapshot.metadata.id, [body])
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, Buffer.from(body))
}

/** The DCAT catalogue: one dataset, its two distributions and the service that searches it. */
export function toCatalog(base: string, snapshot: Snapshot, dataset: DatasetSettings): Record<string, unknown> {
  const { title } = dataset
  const description = englishText(describe(snapshot))
  const publisher = { '@type': 'foaf:Agent', 'foaf:name': dataset.publisher }
  const service = {
    '@id': `${base}/catalog#service`,
    '@type': 'dcat:DataService',
    'dct:title': `${title}: JSON`,
    'dct:description': englishText('Search of the records by municipality, year and words, as JSON.'),
    'dct:publisher': publisher,
    'dcat:endpointURL': toLink(base),
    'dcat:endpointDescription': toLink(`${base}/openapi.json`),
    'foaf:page': toLink(`${base}/docs`),
    'dcat:servesDataset': { '@id': `${base}/catalog#dataset` },
    ...toLicenceProperty(dataset),
  }
  return {
    '@context': jsonLdContext,
    '@id': `${base}/catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': title,
    'dct:description': description,
    'dct:publisher': publisher,
    'dct:language': toLink(spanishLanguage),
    'dct:modified': toModifiedDate(snapshot),
    'foaf:homepage': toLink(`${base}/`),
    'dcat:service': service,
    'dcat:dataset': {
      '@id': `${base}/catalog#dataset`,
      '@type': 'dcat:Dataset',
      'dct:identifier': `${base}/catalog#dataset`,
      'dct:title': title,
      'dct:description': description,
      'dct:publisher': publisher,
      'dct:language': toLink(spanishLanguage),
      'dct:modified': toModifiedDate(snapshot),
      'dct:spatial': toLink(dataset.spatial ?? spainCountry),
      ...toPeriodProperty(snapshot),
      'dct:accessRights': toLink('http://publications.europa.eu/resource/authority/access-right/PUBLIC'),
      'dcat:theme': toLink('http://publications.europa.eu/resource/authority/data-theme/REGI'),
      'dcat:keyword': snapshot.metadata.fictional ? [...keywords, fictionalKeyword] : keywords,
      'dcat:version': snapshot.metadata.id,
      'dcat:landingPage': toLink(`${base}/`),
      ...toContactProperty(dataset),
      'dcat:distribution': ['record', 'municipality'].map((path) => ({
        '@id': `${base}/catalog#${path}`,
        '@type': 'dcat:Distribution',
        'dct:title': englishText(path === 'record' ? 'Every record' : 'The municipalities that have records'),
        'dcat:accessURL': toLink(`${base}/${path}`),
        'dcat:downloadURL': toLink(`${base}/${path}`),
        'dcat:mediaType': toLink('https://www.iana.org/assignments/media-types/application/json'),
        'dct:format': toLink('http://publications.europa.eu/resource/authority/file-type/JSON'),
        'dcat:accessService': { '@id': `${base}/catalog#service` },
        'dct:modified': toModifiedDate(snapshot),
        ...toLicenceProperty(dataset),
      })),
    },
  }
}

/** The schema.org Dataset for search engines. */
export function toSchemaOrg(base: string, snapshot: Snapshot, dataset: DatasetSettings): Record<string, unknown> {
  const years = findYears(snapshot)
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${base}/catalog#dataset`,
    url: `${base}/`,
    name: dataset.title,
    description: describe(snapshot),
    creator: { '@type': 'Organization', name: dataset.publisher },
    publisher: { '@type': 'Organization', name: dataset.publisher },
    inLanguage: 'es',
    isAccessibleForFree: true,
    dateModified: snapshot.metadata.publishedAt.toISOString(),
    version: snapshot.metadata.id,
    spatialCoverage: dataset.spatial ?? 'España',
    ...(years === undefined ? {} : { temporalCoverage: `${years.first}/${years.last}` }),
    ...(dataset.licence === undefined ? {} : { license: dataset.licence }),
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${base}/record` },
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${base}/municipality` },
    ],
    softwareVersion: version,
  }
}

function describe({ metadata, municipalities }: Snapshot): string {
  const extent = `${metadata.records} urban-planning records of ${municipalities.length} municipalities`
  return metadata.fictional ? `A sample: ${extent}, all of them fictional.` : `${extent}.`
}

const jsonLdContext = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

const keywords: readonly string[] = ['urban planning', 'urbanismo', 'planeamiento']

/** The keyword of the bundled sample, by which `search --url` and `mcp --url` recognise it. */
export const fictionalKeyword = 'fictional'

const spanishLanguage = 'http://publications.europa.eu/resource/authority/language/SPA'
const spainCountry = 'http://publications.europa.eu/resource/authority/country/ESP'

const toLink = (address: string): Record<string, string> => ({ '@id': address })

/** English text. Texts from the settings have no language tag, because their language is unknown. */
const englishText = (value: string): Record<string, string> => ({ '@value': value, '@language': 'en' })

function toModifiedDate({ metadata }: Snapshot): Record<string, string> {
  return { '@type': 'xsd:dateTime', '@value': metadata.publishedAt.toISOString() }
}

// The functions below return an object to spread: it has one property, or none if the value is unknown.

function toPeriodProperty(snapshot: Snapshot): Record<string, unknown> {
  const years = findYears(snapshot)
  if (years === undefined) return {}
  const toYear = (value: number): unknown => ({ '@type': 'xsd:gYear', '@value': String(value).padStart(4, '0') })
  const period = { 'dcat:startDate': toYear(years.first), 'dcat:endDate': toYear(years.last) }
  return { 'dct:temporal': { '@type': 'dct:PeriodOfTime', ...period } }
}

/** The years of entry of the oldest and the newest record; undefined for an empty registry. */
function findYears({ municipalities }: Snapshot): { first: number; last: number } | undefined {
  if (municipalities.length === 0) return undefined
  return {
    first: Math.min(...municipalities.map((each) => each.firstYear)),
    last: Math.max(...municipalities.map((each) => each.lastYear)),
  }
}

function toLicenceProperty({ licence: address }: DatasetSettings): Record<string, unknown> {
  return address === undefined ? {} : { 'dct:license': toLink(address) }
}

function toContactProperty({ contact: address, publisher }: DatasetSettings): Record<string, unknown> {
  if (address === undefined) return {}
  const property = address.startsWith('mailto:') ? 'vcard:hasEmail' : 'vcard:hasURL'
  const point = { '@type': 'vcard:Organization', 'vcard:fn': publisher, [property]: toLink(address) }
  return { 'dcat:contactPoint': point }
}
