// Requests to a service with several workers. Unlike with fetch, each has a connection of its own unless an agent is
// given, so that the kernel distributes them over the workers.
import { type Agent, type IncomingMessage, request } from 'node:http'
import type { ServeProcess } from './serve.ts'

/** The status of the response to a request on a new connection, or on one of the agent. */
export async function getStatus(serve: ServeProcess, path: string = 'record', agent?: Agent): Promise<number> {
  return (await getResponse(serve, path, agent)).statusCode ?? 0
}

/** Like `getStatus`, with the headers. Resolves when the response is complete; its body is discarded. */
export function getResponse(serve: ServeProcess, path: string = 'record', agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${serve.base}/${path}`, { agent: agent ?? false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response))
      response.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/**
 * Sends requests one after the other until stopped, or until the service accepts no connections. Returns the error
 * codes and statuses of the failed ones.
 */
export async function requestUntilStopped(
  serve: ServeProcess,
  isStopped: () => boolean,
  agent?: Agent,
): Promise<{ failed: string[] }> {
  const failed: string[] = []
  while (!isStopped()) {
    try {
      const status = await getStatus(serve, 'record', agent)
      if (status !== 200) failed.push(String(status))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      failed.push(code)
      if (code === 'ECONNREFUSED') break
    }
  }
  return { failed }
}
