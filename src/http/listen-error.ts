// Explains to the operator why the service cannot listen on a host and port.
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'

/** EINVAL means a link-local address without its zone (`fe80::1`), EAFNOSUPPORT `::1` on a machine without IPv6. */
const unknownAddressCodes = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

/**
 * Translates an error of listening into a `UsageFault`, an error that the operator sees as one line: it says why the
 * host or port cannot be used, and names the flag to change. An error of another kind is returned as it is.
 */
export function explainListenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { readonly host: string; readonly port: string } = { host: '--host', port: '--port' },
): Error {
  const failure = t`Cannot listen on ${toUrlHost(host)}:${String(port)}`
  if (error.code === 'EADDRINUSE') {
    return new UsageFault(t`${failure}: the port is taken; choose another with ${flags.port}`)
  }
  if (error.code === 'EACCES') {
    return new UsageFault(
      t`${failure}: this user may not use the port; choose another with ${flags.port}, from 1024 on`,
    )
  }
  if (unknownAddressCodes.has(error.code ?? '')) {
    return new UsageFault(t`${failure}: this machine has no such address; choose another with ${flags.host}`)
  }
  return error
}

/** The host as it is written in a URL: an IPv6 address gets brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
