// The operations of the API: path, handler and OpenAPI description of each. The routes (routes.ts), openapi.json
// (openapi.ts) and the fetch function that needs no server (local.ts) all use this list.
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { SnapshotSource } from '../registry/contract.ts'
import { handleChanges } from './changes.ts'
import { exampleRequests, exampleResponses } from './examples.ts'
import { handleMunicipalities, handleSummary } from './overview.ts'
import type { ParameterName } from './parameter-schemas.ts'
import { limitMax, operationParameters, type Parameter, parameters } from './parameter-schemas.ts'
import { changesParameters, conditionParameters, recordParameters, summaryParameters } from './parameters.ts'
import { handleRecordCsv } from './record-csv.ts'
import { handleRecords } from './records.ts'

export interface ApiOperation {
  /** OpenAPI path template, relative to the base path. A parameter at the end matches the rest of the path. */
  readonly path: string
  /** `pathParameter` is percent-encoded; it is empty if the path has no parameter. */
  readonly handle: (request: ApiRequest, store: SnapshotSource, pathParameter: string) => Promise<ApiResponse>
  readonly description: OperationDescription
}

/** An OpenAPI Operation Object. */
export interface OperationDescription {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly OpenApiParameter[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** An OpenAPI Parameter Object. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required: boolean
  readonly description: string
  readonly schema: unknown
  readonly examples?: Examples
}

/** OpenAPI Example Objects by name. */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>

const linkHeader = { Link: { $ref: '#/components/headers/Link' } }

export const operations: readonly ApiOperation[] = [
  {
    path: '/record',
    // The path parameter, which is empty here, is not passed: it would be an empty inscription code.
    handle: (request, store) => handleRecords(request, store),
    description: {
      operationId: 'searchRecords',
      tags: ['records'],
      summary: 'Search records',
      description:
        'Returns the records that match every filter, newest first. With `search`, records whose title contains the ' +
        'words side by side come first, then those whose title contains every word. Without a filter, the result is ' +
        'every record. Without `limit`, the whole result is streamed.',
      parameters: toParameters('searchRecords', recordParameters),
      responses: toResponses('searchRecords', 'SearchResult', { headers: linkHeader }),
    },
  },
  {
    path: '/record/{cod_archivo}',
    handle: handleRecords,
    description: {
      operationId: 'getRecord',
      tags: ['records'],
      summary: 'Get a record by its inscription code',
      description:
        'Returns one record in the same envelope as a search. If filters are given and the record does not match ' +
        'them, the response is 404.',
      parameters: toParameters('getRecord', ['cod_archivo', ...recordParameters]),
      responses: toResponses('getRecord', 'SearchResult'),
    },
  },
  {
    path: '/record.csv',
    handle: handleRecordCsv,
    description: {
      operationId: 'exportRecords',
      tags: ['records'],
      summary: 'Export records as CSV',
      description:
        'Returns the same records as a search, in the same order: UTF-8 with a byte order mark, `;` between cells, ' +
        'and an apostrophe before cells that start like a formula. The whole result is streamed.',
      parameters: toParameters('exportRecords', conditionParameters),
      responses: toResponses('exportRecords', 'Csv', { contentType: 'text/csv', headers: linkHeader }),
    },
  },
  {
    path: '/municipality',
    handle: handleMunicipalities,
    description: {
      operationId: 'listMunicipalities',
      tags: ['overview'],
      summary: 'List the municipalities that have records',
      description: 'Returns the municipalities in order of name, with the other names that find each of them.',
      parameters: [],
      responses: toResponses('listMunicipalities', 'Municipalities', { canBeNotFound: false }),
    },
  },
  {
    path: '/summary',
    handle: handleSummary,
    description: {
      operationId: 'summariseRecords',
      tags: ['overview'],
      summary: 'Count records by year and municipality',
      description: 'Counts the records that match the filters. The filters are those of the search.',
      parameters: toParameters('summariseRecords', summaryParameters),
      responses: toResponses('summariseRecords', 'Summary', { headers: linkHeader }),
    },
  },
  {
    path: '/changes',
    handle: handleChanges,
    description: {
      operationId: 'listChanges',
      tags: ['changes'],
      summary: 'List changes, to keep a copy',
      description:
        'Returns the records that became new, changed or gone since the token, oldest first; without a token every ' +
        `record as new. A page has up to ${limitMax} changes. A client that gets each new and changed record ` +
        'and deletes each gone one has an exact copy. With filters it has a copy of the matching records.',
      parameters: toParameters('listChanges', changesParameters),
      responses: {
        ...toResponses('listChanges', 'Changes', { headers: { Link: { $ref: '#/components/headers/ChangesLink' } } }),
        410: { $ref: '#/components/responses/Gone' },
      },
    },
  },
]

/** OpenAPI Parameter Objects. The examples of each are its values in the example requests, by name of the example. */
function toParameters(operationId: string, names: readonly ParameterName[]): OpenApiParameter[] {
  return names.map((name) => {
    const location = name === 'cod_archivo' ? 'path' : 'query'
    // With this type, any name can be looked up.
    const ownParameters: Readonly<Record<string, Parameter>> = operationParameters
    const { schema, meaning } = ownParameters[`${operationId}.${name}`] ?? parameters[name]
    const parameter = { name, in: location, required: location === 'path', description: meaning, schema } as const
    const exampleValues = Object.entries(exampleRequests[operationId] ?? {})
      .map(([exampleName, request]) => [exampleName, request[name]] as const)
      .filter(([, value]) => value !== undefined)
    if (exampleValues.length === 0) return parameter
    return { ...parameter, examples: toExamples(Object.fromEntries(exampleValues)) }
  })
}

/** OpenAPI Example Objects. Tools pair the examples of parameters and responses that have the same name. */
function toExamples(values: Readonly<Record<string, unknown>>): Examples {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
}

interface ResponsesOptions {
  /** Headers of the 200 response besides `ETag` and `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Whether the response can be a 404, for example for an empty result; true by default. */
  readonly canBeNotFound?: boolean
  /** The media type of the 200 response; `application/json` by default. */
  readonly contentType?: string
}

/** The responses of an operation by status. `schema` names the schema of the 200 response in openapi.ts. */
function toResponses(
  operationId: string,
  schema: string,
  { headers = {}, canBeNotFound = true, contentType = 'application/json' }: ResponsesOptions = {},
): Record<string, unknown> {
  const toReference = (name: string): unknown => ({ $ref: `#/components/responses/${name}` })
  return {
    200: {
      description: 'Success.',
      headers: {
        ETag: { $ref: '#/components/headers/ETag' },
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
        ...headers,
      },
      content: {
        [contentType]: {
          schema: { $ref: `#/components/schemas/${schema}` },
          examples: toExamples(exampleResponses[operationId] ?? {}),
        },
      },
    },
    304: toReference('NotModified'),
    400: toReference('BadRequest'),
    ...(canBeNotFound ? { 404: toReference('NotFound') } : {}),
    405: toReference('MethodNotAllowed'),
    414: toReference('AddressTooLong'),
    429: toReference('TooManyRequests'),
    431: toReference('HeadersTooLarge'),
    500: toReference('InternalError'),
    503: toReference('Unavailable'),
  }
}
