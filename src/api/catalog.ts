// Two descriptions of the registry, from the operator's settings and from the snapshot, which is the published copy of
// the registry. Open-data portals read a catalogue in DCAT-AP-ES 1.0, at {base}/catalog (JSON-LD) and
// {base}/catalog.ttl (Turtle). Search engines read a schema.org Dataset, which page.ts puts into the head of each page
// of the web interface.

import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { dataCaching, toTag } from './json-response.ts'
import { parseParameters } from './parameters.ts'
import type { DatasetSettings } from './settings.ts'
import { toSpanishNames } from './settings.ts'
import { type JsonLd, toTurtle } from './turtle.ts'

const jsonHeaders = representationHeaders('application/ld+json', dataCaching)
const turtleHeaders = representationHeaders('text/turtle; charset=utf-8', dataCaching)

export async function handleCatalog(
  request: ApiRequest,
  store: RegistryStore,
  dataset: DatasetSettings,
  format: 'JSON-LD' | 'Turtle',
): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const catalog = toCatalog(request.baseUrl, snapshot, dataset)
  const body = format === 'Turtle' ? toTurtle(catalog) : JSON.stringify(catalog)
  const headers = format === 'Turtle' ? turtleHeaders : jsonHeaders
  const tag = toTag(snapshot.metadata.id, [body])
  // Without a data version (`ApiResponse.dataVersion`) the response is not cached here: its body contains the base URL,
  // which the keys of the response cache lack.
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, Buffer.from(body))
}

type Properties = Readonly<Record<string, JsonLd>>

/** The DCAT catalogue: one dataset, its distributions (ways to download it) and the service that searches it. */
export function toCatalog(baseUrl: string, snapshot: Snapshot, dataset: DatasetSettings): Properties {
  const datasetTitles = toTitles(dataset)
  const description = toBilingualText(...describeRegistry(snapshot))
  const publisher = toPublisher(baseUrl, dataset)
  // A node is described once; elsewhere its `@id` refers to it.
  const publisherLink = toLink(String(publisher['@id']))
  const themes = [sectorTheme, europeanTheme].map(toLink)
  const spatial = toLink(dataset.spatial ?? spainCountry)
  const dates = {
    // When the registry was first published: the change log starts with the first import. It starts anew if an import
    // cannot continue it, for example when a real registry replaces the bundled sample.
    'dct:issued': toDateTime(snapshot.changes.facts.startedAt),
    'dct:modified': toDateTime(snapshot.metadata.publishedAt.toISOString()),
  }
  const service = {
    '@id': `${baseUrl}/catalog#service`,
    '@type': 'dcat:DataService',
    'dct:title': toBilingualText('Consulta de expedientes', 'Search of records'),
    'dct:description': toBilingualText(
      'Búsqueda de expedientes por municipio, fecha y palabras, en JSON y CSV.',
      'Search of the records by municipality, date and words, as JSON and CSV.',
    ),
    'dct:publisher': publisherLink,
    'dcat:theme': themes,
    'dct:accessRights': toLink(publicAccess),
    'dcat:endpointURL': toLink(baseUrl),
    'dcat:endpointDescription': toLink(`${baseUrl}/openapi.json`),
    'foaf:page': toLink(`${baseUrl}/docs`),
    'dcat:servesDataset': toLink(`${baseUrl}/catalog#dataset`),
    ...toContactProperty(dataset),
    ...toLicenceProperty(dataset),
  }
  return {
    '@context': jsonLdContext,
    '@id': `${baseUrl}/catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': datasetTitles,
    'dct:description': description,
    'dct:publisher': publisher,
    'dct:language': toLink(spanishLanguage),
    ...dates,
    'dct:spatial': spatial,
    'dcat:themeTaxonomy': [sectorTaxonomy, europeanTaxonomy].map(toLink),
    'foaf:homepage': toLink(`${baseUrl}/`),
    ...toLicenceProperty(dataset),
    'dcat:service': service,
    'dcat:dataset': {
      '@id': `${baseUrl}/catalog#dataset`,
      '@type': 'dcat:Dataset',
      'dct:identifier': `${baseUrl}/catalog#dataset`,
      'dct:title': datasetTitles,
      'dct:description': description,
      'dct:publisher': publisherLink,
      'dct:language': toLink(spanishLanguage),
      ...dates,
      'dct:spatial': spatial,
      ...toPeriodProperty(snapshot),
      'dct:accessRights': toLink(publicAccess),
      'dcat:theme': themes,
      'dcat:keyword': snapshot.metadata.fictional ? [...keywords, toText(fictionalKeyword, 'en')] : keywords,
      'owl:versionInfo': snapshot.metadata.id,
      'dcat:landingPage': toLink(`${baseUrl}/`),
      ...toContactProperty(dataset),
      'dcat:distribution': distributions.map(({ path, titles, mediaType, fileType }) => ({
        '@id': `${baseUrl}/catalog#${path}`,
        '@type': 'dcat:Distribution',
        'dct:title': toBilingualText(...titles),
        'dct:description': toBilingualText(...titles),
        'dcat:accessURL': toLink(`${baseUrl}/${path}`),
        'dcat:downloadURL': toLink(`${baseUrl}/${path}`),
        'dcat:mediaType': toLink(`http://www.iana.org/assignments/media-types/${mediaType}`),
        'dct:format': toLink(`http://publications.europa.eu/resource/authority/file-type/${fileType}`),
        'dcat:accessService': toLink(`${baseUrl}/catalog#service`),
        'dct:language': toLink(spanishLanguage),
        ...dates,
        ...toLicenceProperty(dataset),
      })),
    },
  }
}

