// The service as the browser calls it (service.ts), over HTTP.
import { createClient, type RegistryClient } from '../src/client/client.ts'
import { type Service, toService } from './service.ts'

/** The longest delay of setTimeout: in effect no timeout, because the browser and the service have their own limits. */
const timeoutMaxMs = 2 ** 31 - 1
/** The most calls of one `callWithRetry`. */
const attemptsMax = 6

/** Undefined until the first call: the server also loads this file, and has no `document`. */
let client: RegistryClient | undefined

/** Calls of the returned service end when the signal is aborted. */
export function openService(signal: AbortSignal): Service {
  // The page has a `<base>`, so the base URL is the same on every page of the site. `retries` is 0, because
  // `callWithRetry` repeats calls itself.
  client ??= createClient(new URL('.', document.baseURI).href, { retries: 0, timeoutMs: timeoutMaxMs })
  return toService(client, signal, attemptsMax)
}
