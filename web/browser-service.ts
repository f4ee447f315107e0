// Makes the `Service` (service.ts) that the browser uses: its calls are HTTP requests.
import { createClient, type RegistryClient } from '../src/client/client.ts'
import { type Service, toService } from './service.ts'

/** The longest delay of setTimeout, 25 days: in effect no timeout. Browser and server have limits of their own. */
const timeoutMaxMs = 2 ** 31 - 1
/** How many times one `Service.callWithRetry` calls the service at most. */
const attemptsMax = 6

/** Undefined until `openService` is first called: the server also loads this file, and has no `document`. */
let client: RegistryClient | undefined

/** Calls of the returned service end when the signal is aborted. */
export function openService(signal: AbortSignal): Service {
  // The page has a `<base>`, so the base URL is the same on every page of the site. `retries` is 0, because
  // `Service.call` must not repeat a request, and `Service.callWithRetry` repeats it itself.
  client ??= createClient(new URL('.', document.baseURI).href, { retries: 0, timeoutMs: timeoutMaxMs })
  return toService(client, signal, attemptsMax)
}
