// The settings that the HTTP layer needs. src/server/settings.ts parses most of them from the command line. Only tests
// set `connectionsMax` and `stalledMs`.
import type { TrustedProxies } from './client-address.ts'

export interface HttpSettings {
  /** Path prefix of every URL, without a trailing slash; empty for none. */
  readonly basePath: string
  /** The base URL as clients see it, without a trailing slash. If undefined, it is derived from each request. */
  readonly publicUrl: string | undefined
  /** Whether the service listens with TLS. */
  readonly isSecure: boolean
  /** Requests per client and minute; undefined means no limit. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: TrustedProxies
  /** Number of processes that share the port and the memory. */
  readonly workers?: number
  /** Maximum of open connections of a process; derived from its descriptors and memory if undefined. */
  readonly connectionsMax?: number
  /** Replaces `stalledMs` of limits.ts. */
  readonly stalledMs?: number
}

export interface ListenSettings extends HttpSettings {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Undefined means HTTP without TLS. */
  readonly certificate: CertificateFiles | undefined
}

/** Paths of files in PEM. */
export interface CertificateFiles {
  /** The certificate chain. */
  readonly certFile: string
  /** The private key. */
  readonly keyFile: string
}

/**
 * The path prefix in the addresses that clients use, for links and messages. Behind a proxy it may differ from
 * `basePath`, which is the prefix of the addresses that this service receives.
 */
export function toPublicPath({ publicUrl, basePath }: Pick<HttpSettings, 'publicUrl' | 'basePath'>): string {
  return publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '')
}