/** A text in both languages of the catalogue. */
type Translations = readonly [spanish: string, english: string]

interface Distribution {
  /** Relative to the base URL. */
  readonly path: string
  readonly titles: Translations
  readonly mediaType: string
  /** A name in the EU's list of file types. */
  readonly fileType: string
}

const distributions: readonly Distribution[] = [
  {
    path: 'record',
    titles: ['Todos los expedientes, en JSON', 'Every record, as JSON'],
    mediaType: 'application/json',
    fileType: 'JSON',
  },
  {
    path: 'record.csv',
    titles: ['Todos los expedientes, en CSV', 'Every record, as CSV'],
    mediaType: 'text/csv',
    fileType: 'CSV',
  },
  {
    path: 'municipality',
    titles: ['Municipios con expedientes, en JSON', 'The municipalities that have records, as JSON'],
    mediaType: 'application/json',
    fileType: 'JSON',
  },
]

/** The schema.org Dataset for search engines. */
export function toSchemaOrg(baseUrl: string, snapshot: Snapshot, dataset: DatasetSettings): Record<string, unknown> {
  const years = findYears(snapshot)
  const [spanishDescription] = describeRegistry(snapshot)
  const { title, publisher } = toSpanishNames(dataset)
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${baseUrl}/catalog#dataset`,
    url: `${baseUrl}/`,
    name: title,
    description: spanishDescription,
    creator: { '@type': 'Organization', name: publisher },
    publisher: { '@type': 'Organization', name: publisher },
    inLanguage: 'es',
    isAccessibleForFree: true,
    dateModified: snapshot.metadata.publishedAt.toISOString(),
    version: snapshot.metadata.id,
    spatialCoverage: dataset.spatial ?? 'España',
    ...(years === undefined ? {} : { temporalCoverage: `${years.first}/${years.last}` }),
    ...(dataset.licence === undefined ? {} : { license: dataset.licence }),
    distribution: distributions.map(({ path, mediaType }) => ({
      '@type': 'DataDownload',
      encodingFormat: mediaType,
      contentUrl: `${baseUrl}/${path}`,
    })),
    softwareVersion: version,
  }
}

/** How many records of how many municipalities the registry has, and whether they are fictional. */
function describeRegistry({ metadata, municipalities }: Snapshot): Translations {
  const { records } = metadata
  const municipalityCount = municipalities.length
  return metadata.fictional
    ? [
        `Muestra: ${records} expedientes de urbanismo de ${municipalityCount} municipios, todos ficticios.`,
        `A sample: ${records} urban-planning records of ${municipalityCount} municipalities, all of them fictional.`,
      ]
    : [
        `${records} expedientes de urbanismo de ${municipalityCount} municipios.`,
        `${records} urban-planning records of ${municipalityCount} municipalities.`,
      ]
}

/** The vocabularies, by the prefix of their properties. */
const jsonLdContext = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  owl: 'http://www.w3.org/2002/07/owl#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

const keywords: readonly JsonLd[] = [
  ...['urbanismo', 'planeamiento urbanístico', 'ordenación del territorio'].map((word) => toText(word, 'es')),
  toText('urban planning', 'en'),
]

