// Two descriptions of the registry, from the operator's settings and from the snapshot, which is the published copy of
// the registry. Open-data portals read a catalogue in DCAT-AP-ES 1.0, at {base}/catalog (JSON-LD) and
// {base}/catalog.ttl (Turtle). Search engines read a schema.org Dataset, which page.ts puts into the head of each page
// of the web interface.

import type { Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { dataCaching, serveText } from './json-response.ts'
import type { Handler } from './route.ts'
import type { DatasetSettings } from './settings.ts'
import { toSpanishNames } from './settings.ts'
import { type JsonLd, toTurtle } from './turtle.ts'

export const handleCatalog: Handler = (request, { store, settings }) => {
  const { metadata } = store.current()
  const body = JSON.stringify(toCatalog(request.baseUrl, store.current(), settings.dataset))
  return serveText(request, 'application/ld+json', dataCaching, metadata.id, body)
}

export const handleTurtleCatalog: Handler = (request, { store, settings }) => {
  const { metadata } = store.current()
  const body = toTurtle(toCatalog(request.baseUrl, store.current(), settings.dataset))
  return serveText(request, 'text/turtle; charset=utf-8', dataCaching, metadata.id, body)
}

type Properties = Readonly<Record<string, JsonLd>>

/** The DCAT catalogue: one dataset, its distributions (ways to download it) and the service that searches it. */
export function toCatalog(baseUrl: string, snapshot: Snapshot, dataset: DatasetSettings): Properties {
  const { title, publisher } = toSpanishNames(dataset)
  const { publisherCode, licence, contact } = dataset
  // A publisher of the national directory of public bodies (DIR3) is described by datos.gob.es.
  const publisherId =
    publisherCode === undefined
      ? `${baseUrl}/catalog#publisher`
      : `http://datos.gob.es/recurso/sector-publico/org/Organismo/${publisherCode}`
  const years = findYears(snapshot)
  // The properties that several nodes have. A node is described once; elsewhere its `@id` refers to it.
  // `toSpanishNames` translates only the default title, which is English. It returns any other title unchanged.
  const titles = title === dataset.title ? [toText(title, 'es')] : toTexts([title, dataset.title])
  const description = toTexts(describeRegistry(snapshot))
  const language = toLink('http://publications.europa.eu/resource/authority/language/SPA')
  const spatial = toLink(dataset.spatial ?? 'http://publications.europa.eu/resource/authority/country/ESP')
  const themes = [sectorTheme, europeanTheme].map(toLink)
  const accessRights = toLink('http://publications.europa.eu/resource/authority/access-right/PUBLIC')
  const licenceProperty = licence === undefined ? {} : { 'dct:license': toLink(licence) }
  const contactProperty = contact === undefined ? {} : { 'dcat:contactPoint': toContactPoint(contact, publisher) }
  const dates = {
    // When the registry was first published: the change log starts with the first import. It starts anew if an import
    // cannot continue it, for example when a real registry replaces the bundled sample.
    'dct:issued': toTyped('xsd:dateTime', snapshot.changes.facts.startedAt),
    'dct:modified': toTyped('xsd:dateTime', snapshot.metadata.publishedAt.toISOString()),
  }
  return {
    '@context': jsonLdContext,
    '@id': `${baseUrl}/catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': titles,
    'dct:description': description,
    'dct:publisher': {
      '@id': publisherId,
      '@type': 'foaf:Agent',
      'foaf:name': [toText(publisher, 'es')],
      ...(publisherCode === undefined ? {} : { 'dct:identifier': publisherCode }),
    },
    'dct:language': language,
    ...dates,
    'dct:spatial': spatial,
    'dcat:themeTaxonomy': [sectorTaxonomy, europeanTaxonomy].map(toLink),
    'foaf:homepage': toLink(`${baseUrl}/`),
    ...licenceProperty,
    'dcat:service': {
      '@id': `${baseUrl}/catalog#service`,
      '@type': 'dcat:DataService',
      'dct:title': toTexts(['Consulta de expedientes', 'Search of records']),
      'dct:description': toTexts([
        'Búsqueda de expedientes por municipio, fecha y palabras, en JSON y CSV.',
        'Search of the records by municipality, date and words, as JSON and CSV.',
      ]),
      'dct:publisher': toLink(publisherId),
      'dcat:theme': themes,
      'dct:accessRights': accessRights,
      'dcat:endpointURL': toLink(baseUrl),
      'dcat:endpointDescription': toLink(`${baseUrl}/openapi.json`),
      'foaf:page': toLink(`${baseUrl}/docs`),
      'dcat:servesDataset': toLink(`${baseUrl}/catalog#dataset`),
      ...contactProperty,
      ...licenceProperty,
    },
    'dcat:dataset': {
      '@id': `${baseUrl}/catalog#dataset`,
      '@type': 'dcat:Dataset',
      'dct:identifier': `${baseUrl}/catalog#dataset`,
      'dct:title': titles,
      'dct:description': description,
      'dct:publisher': toLink(publisherId),
      'dct:language': language,
      ...dates,
      'dct:spatial': spatial,
      ...(years === undefined
        ? {}
        : {
            'dct:temporal': {
              '@type': 'dct:PeriodOfTime',
              'dcat:startDate': toTyped('xsd:gYear', toYear(years.first)),
              'dcat:endDate': toTyped('xsd:gYear', toYear(years.last)),
            },
          }),
      'dct:accessRights': accessRights,
      'dcat:theme': themes,
      'dcat:keyword': [
        ...keywords,
        // The office's own columns, by which people may look for its data.
        ...snapshot.metadata.fields.map(({ label }) => toText(label, 'es')),
        ...(snapshot.metadata.fictional ? [toText(fictionalKeyword, 'en')] : []),
      ],
      'owl:versionInfo': snapshot.metadata.id,
      'dcat:landingPage': toLink(`${baseUrl}/`),
      ...contactProperty,
      'dcat:distribution': distributions.map(({ path, titles, mediaType, fileType }) => ({
        '@id': `${baseUrl}/catalog#${path}`,
        '@type': 'dcat:Distribution',
        'dct:title': toTexts(titles),
        'dct:description': toTexts(titles),
        'dcat:accessURL': toLink(`${baseUrl}/${path}`),
        'dcat:downloadURL': toLink(`${baseUrl}/${path}`),
        'dcat:mediaType': toLink(`http://www.iana.org/assignments/media-types/${mediaType}`),
        'dct:format': toLink(`http://publications.europa.eu/resource/authority/file-type/${fileType}`),
        'dcat:accessService': toLink(`${baseUrl}/catalog#service`),
        'dct:language': language,
        ...dates,
        ...licenceProperty,
      })),
    },
  }
}

