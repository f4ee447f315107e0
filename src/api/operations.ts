// The operations of the API, one declaration each: path, code, parameters, response, and what they do in both
// languages. The routes (routes.ts), openapi.json (openapi.ts), the reference page (reference.ts) and the fetch
// function that needs no server (local.ts) follow from it.
import type { BilingualText } from '../domain/parameters.ts'
import { limitMax } from '../domain/query-limits.ts'
import { listChanges } from './changes.ts'
import type { RunnableOperation } from './operation.ts'
import { listMunicipalities, summariseRecords } from './overview.ts'
import { changesParameters, conditionParameters, recordParameters, summaryParameters } from './parameters.ts'
import { exportRecords } from './record-csv.ts'
import { searchRecords } from './records.ts'

/** `path` is a path template of OpenAPI, relative to the base path. */
export interface ApiOperation extends RunnableOperation {
  /** The `operationId` of OpenAPI. */
  readonly id: string
  readonly tag: 'records' | 'changes' | 'overview'
  readonly summary: BilingualText
  readonly description: BilingualText
  readonly response: OperationResponse
}

/** The 200 response, and which errors may come besides those of every operation. */
export interface OperationResponse {
  /** The name of its schema in openapi.ts. */
  readonly schema: string
  /** `application/json` by default. */
  readonly contentType?: string
  /** What its `Link` header is, by the name in openapi.ts; absent if it has none. */
  readonly link?: 'Link' | 'ChangesLink'
  /** Whether `count=exact` adds the header Total-Count. */
  readonly canBeCounted?: boolean
  /** Whether it can be a 404, for example for an empty result; true by default. */
  readonly canBeNotFound?: boolean
  readonly canBeGone?: boolean
}

export const apiTitle: BilingualText = { en: 'Planning Registry Records API', es: 'API de expedientes de planeamiento' }

export const apiDescription: BilingualText = {
  en:
    'Searches records with optional filters, lists municipalities, counts records and lists changes. Responses ' +
    'are JSON, or CSV for spreadsheets. No account is needed, and scripts of every origin are allowed (CORS). A ' +
    'record must match every filter; an empty result is a 404 that says why. Every 200 has an `ETag`. Errors are ' +
    '`application/problem+json` (RFC 9457).',
  es:
    'Busca expedientes con filtros opcionales, enumera municipios, cuenta expedientes y enumera cambios. Las ' +
    'respuestas son JSON o CSV. No hace falta crear una cuenta y se admiten peticiones desde cualquier origen (CORS). ' +
    'Un expediente debe cumplir todos los filtros; un resultado vacío es un 404 que indica el motivo. Toda respuesta ' +
    '200 lleva un `ETag`. Los errores son `application/problem+json` (RFC 9457).',
}

export const operations: readonly ApiOperation[] = [
  {
    path: '/record',
    code: searchRecords,
    id: 'searchRecords',
    tag: 'records',
    summary: { en: 'Search records', es: 'Buscar expedientes' },
    description: {
      en:
        'Returns the records that match every filter, newest first. With `search`, records whose title or area contains the ' +
        'words side by side come first, then those whose title contains every word. Without a filter, the result is ' +
        'every record. Without `limit`, the whole result is streamed.',
      es:
        'Devuelve los expedientes que cumplen todos los filtros, del más reciente al más antiguo. Con `search`, ' +
        'aparecen primero los que tienen las palabras seguidas en el título o en el ámbito y después los que las tienen todas en él. ' +
        'Sin filtros, el resultado son todos los expedientes. Sin `limit`, se envía el resultado completo.',
    },
    parameters: recordParameters,
    response: { schema: 'SearchResult', link: 'Link', canBeCounted: true },
  },
  {
    path: '/record/{cod_archivo}',
    code: searchRecords,
    id: 'getRecord',
    tag: 'records',
    summary: { en: 'Get a record by its inscription code', es: 'Obtener un expediente por su código de inscripción' },
    description: {
      en:
        'Returns one record in the same envelope as a search. If filters are given and the record does not match ' +
        'them, the response is 404.',
      es:
        'Devuelve un expediente con la misma estructura que una búsqueda. Si hay filtros y el expediente no los ' +
        'cumple, la respuesta es 404.',
    },
    parameters: ['cod_archivo', ...recordParameters],
    response: { schema: 'SearchResult', canBeCounted: true },
  },
  {
    path: '/record.csv',
    code: exportRecords,
    id: 'exportRecords',
    tag: 'records',
    summary: { en: 'Export records as CSV', es: 'Exportar expedientes en CSV' },
    description: {
      en:
        'Returns the same records as a search, in the same order: UTF-8 with a byte order mark, `;` between cells, ' +
        'and an apostrophe before cells that start like a formula. The whole result is streamed.',
      es:
        'Devuelve los mismos expedientes que una búsqueda, en el mismo orden: UTF-8 con marca de orden de bytes, `;` ' +
        'entre celdas y un apóstrofo delante de las que empiezan como una fórmula. Se envía el resultado completo.',
    },
    parameters: conditionParameters,
    response: { schema: 'Csv', contentType: 'text/csv', link: 'Link' },
  },
  {
    path: '/municipality',
    code: listMunicipalities,
    id: 'listMunicipalities',
    tag: 'overview',
    summary: { en: 'List the municipalities that have records', es: 'Enumerar los municipios que tienen expedientes' },
    description: {
      en: 'Returns the municipalities in order of name, with the other names that find each of them.',
      es: 'Devuelve los municipios por orden alfabético, con los demás nombres con los que se pueden buscar.',
    },
    parameters: [],
    response: { schema: 'Municipalities', canBeNotFound: false },
  },
  {
    path: '/summary',
    code: summariseRecords,
    id: 'summariseRecords',
    tag: 'overview',
    summary: { en: 'Count records by year and municipality', es: 'Contar expedientes por año y municipio' },
    description: {
      en: 'Counts the records that match the filters. The filters are those of the search.',
      es: 'Cuenta los expedientes que cumplen los filtros, que son los mismos que en la búsqueda.',
    },
    parameters: summaryParameters,
    response: { schema: 'Summary', link: 'Link' },
  },
  {
    path: '/changes',
    code: listChanges,
    id: 'listChanges',
    tag: 'changes',
    summary: { en: 'List changes, to keep a copy', es: 'Enumerar los cambios, para mantener una copia' },
    description: {
      en:
        'Returns the records that became new, changed or gone since the token, oldest first; without a token every ' +
        `record as new. A page has up to ${limitMax} changes. A client that stores each new and changed record ` +
        '(`include=record`) and deletes each gone one has an exact copy. With filters it has a copy of the matching ' +
        'records.',
      es:
        'Devuelve los expedientes nuevos, modificados o retirados desde el punto que indica `since`, del más antiguo ' +
        `al más reciente; sin \`since\`, todos como nuevos. Cada página tiene hasta ${limitMax} cambios. Para ` +
        'mantener una copia exacta, guarde los nuevos y modificados (`include=record`) y elimine los retirados; con ' +
        'filtros, la copia es de los que los cumplen.',
    },
    parameters: changesParameters,
    response: { schema: 'Changes', link: 'ChangesLink', canBeGone: true },
  },
]
