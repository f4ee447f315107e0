// Protection against server-side request forgery (SSRF). URLs come from the records and are not trusted: a host must
// resolve to public IP addresses and, if a document is downloaded from it, be allowed with `--allow-host`. (links.ts
// tests links without downloading them, so it may connect to any public host.) IP addresses are checked in the DNS
// lookup of the connection itself, which prevents DNS rebinding.
import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Reason, toText } from '../../domain/document-reason.ts'

/** Returns true for an IP address that must not be connected to. */
export type AddressRule = (address: string) => boolean

/** False only for public unicast: loopback, private, link-local, shared, reserved and other addresses are forbidden. */
export function isForbiddenAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  // `process` turns an IPv4-mapped address (`::ffff:127.0.0.1`) into the IPv4 address.
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return true
  // An IPv4-compatible address (RFC 4291, 2.5.5.1, deprecated) ends with an IPv4 address, perhaps a private one, which
  // `range` does not look at.
  const first96Bits = parsed.toByteArray().slice(0, 12)
  return parsed.kind() === 'ipv6' && first96Bits.every((byte) => byte === 0)
}

/**
 * Returns the URL, or why it is refused. `allowedOrigins` come from `toAllowedOrigins`. Makes no connection
 * and no DNS lookup.
 */
export function parseDocumentAddress(
  text: string,
  allowedOrigins: ReadonlySet<string>,
  isForbidden: AddressRule,
): URL | readonly Reason[] {
  if (!URL.canParse(text)) return [{ code: 'invalidAddress' }, { code: 'webAddress' }]
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return [{ code: 'scheme', values: { scheme: url.protocol } }]
  if (url.username !== '' || url.password !== '') return [{ code: 'credentials' }]
  // An IP address is not looked up, so `pinnedLookup` does not check it. IPv6 addresses are in brackets.
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(hostname) && isForbidden(hostname))
    return [{ code: 'privateAddress', values: { address: hostname } }]
  if (!allowedOrigins.has(url.origin))
    return [{ code: 'hostNotAllowed' }, { code: 'allowHost', values: { host: url.host } }]
  url.hash = ''
  return url
}

/**
 * Parses `HOST` or `HOST:PORT`. Returns the origins that it allows, such as `https://example.org`, or undefined for any
 * other text, such as a URL with a scheme, a path or a user name.
 */
export function toAllowedOrigins(text: string): string[] | undefined {
  // Refuses the characters that separate the parts of a URL, except the colon before a port.
  if (!/^[^\s/@?#\\]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const httpUrl = new URL(`http://${text}`)
  const httpsUrl = new URL(`https://${text}`)
  // HOST alone allows http on port 80 and https on port 443; HOST:PORT allows both schemes on that port.
  return [httpUrl.origin, httpsUrl.origin]
}

/** The host name resolves to an IP address that must not be connected to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
  readonly reason: Reason

  constructor(address: string) {
    const reason: Reason = { code: 'resolvesToPrivate', values: { address } }
    super(toText([reason]))
    this.reason = reason
  }
}

/**
 * Returns a DNS lookup for a connection. It fails if any IP address of the name is forbidden. The connection uses the
 * addresses that it returns, so there is no second lookup, which could give others.
 */
export function pinnedLookup(isForbidden: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '')
      const forbidden = addresses.find(({ address }) => isForbidden(address))
      if (forbidden !== undefined) {
        return callback(new ForbiddenAddress(forbidden.address), '')
      }
      const [first] = addresses
      // The socket that is being connected asks for all addresses (`all`) or for one.
      if (options.all === true || first === undefined) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}
