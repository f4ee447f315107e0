// A port for programs such as PostgreSQL and nginx, which cannot be told to listen on any free port.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Returns a port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
