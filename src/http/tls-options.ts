// The options of TLS: certificate, key, version and ciphers. listen.ts passes them to the HTTPS server when it starts
// and when the certificate is reread.
import { constants } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'
import type { CertificateFiles } from './settings.ts'

/**
 * The options of TLS, for starting a server and for `setSecureContext`, which resets missing ones to their defaults.
 * Throws a `UsageFault`, which the operator sees as one line, if the files cannot be used.
 */
export function readTlsOptions(files: CertificateFiles): SecureContextOptions {
  return {
    ...readCertificate(files),
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    // Repeated handshakes cost the server more than the client (denial of service).
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}

/** Only ciphers with authenticated encryption and forward secrecy (RFC 9325, section 4.2). */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** Reads certificate and key, and checks that they belong together. */
function readCertificate({ certFile, keyFile }: CertificateFiles): { cert: Buffer; key: Buffer } {
  const readFile = (path: string): Buffer => {
    try {
      return readFileSync(path)
    } catch (error) {
      throw new UsageFault(t`Cannot read ${path}: ${describeReadError(error)}`)
    }
  }
  const pair = { cert: readFile(certFile), key: readFile(keyFile) }
  try {
    createSecureContext(pair)
  } catch {
    throw new UsageFault(
      t`Cannot use ${certFile} with ${keyFile}: expected a certificate chain and its key, both in PEM`,
    )
  }
  return pair
}

/** Completes the sentence "Cannot read FILE: …". */
function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return t`there is no such file`
    case 'EACCES':
      return t`this user may not read it`
    case 'EISDIR':
      return t`it is a folder`
    default:
      return t`reading it failed (${String(code)})`
  }
}
