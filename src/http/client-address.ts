// Names a client by its address: the address of the connection, or the address that a trusted proxy forwards. The name
// is the IPv4 address, or the first 64 bits of the IPv6 address, because one client usually has a whole /64 network.
// The limits for each client use the name, and so does the scheduler, which shares time between clients. It is never
// logged.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The network of a trusted proxy. `10.0.0.0/8` has the prefix length 8. */
export type TrustedProxy = [network: Address, prefixLength: number]

/**
 * Parses the values of `--trusted-proxy`. Each is an address, a network (CIDR), or several separated by commas. `name`
 * is that of the setting for messages: the flag, or its variable.
 */
export function parseTrustedProxies(texts: readonly string[], name = '--trusted-proxy'): TrustedProxy[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const proxy = parseTrustedProxy(text)
      if (proxy !== undefined) return proxy
      throw new UsageFault(
        t`Cannot read ${name}: expected ${t`an address or a network such as 10.0.0.0/8`}, got "${text}"`,
      )
    })
}

/** Undefined if the text is neither an address nor a network. */
function parseTrustedProxy(text: string): TrustedProxy | undefined {
  const address = parseAddress(text.split('/')[0] ?? '')
  if (address === undefined) return undefined
  if (text.includes('/')) return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
  // The network of a single address: all its bits count.
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * The name of the client that sent a request. Each proxy appends the address from which it got the request to
 * `X-Forwarded-For`, so the client is the right-most address that is not a trusted proxy. The client can forge
 * everything to the left of it. So the header is read from the right, beginning with the address of the connection, and
 * only while the address read last is a trusted proxy. If the next text is missing or not an address, the address read
 * last counts as the client.
 */
export function toClientName(request: IncomingMessage, trusted: readonly TrustedProxy[]): string {
  const remoteAddress = request.socket.remoteAddress ?? ''
  // The usual case is fast: an IPv4 address without a proxy is its own name.
  if (trusted.length === 0 && !remoteAddress.includes(':')) return remoteAddress
  let client = parseAddress(remoteAddress)
  if (client === undefined) return remoteAddress
  const hops = request.headers['x-forwarded-for']?.toString().split(',') ?? []
  while (hops.length > 0 && isInTrustedNetwork(client, trusted)) {
    const hop = parseAddress(toBareAddress(hops.pop() ?? ''))
    if (hop === undefined) break
    client = hop
  }
  return toName(client)
}

/** The name of the client at the other end of a connection, without `X-Forwarded-For`. */
export function toAddressName(remoteAddress: string): string {
  const ipv6 = remoteAddress.includes(':') ? parseAddress(remoteAddress) : undefined
  return ipv6 === undefined ? remoteAddress : toName(ipv6)
}

/** Whether the other end of a connection is a trusted proxy. */
export function isTrustedProxy(remoteAddress: string, trusted: readonly TrustedProxy[]): boolean {
  const address = trusted.length === 0 ? undefined : parseAddress(remoteAddress)
  return address !== undefined && isInTrustedNetwork(address, trusted)
}

/** The name of a client: its IPv4 address, or `2001:db8:0:1::/64`. */
function toName(client: Address): string {
  if (client.kind() === 'ipv4') return client.toString()
  // A group has 16 bits, so the first four are the network.
  return `${client.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

function isInTrustedNetwork(address: Address, trusted: readonly TrustedProxy[]): boolean {
  return trusted.some(
    // `match` throws for addresses of different kinds.
    ([network, prefixLength]) => address.kind() === network.kind() && address.match(network, prefixLength),
  )
}

/**
 * Undefined if the text is not an address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes IPv4. The zone of a
 * link-local address (`fe80::1%eth0.100`, RFC 4007) is left out.
 */
function parseAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%')
  // ipaddr.js would also read the short and octal forms of IPv4, and take `10.1` for 10.0.0.1.
  return isIP(address) === 0 ? undefined : ipaddr.process(address)
}

/** Removes the port and brackets that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toBareAddress(hop: string): string {
  const text = hop.trim()
  const ipv6 = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1]
  const ipv4 = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1]
  return ipv6 ?? ipv4 ?? text
}
