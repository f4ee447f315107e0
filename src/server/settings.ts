// Settings of `serve`, read from the command line (cli/serve-settings.ts) and checked with each other before anything
// is opened.
import type { ServiceSettings } from '../api/settings.ts'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { readServeSettings, type ServeValues } from '../cli/serve-settings.ts'
import { parseTrustedProxies } from '../http/client-address.ts'
import type { CertificateFiles, ListenSettings } from '../http/settings.ts'
import { t } from '../language.ts'
import { toFilePath, toPublishedFolder } from '../registry/open.ts'

export type ServeSettings = ServeValues & ServiceSettings & ListenSettings

/** Throws `UsageFault` for a wrong flag. */
export function parseServeSettings(invocation: Invocation): ServeSettings {
  const values = readServeSettings(invocation)
  const certificate = toCertificateFiles(values, invocation)
  const port = values.port ?? (certificate === undefined ? 8080 : 443)
  checkPorts({ ...values, port }, invocation)
  const { title, publisher, publisherCode, licence, spatial, contact } = values
  return {
    ...values,
    port,
    certificate,
    isSecure: certificate !== undefined,
    trustedProxies: parseTrustedProxies(values.trustedProxy, invocation.nameOf('trusted-proxy')),
    // Only these: the ETag of a page depends on them, and is the same on each machine.
    dataset: { title, publisher, publisherCode, licence, spatial, contact },
    documentsFolder: toPublishedFolder(values.dataDir, toFilePath(values.database)),
  }
}

/** Throws if the service and the admin port would listen on the same port. */
function checkPorts({ host, port, adminHost, adminPort }: ServeValues, invocation: Invocation): void {
  // A host that stands for all addresses of the machine includes the other host.
  const isHostShared = host === adminHost || allAddresses.has(host) || allAddresses.has(adminHost)
  // Port 0 takes a free port, which is never the same.
  if (port !== adminPort || port === 0 || !isHostShared) return
  const [name, adminName] = [invocation.nameOf('port'), invocation.nameOf('admin-port')]
  throw new UsageFault(t`Cannot use port ${String(port)} for both ${name} and ${adminName}: choose two ports`)
}

/** The hosts that stand for all addresses of the machine. */
const allAddresses: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Undefined if the service listens without TLS. */
function toCertificateFiles({ certFile, keyFile }: ServeValues, invocation: Invocation): CertificateFiles | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (keyFile === undefined) throw toMissingError(invocation, 'tls-cert', 'tls-key')
  if (certFile === undefined) throw toMissingError(invocation, 'tls-key', 'tls-cert')
  return { certFile, keyFile }
}

/** The error for a setting that needs another one. */
function toMissingError(invocation: Invocation, given: string, missing: string): UsageFault {
  const [name, missingName] = [invocation.nameOf(given), invocation.nameOf(missing)]
  return new UsageFault(t`Cannot use ${name} without ${missingName}: give both`)
}
