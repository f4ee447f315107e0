// Sends a request exactly as written (no library tidies the path), and holds every JSON answer of the operations
// against openapi.json before a test sees it.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { toOpenApi } from '../../src/api/openapi.ts'
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
  /** The path is whole, not relative to the base. */
  readonly absolute?: boolean
}

/** `path` is relative to the base (`record?limit=1`). */
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
          const flat = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()])
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(flat),
            bytes: Buffer.concat(chunks),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
  assert.match(reply.headers['x-request-id'] ?? '', /^[\w-]{8}-[0-9a-z]+$/, 'every answer names its request')
  if (method === 'GET') holdAgainstOpenApi(path, reply)
  return reply
}

export function json(reply: Reply): Record<string, unknown> {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply.bytes))
}

/** The records of a 200. */
export function records(reply: Reply): WireRecord[] {
  assert.equal(reply.status, 200, reply.bytes.toString())
  const { resultadoBusqueda, ...others }: { resultadoBusqueda?: WireRecord[] } = json(reply)
  assert.deepEqual(others, {})
  return resultadoBusqueda ?? []
}

/** The ids of the records of a 200, in order. */
export function ids(reply: Reply): string[] {
  return records(reply).map((record) => record.id)
}

/** The code of a problem: the last segment of its type; also that the rest of the answer is as a problem's must be. */
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

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const description = toOpenApi('/registry')
ajv.addSchema({ ...description, $id: 'openapi' })

const operations: readonly [RegExp, string][] = [
  [/^record\/./, '/record/{cod_archivo}'],
  [/^record($|\?)/, '/record'],
  [/^municipality($|\?)/, '/municipality'],
  [/^summary($|\?)/, '/summary'],
]

function holdAgainstOpenApi(path: string, reply: Reply): void {
  const operation = operations.find(([form]) => form.test(path))?.[1]
  if (operation === undefined || reply.headers['content-encoding'] !== undefined) return
  const responses = description.paths[operation]?.get.responses ?? {}
  assert.ok(String(reply.status) in responses, `${operation} documents no ${reply.status}`)
  if (reply.status === 304) {
    assert.equal(reply.bytes.byteLength, 0)
    return
  }
  const schema = { '/municipality': 'Municipalities', '/summary': 'Summary' }[operation] ?? 'SearchResult'
  const validate = ajv.getSchema(`openapi#/components/schemas/${reply.status === 200 ? schema : 'Problem'}`)
  assert.ok(validate)
  assert.ok(validate(json(reply)), JSON.stringify(validate.errors))
}
