// A route of the service: an address, and the function that handles its requests.
import type { Logger } from 'pino'
import type { StaticFile } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import type { FileOffer } from '../registry/stores/offer.ts'
import type { PageAddress } from './page-renderer.ts'
import type { ServiceSettings } from './settings.ts'

export type PageHandler = (request: ApiRequest, address: PageAddress) => Promise<ApiResponse | Problem>

export interface RouteContext {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** Static files by path relative to the base path. */
  readonly files: ReadonlyMap<string, StaticFile>
  /** Renders the pages for people. */
  readonly handlePage: PageHandler
  readonly log: Logger
  /** The file for services that follow this one; undefined without `--offer-file`. */
  readonly offer: FileOffer | undefined
}

/** `rest` is the percent-encoded parameter at the end of the path; it is empty if the path has none. */
export type Handler = (
  request: ApiRequest,
  context: RouteContext,
  rest: string,
) => Promise<ApiResponse | Problem> | ApiResponse | Problem

export interface Route {
  /** Relative to the base path. A `{parameter}` at the end matches the rest of the path, slashes included. */
  readonly path: string
  /** The name in metrics. Several routes may share one. */
  readonly name: string
  readonly handle: Handler
  /** Whether the route is also served at the root of the host, where machines look for it. */
  readonly isAtRoot?: boolean
  /** Whether the response to an unknown address may suggest this path. */
  readonly isSuggested?: boolean
  /**
   * Whether the response takes little work, and can be made while the registry is unavailable. The rate limit does not
   * count a request for it, and overload is no reason to refuse the request.
   *
   * Not static are pages that are rendered from the registry, such as `/docs`, and `/robots.txt`, whose rules depend on
   * whether the registry is fictional. `/openapi.json` is static: it has the registry's pattern for codes or, while the
   * registry is unavailable, the standard pattern.
   */
  readonly isStatic?: boolean
  /** Whether `handle` takes a slot for each search itself, because the body of its request may arrive slowly. */
  readonly takesOwnSlots?: boolean
  /** Whether `handle` gets requests of every method; otherwise only GET and HEAD. */
  readonly isAnyMethod?: boolean
  /** Whether browsers get a page instead of the problem `unknown-address`. */
  readonly hasMissingPage?: boolean
}