/** A text in both languages of the catalogue. */
type Translations = readonly [spanish: string, english: string]

/** `fileType` is a name in the EU's list of file types. */
const distributions = [
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
] as const

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

/** DCAT-AP-ES has two lists of themes. A theme of the first list is mandatory; REGI means regions and cities. */
const sectorTaxonomy = 'http://datos.gob.es/kos/sector-publico/sector'
const sectorTheme = `${sectorTaxonomy}/urbanismo-infraestructuras`
const europeanTaxonomy = 'http://publications.europa.eu/resource/authority/data-theme'
const europeanTheme = `${europeanTaxonomy}/REGI`

/** A reference to a node or a page in JSON-LD. */
const toLink = (address: string): JsonLd => ({ '@id': address })

function toText(value: string, language: 'es' | 'en'): JsonLd {
  return { '@value': value, '@language': language }
}

/** DCAT-AP-ES requires every text in Spanish; other languages may follow. */
function toTexts([spanish, english]: Translations): JsonLd {
  return [toText(spanish, 'es'), toText(english, 'en')]
}

function toTyped(type: string, value: string): JsonLd {
  return { '@type': type, '@value': value }
}

/** A value of xsd:gYear has at least four digits. */
function toYear(year: number): string {
  return String(year).padStart(4, '0')
}

function toContactPoint(address: string, name: string): JsonLd {
  const property = address.startsWith('mailto:') ? 'vcard:hasEmail' : 'vcard:hasURL'
  return { '@type': 'vcard:Organization', 'vcard:fn': [toText(name, 'es')], [property]: toLink(address) }
}

/** The years of entry of the oldest and the newest record; undefined for an empty registry. */
function findYears({ municipalities }: Snapshot): { first: number; last: number } | undefined {
  if (municipalities.length === 0) return undefined
  return {
    first: municipalities.reduce((first, { firstYear }) => Math.min(first, firstYear), Number.POSITIVE_INFINITY),
    last: municipalities.reduce((last, { lastYear }) => Math.max(last, lastYear), Number.NEGATIVE_INFINITY),
  }
}
