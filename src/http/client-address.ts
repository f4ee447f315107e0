// Names a client by its address: the address of the connection, or the address that a trusted proxy forwards. The name
// is the IPv4 address, or the first 64 bits of the IPv6 address, because one client usually has a whole /64 network.
// The limits for each client use the name, and so does the scheduler, which shares time between clients. It is never
// logged.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'

/** The addresses and networks of trusted proxies; undefined if there is none. */
export type TrustedProxies = BlockList | undefined

/**
 * Parses the values of `--trusted-proxy`. Each is an address, a network (CIDR), or several separated by commas. `name`
 * is that of the setting for messages: the flag, or its variable.
 */
export function parseTrustedProxies(values: readonly string[], name = '--trusted-proxy'): TrustedProxies {
  const texts = values.flatMap((value) => value.split(',')).map((text) => text.trim())
  const given = texts.filter((text) => text !== '')
  if (given.length === 0) return undefined
  const proxies = new BlockList()
  for (const text of given) {
    const [address = '', prefix, ...rest] = text.split('/')
    const family = toFamily(address)
    const bitsMax = family === 'ipv4' ? 32 : 128
    const isNetwork = prefix !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsMax
    if (isIP(address) === 0 || rest.length > 0 || (prefix !== undefined && !isNetwork)) {
      throw new UsageFault(
        t`Cannot read ${name}: expected ${t`an address or a network such as 10.0.0.0/8`}, got "${text}"`,
      )
    }
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  return proxies
}

/**
 * The name of the client that sent a request. Each proxy appends the address from which it got the request to
 * `X-Forwarded-For`, so the client is the right-most address that is not a trusted proxy. The client can forge
 * everything to the left of it. So the header is read from the right, beginning with the address of the connection, and
 * only while the address read last is a trusted proxy. If the next text is missing or not an address, the address read
 * last counts as the client.
 */
export function toClientName({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  let client = socket.remoteAddress ?? ''
  if (trusted !== undefined) {
    const hops = headers['x-forwarded-for']?.toString().split(',') ?? []
    while (hops.length > 0 && isTrustedProxy(client, trusted)) {
      const hop = toBareAddress(hops.pop() ?? '')
      if (isIP(hop) === 0) break
      client = hop
    }
  }
  return toAddressName(client)
}

/** Whether this is the address of a trusted proxy. */
export function isTrustedProxy(address: string, trusted: TrustedProxies): boolean {
  return trusted?.check(withoutZone(address), toFamily(address)) ?? false
}

/** The name of a client with this address: its IPv4 address, or `2001:db8:0:1::/64`. */
export function toAddressName(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.IPv6.parse(withoutZone(address))
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const first64Bits = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${first64Bits.join(':')}::/64`
}

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** Without the zone of a link-local address (`fe80::1%eth0.100`, RFC 4007). */
function withoutZone(address: string): string {
  return address.split('%')[0] ?? ''
}

/** Removes the port and brackets that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toBareAddress(hop: string): string {
  const text = hop.trim()
  const ipv6 = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1]
  const ipv4 = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1]
  return ipv6 ?? ipv4 ?? text
}
