// The settings that the HTTP layer needs.
import type { TrustedProxy } from './client-address.ts'

export interface HttpSettings {
  /** Path prefix of every URL, without a trailing slash; empty for none. */
  readonly basePath: string
  /** The base URL as clients see it, without a trailing slash. If undefined, it is derived from each request. */
  readonly publicUrl: string | undefined
  /** The service listens with TLS. */
  readonly isSecure: boolean
  /** Requests per client and minute; undefined means no limit. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: readonly TrustedProxy[]
  /** Number of processes that share the port and the memory. */
  readonly workers?: number
  /** Maximum of bytes in all send queues; derived from the memory of the machine if undefined. */
  readonly sendQueueBytesMax?: number
  readonly stalledReaderMs?: number
}

export interface ListenSettings extends HttpSettings {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly certificate: CertificateFiles | undefined
}

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** The path prefix as clients see it, which may differ from `basePath` behind a proxy. */
export function toPublicPath({ publicUrl, basePath }: Pick<HttpSettings, 'publicUrl' | 'basePath'>): string {
  return publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '')
}
