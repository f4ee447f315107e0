// Who is asking, for the rate limit and the send queues alone: the address of the connection, or behind a trusted
// proxy the one the proxy names. Nothing of it is kept beyond the minute that is counted and the end of the
// connection, and nothing of it is logged.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { UsageFault } from '../cli/config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network of proxies whose word is taken. */
export type TrustedProxy = [Address, number]

/** Reads `--trusted-proxy`: addresses and networks (CIDR), separated by commas or the flag repeated. */
export function parseTrustedProxies(texts: readonly string[]): TrustedProxy[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      try {
        if (text.includes('/')) return ipaddr.parseCIDR(text)
        const address = ipaddr.parse(text)
        return [address, address.kind() === 'ipv4' ? 32 : 128]
      } catch {
        throw new UsageFault(
          `Cannot read --trusted-proxy: expected an address or a network such as 10.0.0.0/8, got "${text}"`,
        )
      }
    })
}

/**
 * Names the client: an IPv4 address whole, an IPv6 address by its first 64 bits, because a household or a hired server
 * has the rest to itself. `X-Forwarded-For` counts only as far as trusted proxies wrote it, which is from the right:
 * the right-most address that is no trusted proxy is the client, and whatever stands left of it anybody may have sent.
 */
export function toClientName(request: IncomingMessage, trusted: readonly TrustedProxy[]): string {
  const remote = request.socket.remoteAddress ?? ''
  if (trusted.length === 0 && !remote.includes(':')) return remote
  let client = parseAddress(remote)
  if (client === undefined) return remote
  const hops = request.headers['x-forwarded-for']?.toString().split(',') ?? []
  while (hops.length > 0 && isTrusted(client, trusted)) {
    const hop = parseAddress(toBareAddress(hops.pop() ?? ''))
    if (hop === undefined) break
    client = hop
  }
  return toName(client)
}

/** The client's name where the address of the connection is all there is to go by. */
export function toAddressName(remote: string): string {
  const address = remote.includes(':') ? parseAddress(remote) : undefined
  return address === undefined ? remote : toName(address)
}

export function isTrustedProxy(remote: string, trusted: readonly TrustedProxy[]): boolean {
  const address = trusted.length === 0 ? undefined : parseAddress(remote)
  return address !== undefined && isTrusted(address, trusted)
}

function toName(client: Address): string {
  if (client.kind() === 'ipv4') return client.toString()
  return `${client.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

function isTrusted(client: Address, trusted: readonly TrustedProxy[]): boolean {
  return trusted.some(([network, bits]) => client.kind() === network.kind() && client.match(network, bits))
}

/** An IPv4 address that came by an IPv6 socket is an IPv4 address. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toBareAddress(hop: string): string {
  const text = hop.trim()
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}
