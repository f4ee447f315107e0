// The OpenAPI 3.1 description of the API, built from the operations, the schemas and the kinds of problems. The
// service publishes it as openapi.json, and renders the reference page from it.

import { toWholePattern } from '../domain/inscription-code.ts'
import { fieldPrefix, type OwnField } from '../domain/own-fields.ts'
import { type ParameterName, toDescription, toFieldFilter, toParameter } from '../domain/parameters.ts'
import * as schemas from '../domain/response-schemas.ts'
import type { StaticFile } from '../http/files.ts'
import { cacheForOneMinute, toStaticFile } from '../http/files.ts'
import { type ProblemCode, problemCodes, problemKinds, toProblemBody, toSentence } from '../problems.ts'
import type { SnapshotMetadata } from '../registry/contract.ts'
import { version } from '../version.ts'
import { type Example, examples, toExampleProblem } from './examples.ts'
import { type ApiOperation, apiDescription, apiTitle, operations } from './operations.ts'

/** An object of OpenAPI: an Operation Object, a Parameter Object and so on. Its names are those of OpenAPI. */
type OpenApiObject = Readonly<Record<string, unknown>>

/** What the description depends on: the pattern of the registry's codes, and its fields. */
export type DescribedRegistry = Pick<SnapshotMetadata, 'codePattern' | 'fields'>

/** A registry with codes of the standard format and no fields. */
export const plainRegistry: DescribedRegistry = { codePattern: null, fields: [] }

export function toOpenApiFile(serverUrl: string, registry: DescribedRegistry): StaticFile {
  const bytes = Buffer.from(JSON.stringify(toOpenApi(serverUrl, registry)))
  return toStaticFile('openapi.json', bytes, cacheForOneMinute)
}

function toOpenApiOperation(operation: ApiOperation, { codePattern, fields }: DescribedRegistry): OpenApiObject {
  const { id, tag, summary, description, parameters, response } = operation
  return {
    operationId: id,
    tags: [tag],
    summary: summary.en,
    description: description.en,
    parameters: [
      ...parameters.map((name) => toOpenApiParameter(id, name, codePattern)),
      ...(parameters.includes('search') ? fields.map(toFieldParameter) : []),
    ],
    responses: toResponses(id, response),
  }
}

/** The examples of a parameter are its values in the example requests, by name of the example. */
function toOpenApiParameter(operationId: string, name: ParameterName, codePattern: string | null): OpenApiObject {
  const parameter = toParameter(operationId, name)
  const isCode = name === 'cod_archivo'
  const description = { name, in: isCode ? 'path' : 'query', required: isCode } as const
  const texts = { description: toDescription(parameter, 'en'), schema: parameter.schema }
  // The examples of codes have the standard format.
  if (isCode && codePattern !== null) {
    return { ...description, ...texts, schema: { ...parameter.schema, pattern: toWholePattern(codePattern) } }
  }
  const values = toExamples(operationId, ({ request }) => request[name])
  return { ...description, ...texts, ...(Object.keys(values).length === 0 ? {} : { examples: values }) }
}

function toFieldParameter(field: OwnField): OpenApiObject {
  const filter = toFieldFilter(field)
  const texts = { description: toDescription(filter, 'en'), schema: filter.schema }
  return { name: fieldPrefix + field.name, in: 'query', required: false, ...texts }
}

/**
 * The OpenAPI Example Objects of an operation: a value of each example that has one. Tools pair the examples of
 * parameters and responses that have the same name.
 */
function toExamples(operationId: string, toValue: (example: Example) => unknown): OpenApiObject {
  const values = Object.entries(examples[operationId] ?? {}).map(([name, example]) => [name, toValue(example)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined).map(([name, value]) => [name, { value }]))
}

/** The responses of an operation by status. */
export function toResponses(
  operationId: string,
  {
    schema,
    contentType = 'application/json',
    link,
    canBeCounted = false,
    canBeNotFound = true,
    canBeGone = false,
  }: ApiOperation['response'],
): OpenApiObject {
  const toReference = (name: string): unknown => ({ $ref: `#/components/responses/${name}` })
  return {
    200: {
      description: 'Success.',
      headers: {
        ETag: { $ref: '#/components/headers/ETag' },
        'X-Request-Id': requestIdHeader,
        ...(link === undefined ? {} : { Link: { $ref: `#/components/headers/${link}` } }),
        ...(canBeCounted ? { 'Total-Count': { $ref: '#/components/headers/TotalCount' } } : {}),
      },
      content: {
        [contentType]: {
          schema: { $ref: `#/components/schemas/${schema}` },
          examples: toExamples(operationId, ({ response }) => response),
        },
      },
    },
    304: toReference('NotModified'),
    ...Object.fromEntries(
      errors
        .filter(({ code }) => (code !== 404 || canBeNotFound) && (code !== 410 || canBeGone))
        .map(({ code, name }) => [code, toReference(name)]),
    ),
  }
}

