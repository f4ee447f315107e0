// The TLS versions and ciphers that the service accepts and refuses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startService } from '../service.ts'

/** The path of a certificate or key of the tests. */
const pathOf = (name: string): string => fileURLToPath(new URL(`../api/certificates/${name}`, import.meta.url))
const certificate = { certFile: pathOf('first.cert.pem'), keyFile: pathOf('first.key.pem') }

/** Version, cipher and protocol, such as `TLSv1.3 TLS_AES_128_GCM_SHA256 h2`. Rejects if the handshake fails. */
async function handshake(port: number, options: ConnectionOptions): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  try {
    await once(socket, 'secureConnect')
    return `${socket.getProtocol()} ${socket.getCipher().name} ${socket.alpnProtocol}`
  } finally {
    socket.destroy()
  }
}

test('TLS 1.3 and 1.2 are supported, with HTTP/2 and HTTP/1.1', async () => {
  await using service = await startService([{ code: 'A-1' }], { certificate })
  // Of the ciphers that the client offers, the service chooses the first one of its own list (tls-options.ts).
  const latest = await handshake(service.port, { ALPNProtocols: ['h2', 'http/1.1'] })
  assert.equal(latest, 'TLSv1.3 TLS_AES_128_GCM_SHA256 h2')
  const older = await handshake(service.port, { maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] })
  assert.equal(older, 'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256 http/1.1')
})

test('TLS 1.1 and ciphers without authenticated encryption are refused', async () => {
  await using service = await startService([{ code: 'A-1' }], { certificate })
  /** What the client offers, and the TLS alert with which the service refuses the handshake. */
  const refused: readonly [options: ConnectionOptions, alert: RegExp][] = [
    // At a higher security level (`SECLEVEL`) the client itself would not offer TLS 1.1.
    [{ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, /alert protocol version/],
    [{ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }, /alert handshake failure/],
    [{ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA384' }, /alert handshake failure/],
  ]
  for (const [options, alert] of refused) await assert.rejects(handshake(service.port, options), alert)
})
