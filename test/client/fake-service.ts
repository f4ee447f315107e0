// Fake service for the tests of the client. Each test supplies the request handler, so that it can send what the real
// service never sends, such as an incomplete body.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type ClientOptions, createClient, type RegistryClient, type WireRecord } from '../../src/client/client.ts'

export interface FakeService {
  /** The base URL. It has a path, as in a real service, so that tests notice a client that drops the path. */
  readonly base: string
  readonly client: RegistryClient
  /** The path and query of each request. */
  readonly requested: string[]
}

/** `handle` responds to every request. `options` are the options of the client. */
export async function startFakeService(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: ClientOptions = {},
): Promise<FakeService> {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry`
  return { base, client: createClient(base, options), requested }
}

/** Responds 200 with the body as JSON. */
export function sendJson(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
}

export interface ProblemOptions {
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Responds with a problem of this code: an error as JSON (RFC 9457). */
export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  { members = {}, headers = {} }: ProblemOptions = {},
): void {
  const body = { type: `https://x.example/problems/${code}`, title: 'Title', status, detail: 'Detail.', ...members }
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body))
}

/** A record whose title has brackets, characters that JSON escapes, and characters of several bytes. */
export function makeRecord(number: number): WireRecord {
  return {
    id: String(number),
    registration_number: String(number),
    title: `Plan "especial" nº ${number} \\ {[ñ]} 🏗`,
    area: '',
    checkin_date: '2004-05-17',
    inscription_date: null,
    municipality: 'Ávila',
    links: 'https://documents.example/a.pdf',
  }
}