/** The keyword of a fictional registry, by which `search --url` and `mcp --url` recognise it. */
export const fictionalKeyword = 'fictional'

const spanishLanguage = 'http://publications.europa.eu/resource/authority/language/SPA'
const spainCountry = 'http://publications.europa.eu/resource/authority/country/ESP'
const publicAccess = 'http://publications.europa.eu/resource/authority/access-right/PUBLIC'

/** DCAT-AP-ES has two lists of themes. A theme of the first list is mandatory; REGI means regions and cities. */
const sectorTaxonomy = 'http://datos.gob.es/kos/sector-publico/sector'
const sectorTheme = `${sectorTaxonomy}/urbanismo-infraestructuras`
const europeanTaxonomy = 'http://publications.europa.eu/resource/authority/data-theme'
const europeanTheme = `${europeanTaxonomy}/REGI`

/** A reference to a node or a page in JSON-LD. */
const toLink = (address: string): Record<string, string> => ({ '@id': address })

function toText(value: string, language: 'es' | 'en'): Record<string, string> {
  return { '@value': value, '@language': language }
}

/** DCAT-AP-ES requires every text in Spanish; other languages may follow. */
function toBilingualText(spanish: string, english: string): JsonLd[] {
  return [toText(spanish, 'es'), toText(english, 'en')]
}

/** The title that the operator has set, or the default title in both languages. */
function toTitles(dataset: DatasetSettings): JsonLd[] {
  const { title } = toSpanishNames(dataset)
  // `toSpanishNames` translates only the default title, which is English. It returns any other title unchanged.
  return title === dataset.title ? [toText(title, 'es')] : toBilingualText(title, dataset.title)
}

/**
 * The publisher: a public body of datos.gob.es if its code in DIR3, the national directory of public bodies, is known;
 * else a node of this catalogue.
 */
function toPublisher(baseUrl: string, dataset: DatasetSettings): Properties {
  const { publisherCode } = dataset
  return {
    '@id':
      publisherCode === undefined
        ? `${baseUrl}/catalog#publisher`
        : `http://datos.gob.es/recurso/sector-publico/org/Organismo/${publisherCode}`,
    '@type': 'foaf:Agent',
    'foaf:name': [toText(toSpanishNames(dataset).publisher, 'es')],
    ...(publisherCode === undefined ? {} : { 'dct:identifier': publisherCode }),
  }
}

/** `isoTime` is a date and time such as `2026-01-31T12:00:00.000Z`. */
function toDateTime(isoTime: string): Record<string, string> {
  return { '@type': 'xsd:dateTime', '@value': isoTime }
}

/** The years of entry of the oldest and the newest record; undefined for an empty registry. */
function findYears({ municipalities }: Snapshot): { first: number; last: number } | undefined {
  if (municipalities.length === 0) return undefined
  return {
    first: municipalities.reduce((first, { firstYear }) => Math.min(first, firstYear), Number.POSITIVE_INFINITY),
    last: municipalities.reduce((last, { lastYear }) => Math.max(last, lastYear), Number.NEGATIVE_INFINITY),
  }
}

// The functions below return an object to spread into another. It has one property, or none if the setting is missing
// or the registry is empty.

function toPeriodProperty(snapshot: Snapshot): Properties {
  const years = findYears(snapshot)
  if (years === undefined) return {}
  // A value of xsd:gYear has at least four digits.
  const toYear = (year: number): JsonLd => ({ '@type': 'xsd:gYear', '@value': String(year).padStart(4, '0') })
  const period = { 'dcat:startDate': toYear(years.first), 'dcat:endDate': toYear(years.last) }
  return { 'dct:temporal': { '@type': 'dct:PeriodOfTime', ...period } }
}

function toLicenceProperty({ licence: address }: DatasetSettings): Properties {
  return address === undefined ? {} : { 'dct:license': toLink(address) }
}

function toContactProperty(dataset: DatasetSettings): Properties {
  const { contact: address } = dataset
  if (address === undefined) return {}
  const property = address.startsWith('mailto:') ? 'vcard:hasEmail' : 'vcard:hasURL'
  const name = toText(toSpanishNames(dataset).publisher, 'es')
  const point = { '@type': 'vcard:Organization', 'vcard:fn': [name], [property]: toLink(address) }
  return { 'dcat:contactPoint': point }
}
