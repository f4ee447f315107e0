// From which addresses an import may download documents: the IP addresses that are always forbidden (protection against
// server-side request forgery), the URLs that a host in `--allow-host` allows, and the values that this flag accepts.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  isForbiddenAddress,
  parseDocumentAddress,
  toAllowedOrigins,
} from '../../../src/import/documents/address-policy.ts'

const forbidden = [
  ['loopback', '127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '::127.0.0.1'],
  ['private', '10.0.0.1', '172.16.9.9', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1'],
  ['link-local', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  ['shared by carriers', '100.64.0.1'],
  ['multicast and broadcast', '224.0.0.1', '255.255.255.255', 'ff02::1'],
  ['unspecified', '0.0.0.0', '::'],
  ['IPv6 that contains an IPv4 address (NAT64, 6to4, Teredo)', '64:ff9b::7f00:1', '2002:7f00:1::1', '2001::1'],
  [
    'documentation, benchmarking, site-local and reserved',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '2001:db8::1',
    'fec0::1',
  ],
  ['not an address', 'example.org', ''],
] as const

for (const [name, ...addresses] of forbidden) {
  it(`addresses are forbidden: ${name}`, () => {
    assert.deepEqual(
      addresses.filter((address) => !isForbiddenAddress(address)),
      [],
    )
  })
}

it('public addresses are allowed', () => {
  assert.deepEqual(['8.8.8.8', '93.184.216.34', '2a00:1450:4003::1'].filter(isForbiddenAddress), [])
})

// A host without a port is allowed for the default ports, 80 and 443.
it('a URL is allowed if its host and port are allowed and it has no user name', () => {
  const isAllowed = (url: string, ...hosts: string[]): boolean => {
    const allowedOrigins = new Set(hosts.flatMap((host) => toAllowedOrigins(host) ?? []))
    // Called for a host that is an IP address. None of the tested hosts is one.
    const isForbiddenIp = () => false
    const urlOrReason = parseDocumentAddress(url, allowedOrigins, isForbiddenIp)
    return urlOrReason instanceof URL
  }
  assert.ok(isAllowed('http://Docs.Example.org/a', 'docs.example.ORG'))
  assert.ok(isAllowed('https://docs.example.org:443/a', 'docs.example.org'))
  // `xn--ida` is `ñ` in Punycode.
  assert.ok(isAllowed('https://xn--ida.example/a', 'ñ.example'))
  assert.ok(isAllowed('https://docs.example.org:8443/a', 'docs.example.org:8443'))
  assert.ok(!isAllowed('https://docs.example.org:8443/a', 'docs.example.org'))
  assert.ok(isAllowed('https://docs.example.org/a', 'docs.example.org:443'))
  assert.ok(!isAllowed('http://docs.example.org/a', 'docs.example.org:443'))
  assert.ok(!isAllowed('https://docs.example.org/a', 'docs.example.org:80'))
  assert.ok(!isAllowed('https://evil.docs.example.org/a', 'docs.example.org'))
  assert.ok(!isAllowed('https://docs.example.org.evil/a', 'docs.example.org'))
  assert.ok(!isAllowed('https://docs.example.org@evil/a', 'docs.example.org'))
  assert.ok(!isAllowed('https://user:word@docs.example.org/a', 'docs.example.org'))
})

it('an allowed host is a host name with or without a port, and nothing else', () => {
  const texts = ['https://docs.example.org', 'docs.example.org/path', 'a b', '', 'user@host', 'host:99999']
  assert.deepEqual(
    texts.filter((text) => toAllowedOrigins(text) !== undefined),
    [],
  )
})
