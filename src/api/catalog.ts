// {base}/catalog: the registry described for open-data portals (DCAT-AP 3 as JSON-LD), and for search engines (the
// schema.org Dataset in the head of the page). What only the operator knows comes from settings, the rest from the
// snapshot.

import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { version } from '../version.ts'
import { dataCaching, toTag } from './json-response.ts'
import { parseRequest } from './parameters.ts'
import type { DatasetSettings } from './settings.ts'

const headers = representationHeaders('application/ld+json', dataCaching)

export async function handleCatalog(
  request: ApiRequest,
  store: RegistryStore,
  dataset: DatasetSettings,
): Promise<ApiResponse> {
  const asked = parseRequest(request.target.query, [])
  if (asked instanceof Problem) return toProblemResponse(asked, request)
  const snapshot = store.current()
  const body = JSON.stringify(toCatalog(request.baseAddress, snapshot, dataset))
  const tag = toTag(snapshot.facts.id, [body])
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, Buffer.from(body))
}

export function toCatalog(base: string, snapshot: Snapshot, dataset: DatasetSettings): Record<string, unknown> {
  const { title } = dataset
  const description = text(describe(snapshot))
  const publisher = { '@type': 'foaf:Agent', 'foaf:name': dataset.publisher }
  const service = {
    '@id': `${base}/catalog#service`,
    '@type': 'dcat:DataService',
    'dct:title': `${title}: JSON`,
    'dct:description': text('Search of the records by municipality, year and words, as JSON.'),
    'dct:publisher': publisher,
    'dcat:endpointURL': link(base),
    'dcat:endpointDescription': link(`${base}/openapi.json`),
    'foaf:page': link(`${base}/docs`),
    'dcat:servesDataset': { '@id': `${base}/catalog#dataset` },
    ...licence(dataset),
  }
  return {
    '@context': context,
    '@id': `${base}/catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': title,
    'dct:description': description,
    'dct:publisher': publisher,
    'dct:language': link(spanish),
    'dct:modified': modified(snapshot),
    'foaf:homepage': link(`${base}/`),
    'dcat:service': service,
    'dcat:dataset': {
      '@id': `${base}/catalog#dataset`,
      '@type': 'dcat:Dataset',
      'dct:identifier': `${base}/catalog#dataset`,
      'dct:title': title,
      'dct:description': description,
      'dct:publisher': publisher,
      'dct:language': link(spanish),
      'dct:modified': modified(snapshot),
      'dct:spatial': link(dataset.spatial ?? spain),
      ...temporal(snapshot),
      'dct:accessRights': link('http://publications.europa.eu/resource/authority/access-right/PUBLIC'),
      'dcat:theme': link('http://publications.europa.eu/resource/authority/data-theme/REGI'),
      'dcat:keyword': ['urban planning', 'urbanismo', 'planeamiento'],
      'dcat:version': snapshot.facts.id,
      'dcat:landingPage': link(`${base}/`),
      ...contact(dataset),
      'dcat:distribution': ['record', 'municipality'].map((path) => ({
        '@id': `${base}/catalog#${path}`,
        '@type': 'dcat:Distribution',
        'dct:title': text(path === 'record' ? 'Every record' : 'The municipalities that have records'),
        'dcat:accessURL': link(`${base}/${path}`),
        'dcat:downloadURL': link(`${base}/${path}`),
        'dcat:mediaType': link('https://www.iana.org/assignments/media-types/application/json'),
        'dct:format': link('http://publications.europa.eu/resource/authority/file-type/JSON'),
        'dcat:accessService': { '@id': `${base}/catalog#service` },
        'dct:modified': modified(snapshot),
        ...licence(dataset),
      })),
    },
  }
}

/** The same as schema.org says it, for search engines. */
export function toSchemaOrg(base: string, snapshot: Snapshot, dataset: DatasetSettings): Record<string, unknown> {
  const years = yearsOf(snapshot)
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
    dateModified: snapshot.facts.publishedAt.toISOString(),
    version: snapshot.facts.id,
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

function describe({ facts, municipalities }: Snapshot): string {
  const extent = `${facts.records} urban-planning records of ${municipalities.length} municipalities`
  return facts.fictional ? `A sample: ${extent}, all of them fictional.` : `${extent}.`
}

const context = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

const spanish = 'http://publications.europa.eu/resource/authority/language/SPA'
const spain = 'http://publications.europa.eu/resource/authority/country/ESP'

const link = (address: string): Record<string, string> => ({ '@id': address })

/** What this file says, as against what the operator says, whose language nobody told. */
const text = (value: string): Record<string, string> => ({ '@value': value, '@language': 'en' })

function modified({ facts }: Snapshot): Record<string, string> {
  return { '@type': 'xsd:dateTime', '@value': facts.publishedAt.toISOString() }
}

function temporal(snapshot: Snapshot): Record<string, unknown> {
  const years = yearsOf(snapshot)
  if (years === undefined) return {}
  const year = (value: number): unknown => ({ '@type': 'xsd:gYear', '@value': String(value).padStart(4, '0') })
  const period = { 'dcat:startDate': year(years.first), 'dcat:endDate': year(years.last) }
  return { 'dct:temporal': { '@type': 'dct:PeriodOfTime', ...period } }
}

function yearsOf({ municipalities }: Snapshot): { first: number; last: number } | undefined {
  if (municipalities.length === 0) return undefined
  return {
    first: Math.min(...municipalities.map((each) => each.firstYear)),
    last: Math.max(...municipalities.map((each) => each.lastYear)),
  }
}

function licence({ licence: address }: DatasetSettings): Record<string, unknown> {
  return address === undefined ? {} : { 'dct:license': link(address) }
}

function contact({ contact: address, publisher }: DatasetSettings): Record<string, unknown> {
  if (address === undefined) return {}
  const means = address.startsWith('mailto:') ? 'vcard:hasEmail' : 'vcard:hasURL'
  const point = { '@type': 'vcard:Organization', 'vcard:fn': publisher, [means]: link(address) }
  return { 'dcat:contactPoint': point }
}
