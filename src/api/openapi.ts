// The description of the interface as OpenAPI 3.1, made from the schemas that parse.ts checks requests by and from the
// table of problems; openapi.json publishes it and the reference page is drawn from it.

import type { StaticFile } from '../http/files.ts'
import { forAMinute, toStaticFile } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import type { ProblemCode } from '../problems.ts'
import { Problem, problemKinds, toProblemBody } from '../problems.ts'
import { version } from '../version.ts'
import { problem } from './examples.ts'
import type { OperationDescription } from './operations.ts'
import { operations } from './operations.ts'
import { parseRequest } from './parameters.ts'
import * as schemas from './schemas.ts'

export interface OpenApi {
  readonly openapi: string
  readonly info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>> & {
    readonly license: unknown
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: OperationDescription }>>
  readonly [part: string]: unknown
}

export function toOpenApiFile(serverUrl: string): StaticFile {
  return toStaticFile('openapi.json', Buffer.from(JSON.stringify(toOpenApi(serverUrl))), forAMinute)
}

/** The document takes no parameters, which are refused here as everywhere. */
export function refuseQuery(request: ApiRequest): ApiResponse | undefined {
  const asked = parseRequest(request.target.query, [])
  return asked instanceof Problem ? toProblemResponse(asked, request) : undefined
}

/** `serverUrl` may be a path alone: it then counts from wherever the document was fetched. */
export function toOpenApi(serverUrl: string): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Planning Registry Records API',
      version,
      summary: 'Read access to the urban-planning records ("expedientes") of a registry.',
      description:
        'One search operation with optional filters, and two overviews beside it. JSON only, no account, open to ' +
        'scripts of every origin. Every filter given must match; an empty result is a 404 that says why. ' +
        'Every 200 carries an `ETag`; errors are `application/problem+json` (RFC 9457).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This service' }],
    security: [],
    tags: [
      { name: 'records', description: 'The records themselves' },
      { name: 'overview', description: 'What there is, and how much of it' },
    ],
    paths: Object.fromEntries(operations.map(({ path, description }) => [path, { get: description }])),
    components: {
      schemas: {
        Record: schemas.recordSchema,
        SearchResult: schemas.searchResultSchema,
        Municipalities: schemas.municipalitiesSchema,
        Summary: schemas.summarySchema,
        Problem: schemas.problemSchema,
      },
      headers: {
        ETag: { description: 'Names this very answer; send it back as If-None-Match.', schema: { type: 'string' } },
        Link: {
          description: 'With `limit`: the address of the next page, `rel="next"`; absent on the last page.',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 0 } },
        RequestId: { description: 'Names the request; quote it in a report.', schema: { type: 'string' } },
        Allow: { description: 'The methods there are.', schema: { type: 'string', examples: ['GET, HEAD, OPTIONS'] } },
      },
      responses: {
        NotModified: {
          description: 'The client has this answer already.',
          headers: { ETag: { $ref: '#/components/headers/ETag' }, 'X-Request-Id': requestId },
        },
        BadRequest: problemResponse('The request is malformed or incomplete.', 400),
        NotFound: problemResponse('Nothing matches: the body tells why.', 404),
        MethodNotAllowed: problemResponse('Another method than GET, HEAD or OPTIONS.', 405, {
          Allow: { $ref: '#/components/headers/Allow' },
        }),
        AddressTooLong: problemResponse('The address has more than 8192 characters.', 414),
        TooManyRequests: problemResponse('The limit set by the operator is passed.', 429, retryAfter),
        HeadersTooLarge: problemResponse('The headers have more than 16 KB.', 431),
        InternalError: problemResponse('An error in the service itself; please report it.', 500),
        Unavailable: problemResponse('The registry cannot be reached at the moment.', 503, retryAfter),
      },
    },
  }
}

const requestId = { $ref: '#/components/headers/RequestId' }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** Every problem of the status, each with an example. */
function problemResponse(
  description: string,
  status: number,
  headers: Readonly<Record<string, unknown>> = {},
): unknown {
  const codes = Object.keys(problemKinds).filter(isProblemCode)
  const ofStatus = codes.filter((code) => problemKinds[code].status === status)
  return {
    description,
    headers: { 'X-Request-Id': requestId, ...headers },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          ofStatus.map((code) => [
            code,
            {
              summary: problemKinds[code].title,
              value: toProblemBody(problem(code), 'https://registry.example.org/registry'),
            },
          ]),
        ),
      },
    },
  }
}

function isProblemCode(code: string): code is ProblemCode {
  return code in problemKinds
}
