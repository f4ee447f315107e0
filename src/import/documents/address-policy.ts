// Which addresses may be asked for a document. Addresses come from the records, so that nobody vouches for them: a
// host must be allowed by name, and what its name resolves to must be a public address, checked in the very lookup
// that the connection uses, so that a second answer of the name server cannot slip in (DNS rebinding).
import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address of the network must never be connected to. */
export type AddressRule = (address: string) => boolean

/** Everything that is not public unicast: loopback, private, link-local, shared, mapped, reserved and the like. */
export function isForbiddenAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return true
  // IPv4-compatible addresses (RFC 4291, 2.5.5.1, deprecated) spell an IPv4 address that was not looked at.
  return (
    parsed.kind() === 'ipv6' &&
    parsed
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  )
}

/** The address to ask, or the reason why it is refused. No connection is made and no name resolved. */
export function parseDocumentAddress(
  text: string,
  allowHosts: ReadonlySet<string>,
  isForbidden: AddressRule,
): URL | string {
  if (!URL.canParse(text)) return 'not an address; expected http://… or https://…'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `${url.protocol} is not fetched, only http: and https:`
  if (url.username !== '' || url.password !== '') return 'an address with a user name or password is not fetched'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal) && isForbidden(literal)) return `${literal} is not a public address`
  if (!allowHosts.has(url.host)) return `the host is not allowed; allow it with --allow-host ${url.host}`
  url.hash = ''
  return url
}

/** `HOST` or `HOST:PORT` as the parsed address writes them (lower case, punycode); undefined when it is neither. */
export function parseAllowedHost(text: string): string[] | undefined {
  if (!/^[^\s/@?#\\]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const insecure = new URL(`http://${text}`)
  const secure = new URL(`https://${text}`)
  // The default port of a scheme vanishes from its `host`: HOST alone allows http on 80 and https on 443.
  return insecure.pathname === '/' ? [...new Set([insecure.host, secure.host])] : undefined
}

/** The name resolves to an address that must not be connected to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** A lookup for connections: all addresses of the name must be permitted, else there is no connection. */
export function pinnedLookup(isForbidden: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '')
      const forbidden = addresses.find(({ address }) => isForbidden(address))
      if (forbidden !== undefined) {
        return callback(new ForbiddenAddress(`resolves to ${forbidden.address}, which is not a public address`), '')
      }
      const [first] = addresses
      if (options.all === true || first === undefined) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}
