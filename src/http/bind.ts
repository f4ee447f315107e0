// Binds a server to a host and port, or explains to the operator why it cannot.
import { once } from 'node:events'
import type { Server } from 'node:net'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'

/** EINVAL means a link-local address without its zone (`fe80::1`), EAFNOSUPPORT `::1` on a machine without IPv6. */
const unknownAddressCodes = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

const listenFlags = { host: '--host', port: '--port' }

/**
 * Listens, and returns the port. Throws a `UsageFault`, an error that the operator sees as one line, if the host or port
 * cannot be used: it says why, and names the flag to change.
 */
export async function bind(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  flags: { readonly host: string; readonly port: string } = listenFlags,
): Promise<number> {
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw error instanceof Error ? explainListenError(error, host, port, flags) : error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port')
  return address.port
}

/** An error that is not about the host or port is returned as it is. */
export function explainListenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { readonly host: string; readonly port: string } = listenFlags,
): Error {
  const failure = t`Cannot listen on ${toUrlHost(host)}:${String(port)}`
  if (error.code === 'EADDRINUSE') {
    return new UsageFault(t`${failure}: the port is taken; choose another with ${flags.port}`)
  }
  if (error.code === 'EACCES') {
    return new UsageFault(
      t`${failure}: this user may not use the port; choose another with ${flags.port}, from 1024 on`,
    )
  }
  if (unknownAddressCodes.has(error.code ?? '')) {
    return new UsageFault(t`${failure}: this machine has no such address; choose another with ${flags.host}`)
  }
  return error
}

/** The host as it is written in a URL: an IPv6 address gets brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
