// The OpenAPI 3.1 description of the API, built from the operations, the schemas and the kinds of problems. The
// service publishes it as openapi.json, and renders the reference page from it.

import { toWholePattern } from '../domain/inscription-code.ts'
import * as schemas from '../domain/response-schemas.ts'
import type { StaticFile } from '../http/files.ts'
import { cacheForOneMinute, toStaticFile } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { isProblemCode, Problem, problemKinds, toProblemBody, toSentence } from '../problems.ts'
import { version } from '../version.ts'
import { toExampleProblem } from './examples.ts'
import type { OperationDescription } from './operations.ts'
import { operations } from './operations.ts'
import { parameters } from './parameter-schemas.ts'
import { parseParameters } from './parameters.ts'

/** An OpenAPI document. The index signature stands for its other fields, which the service does not read. */
export interface OpenApi {
  readonly openapi: string
  readonly info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>> & {
    readonly license: unknown
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: OperationDescription }>>
  readonly [field: string]: unknown
}

/** `codePattern` is the pattern of the registry's inscription codes; null for the standard format. */
export function toOpenApiFile(serverUrl: string, codePattern: string | null): StaticFile {
  const bytes = Buffer.from(JSON.stringify(toOpenApi(serverUrl, codePattern)))
  return toStaticFile('openapi.json', bytes, cacheForOneMinute)
}

/** The 400 response if the request for openapi.json has a parameter, because it takes none; otherwise undefined. */
export function rejectParameters(request: ApiRequest): ApiResponse | undefined {
  const parsed = parseParameters(request.target.query, [])
  return parsed instanceof Problem ? toProblemResponse(parsed, request) : undefined
}

/**
 * The description for a registry whose codes have a format of their own; unchanged if `codePattern` is null. The
 * examples of codes have the standard format, so they are removed.
 */
function withCodePattern(description: OperationDescription, codePattern: string | null): OperationDescription {
  if (codePattern === null) return description
  const changedParameters = description.parameters.map((parameter) => {
    if (parameter.name !== 'cod_archivo') return parameter
    const { examples: _examples, ...rest } = parameter
    return {
      ...rest,
      description: 'Inscription code of the record. Upper and lower case do not matter. Send a slash as `%2F`.',
      schema: { ...parameters.cod_archivo.schema, pattern: toWholePattern(codePattern) },
    }
  })
  return { ...description, parameters: changedParameters }
}

/** `serverUrl` may be a path, which is relative to the address of the document. */
export function toOpenApi(serverUrl: string, codePattern: string | null = null): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Planning Registry Records API',
      version,
      summary: 'Read access to the urban-planning records ("expedientes") of a registry.',
      description:
        'Searches records with optional filters, lists municipalities, counts records and lists changes. Responses ' +
        'are JSON, or CSV for spreadsheets. No account is needed, and scripts of every origin are allowed (CORS). A ' +
        'record must match every filter; an empty result is a 404 that says why. Every 200 has an `ETag`. Errors are ' +
        '`application/problem+json` (RFC 9457).',
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
      operations.map(({ path, description }) => [path, { get: withCodePattern(description, codePattern) }]),
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
        BadRequest: toErrorResponse('The request is malformed or incomplete.', 400),
        Gone: toErrorResponse('The change log does not reach back to the token.', 410),
        NotFound: toErrorResponse('No record matches; the body says why.', 404),
        MethodNotAllowed: toErrorResponse('The method is not GET, HEAD or OPTIONS.', 405, {
          Allow: { $ref: '#/components/headers/Allow' },
        }),
        AddressTooLong: toErrorResponse(toSentence(problemKinds['address-too-long'].explanation.en), 414),
        TooManyRequests: toErrorResponse(
          'The client has sent more requests than the operator allows.',
          429,
          retryAfterHeaders,
        ),
        HeadersTooLarge: toErrorResponse(toSentence(problemKinds['headers-too-large'].explanation.en), 431),
        InternalError: toErrorResponse('The service has a bug; please report it.', 500),
        Unavailable: toErrorResponse(
          'The registry cannot be reached, or the service is overloaded.',
          503,
          retryAfterHeaders,
        ),
      },
    },
  }
}

const requestIdHeader = { $ref: '#/components/headers/RequestId' }
const retryAfterHeaders = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** The base URL in the examples of problems: their `type` begins with it. */
const exampleBaseUrl = 'https://registry.example.org/registry'

/** An OpenAPI Response Object with an example of every problem that has the status. */
function toErrorResponse(
  description: string,
  status: number,
  headers: Readonly<Record<string, unknown>> = {},
): unknown {
  const allCodes = Object.keys(problemKinds).filter(isProblemCode)
  const codesOfStatus = allCodes.filter((code) => problemKinds[code].status === status)
  return {
    description,
    headers: { 'X-Request-Id': requestIdHeader, ...headers },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codesOfStatus.map((code) => [
            code,
            {
              summary: problemKinds[code].title.en,
              value: toProblemBody(toExampleProblem(code), exampleBaseUrl),
            },
          ]),
        ),
      },
    },
  }
}
