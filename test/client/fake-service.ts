// A service for the tests of the client that answers as each test wants it: what the real one never does, such as
// breaking off in the middle of a body.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type ClientOptions, createClient, type RegistryClient, type WireRecord } from '../../src/client/client.ts'

export interface FakeService {
  readonly base: string
  readonly client: RegistryClient
  /** Paths asked for, with their query. */
  readonly asked: string[]
}

export async function startService(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: ClientOptions = {},
): Promise<FakeService> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry`
  return { base, client: createClient(base, options), asked }
}

export function sendJson(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
}

export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): void {
  const body = { type: `https://x.example/problems/${code}`, title: 'Title', status, detail: 'Detail.', ...extra }
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body))
}

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
