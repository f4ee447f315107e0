// Sends a request without normalising its path, and validates every JSON response of an operation with openapi.json.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { toOpenApi } from '../../src/api/openapi.ts'
import { operations } from '../../src/api/operations.ts'
import { routes } from '../../src/api/routes.ts'
import type { WireRecord } from '../../src/domain/record.ts'
import type { TestService } from '../service.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `path` is the whole request target, not relative to the base address. */
  readonly absolute?: boolean
}

/** `path` is relative to the base address (`record?limit=1`). */
export async function ask(service: TestService, path: string, options: AskOptions = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, absolute = false } = options
  const base = new URL(service.base)
  const reply = await new Promise<Reply>((resolve, reject) => {
    const outgoing = request(
      {
        host: base.hostname,
        port: base.port,
        path: absolute ? path : `${base.pathname}/${path}`,
        method,
        headers,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const headerTexts = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()])
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(headerTexts),
            bytes: Buffer.concat(chunks),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
  assert.match(reply.headers['x-request-id'] ?? '', /^[\w-]{8}-[0-9a-z]+$/, 'every response has a request id')
  if (method === 'GET') validateResponse(path, reply)
  return reply
}

export function json(reply: Reply): Record<string, unknown> {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply.bytes))
}

/** The records of a response, which must be 200. */
export function records(reply: Reply): WireRecord[] {
  assert.equal(reply.status, 200, reply.bytes.toString())
  const { resultadoBusqueda, ...others }: { resultadoBusqueda?: WireRecord[] } = json(reply)
  assert.deepEqual(others, {})
  return resultadoBusqueda ?? []
}

/** The ids of the records of a response, which must be 200. */
export function ids(reply: Reply): string[] {
  return records(reply).map((record) => record.id)
}

/** The code of a problem, which is the last segment of its type. Also checks the headers that every problem has. */
export function problemCode(reply: Reply): string {
  const body = json(reply)
  assert.equal(reply.headers['content-type'], 'application/problem+json')
  assert.equal(reply.headers['cache-control'], 'no-store')
  assert.equal(reply.headers['access-control-allow-origin'], '*')
  assert.equal(reply.headers.etag, undefined)
  assert.equal(body.status, reply.status)
  assert.doesNotMatch(reply.bytes.toString(), /\.ts|node_modules|SELECT|sqlite|\bat \w+ \(/)
  return String(body.type).split('/').at(-1) ?? ''
}

/** An example path of every operation, relative to the base address. The record A-1 must exist. */
export const operationPaths: readonly string[] = operations.map(({ path }) => toExamplePath(path))

/** An example path of every route except files. The record A-1 must exist. */
export const routePaths: readonly string[] = routes
  .filter(({ name }) => name !== 'assets')
  .map(({ path }) => toExamplePath(path))

function toExamplePath(template: string): string {
  return template.slice(1).replace('{cod_archivo}', 'A-1').replace('{code}', 'no-match')
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ ...toOpenApi('/registry'), $id: 'openapi' })

function validateResponse(path: string, reply: Reply): void {
  const [pathOnly = ''] = `/${path}`.split('?')
  const operation = operations.find((each) => toPattern(each.path).test(pathOnly))
  if (operation === undefined || reply.headers['content-encoding'] !== undefined) return
  const { responses } = operation.description
  assert.ok(String(reply.status) in responses, `${operation.path} documents no ${reply.status}`)
  if (reply.status === 304) {
    assert.equal(reply.bytes.byteLength, 0)
    return
  }
  const schema = reply.status === 200 ? toSchemaReference(responses[200]) : '#/components/schemas/Problem'
  const validate = ajv.getSchema(`openapi${schema}`)
  assert.ok(validate)
  assert.ok(validate(json(reply)), JSON.stringify(validate.errors))
}

/** A parameter matches the rest of the path. */
function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}$/, '.*')}$`)
}

function toSchemaReference(response: unknown): string {
  const { content } = response as { content: { 'application/json': { schema: { $ref: string } } } }
  return content['application/json'].schema.$ref
}
