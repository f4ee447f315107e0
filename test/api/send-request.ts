// Sends requests to the service under test. Unlike fetch, `sendRequest` does not normalise the path. If the path is an
// operation, a route that openapi.json describes, `sendRequest` also validates the JSON response to a GET.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { toOpenApi, toResponses } from '../../src/api/openapi.ts'
import { operations } from '../../src/api/operations.ts'
import { routes } from '../../src/api/routes.ts'
import type { WireRecord } from '../../src/domain/record.ts'
import type { TestService } from '../service.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether `path` is the whole request target instead of a path relative to the base address. */
  readonly isWholeTarget?: boolean
}

/**
 * Sends a request and reads the whole response. `path` is relative to the base address (`record?limit=1`), unless the
 * options say otherwise.
 */
export async function sendRequest(
  service: TestService,
  path: string,
  options: RequestOptions = {},
): Promise<HttpResponse> {
  const { method = 'GET', headers = {}, isWholeTarget = false } = options
  const base = new URL(service.base)
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    const outgoing = request(
      {
        host: base.hostname,
        port: base.port,
        path: isWholeTarget ? path : `${base.pathname}/${path}`,
        method,
        headers,
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const headerTexts = Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()])
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(headerTexts),
            bytes: Buffer.concat(chunks),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
  // A request id has a random prefix of the process in base64url, and the number of the request.
  assert.match(response.headers['x-request-id'] ?? '', /^[\w-]{8}-\d+$/, 'every response has a request id')
  if (method === 'GET' && !isWholeTarget) validateResponse(path, response)
  return response
}

/** The body as an object. Throws if it is not JSON in UTF-8. */
export function json(response: HttpResponse): Record<string, unknown> {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(response.bytes))
}

/** The records of a response, which must be 200. */
export function records(response: HttpResponse): WireRecord[] {
  assert.equal(response.status, 200, response.bytes.toString())
  const { resultadoBusqueda, ...otherMembers }: { resultadoBusqueda?: WireRecord[] } = json(response)
  assert.deepEqual(otherMembers, {})
  return resultadoBusqueda ?? []
}

/** The ids of the records of a response, which must be 200. */
export function ids(response: HttpResponse): string[] {
  return records(response).map((record) => record.id)
}

/**
 * The code of a problem, which is the last segment of its type. Also checks the headers that every problem has, and
 * that the body shows no source file, SQL or stack trace.
 */
export function problemCode(response: HttpResponse): string {
  const body = json(response)
  assert.equal(response.headers['content-type'], 'application/problem+json')
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.headers['access-control-allow-origin'], '*')
  assert.equal(response.headers.etag, undefined)
  assert.equal(body.status, response.status)
  const internals = /\.ts|node_modules|SELECT|sqlite|\bat \w+ \(/
  assert.doesNotMatch(response.bytes.toString(), internals)
  return String(body.type).split('/').at(-1) ?? ''
}

/** An example path of every operation, relative to the base address. The record A-1 must exist. */
export const operationPaths: readonly string[] = operations.map(({ path }) => toExamplePath(path))

/**
 * An example path of every route except three: static files, security.txt (it needs a contact) and documents (few
 * registries publish any). The record A-1 must exist, and Ávila (05019) must have a record.
 */
export const routePaths: readonly string[] = routes
  .filter(({ name, path }) => name !== 'assets' && name !== '.well-known' && !path.startsWith('/documento/'))
  .map(({ path }) => toExamplePath(path))

/** For example `record/A-1` for `/record/{cod_archivo}`, and `problems/no-match` for `/problems/{code}`. */
function toExamplePath(template: string): string {
  return template
    .slice(1)
    .replace('{cod_archivo}', 'A-1')
    .replace('{code}', 'no-match')
    .replace('{ine_code}', '05019')
    .replace('{part}', '1.xml')
}

// In strict mode Ajv refuses the keywords of OpenAPI that JSON Schema does not have.
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ ...toOpenApi('/registry'), $id: 'openapi' })

/**
 * Validates a response of an operation: its status, and its body if it is JSON. Ignores compressed responses, and
 * responses of other routes.
 */
function validateResponse(path: string, response: HttpResponse): void {
  const [pathOnly = ''] = `/${path}`.split('?')
  const operation = operations.find((each) => toPattern(each.path).test(pathOnly))
  if (operation === undefined || response.headers['content-encoding'] !== undefined) return
  const responses = toResponses(operation.id, operation.response)
  assert.ok(String(response.status) in responses, `${operation.path} documents no ${response.status}`)
  if (response.status === 304) {
    assert.equal(response.bytes.byteLength, 0)
    return
  }
  const isCsv = response.headers['content-type']?.startsWith('text/csv')
  if (isCsv) return
  const schema = response.status === 200 ? toSchemaReference(responses[200]) : '#/components/schemas/Problem'
  const validate = ajv.getSchema(`openapi${schema}`)
  assert.ok(validate)
  assert.ok(validate(json(response)), JSON.stringify(validate.errors))
}

/** For example `^/record/.*$` for `/record/{cod_archivo}`: a code may contain slashes. */
function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}$/, '.*')}$`)
}

function toSchemaReference(description: unknown): string {
  const { content } = description as { content: { 'application/json': { schema: { $ref: string } } } }
  return content['application/json'].schema.$ref
}