/** The error responses that operations share, by their names in openapi.json. */
const errors: readonly ErrorResponse[] = [
  { name: 'BadRequest', code: 400, description: 'The request is malformed or incomplete.' },
  { name: 'Gone', code: 410, description: 'The change log does not reach back to the token.' },
  { name: 'NotFound', code: 404, description: 'No record matches; the body says why.' },
  { name: 'MethodNotAllowed', code: 405, description: 'The method is not GET, HEAD or OPTIONS.', header: 'Allow' },
  { name: 'AddressTooLong', code: 414, description: toSentence(problemKinds['address-too-long'].explanation.en) },
  {
    name: 'TooManyRequests',
    code: 429,
    description: 'The client has sent more requests than the operator allows.',
    header: 'Retry-After',
  },
  { name: 'HeadersTooLarge', code: 431, description: toSentence(problemKinds['headers-too-large'].explanation.en) },
  { name: 'InternalError', code: 500, description: 'The service has a bug; please report it.' },
  {
    name: 'Unavailable',
    code: 503,
    description: 'The registry cannot be reached, or the service is overloaded.',
    header: 'Retry-After',
  },
]

interface ErrorResponse {
  readonly name: string
  readonly code: number
  readonly description: string
  /** The header that it has besides those of every response. */
  readonly header?: 'Allow' | 'Retry-After'
}

/** `serverUrl` may be a path, which is relative to the address of the document. */
export function toOpenApi(serverUrl: string, registry: DescribedRegistry = plainRegistry): OpenApiObject {
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle.en,
      version,
      summary: 'Read access to the urban-planning records ("expedientes") of a registry.',
      description: apiDescription.en,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This service' }],
    security: [],
    tags: [
      { name: 'records', description: 'Records' },
      { name: 'changes', description: 'Changes since a given time' },
      { name: 'overview', description: 'Municipalities and counts of records' },
    ],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: toOpenApiOperation(operation, registry) }]),
    ),
    components: {
      schemas: {
        Record: schemas.recordSchema,
        SearchResult: schemas.searchResultSchema,
        Csv: schemas.csvSchema,
        Municipalities: schemas.municipalitiesSchema,
        Summary: schemas.summarySchema,
        Changes: schemas.changesSchema,
        Problem: schemas.problemSchema,
      },
      headers: {
        ETag: {
          description: 'Identifies this version of the response; send it back in If-None-Match.',
          schema: { type: 'string' },
        },
        Link: {
          description:
            'Address of the next page with `rel="next"`, if `limit` is given; absent on the last page. If several ' +
            'municipalities share the requested name, the same request for each of them by INE code, with ' +
            '`rel="alternate"` and its name and province as `title*`.',
          schema: { type: 'string' },
        },
        ChangesLink: {
          description:
            'Address of the next page with `rel="next"`; on the last page the address to request later ' +
            'for newer changes, with `rel="latest"`.',
          schema: { type: 'string' },
        },
        TotalCount: {
          description: 'The number of matching records on all pages; present only with `count=exact`.',
          schema: { type: 'integer', minimum: 1 },
        },
        RetryAfter: {
          description: 'Seconds to wait before the next request.',
          schema: { type: 'integer', minimum: 0 },
        },
        RequestId: { description: 'Identifies the request; quote it in an error report.', schema: { type: 'string' } },
        Allow: { description: 'The allowed methods.', schema: { type: 'string', examples: ['GET, HEAD, OPTIONS'] } },
      },
      responses: {
        NotModified: {
          description: 'The client already has this response.',
          headers: { ETag: { $ref: '#/components/headers/ETag' }, 'X-Request-Id': requestIdHeader },
        },
        ...Object.fromEntries(errors.map((error) => [error.name, toErrorResponse(error)])),
      },
    },
  }
}

const requestIdHeader = { $ref: '#/components/headers/RequestId' }

/** The base URL in the examples of problems: their `type` begins with it. */
const exampleBaseUrl = 'https://registry.example.org/registry'

/** An OpenAPI Response Object with an example of every problem that has the status. */
function toErrorResponse({ code: status, description, header }: ErrorResponse): unknown {
  const problems = problemCodes.filter((code) => problemKinds[code].status === status)
  const toExample = (code: ProblemCode): unknown => ({
    summary: problemKinds[code].title.en,
    value: toProblemBody(toExampleProblem(code), exampleBaseUrl),
  })
  const ownHeaders =
    header === undefined ? {} : { [header]: { $ref: `#/components/headers/${header.replace('-', '')}` } }
  return {
    description,
    headers: { 'X-Request-Id': requestIdHeader, ...ownHeaders },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(problems.map((code) => [code, toExample(code)])),
      },
    },
  }
}
