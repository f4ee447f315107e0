// The 404 at an unknown address: the problem, which suggests the most similar address, or a page for browsers.
import { nearestWords } from '../domain/edit-cost.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { type HttpSettings, toPublicPath } from '../http/settings.ts'
import { parseNormalisedText } from '../http/target.ts'
import { Problem, quote } from '../problems.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import type { Handler, RouteContext } from './route.ts'
import { suggestedPaths } from './routes.ts'

/** A path is suggested if at most this number of edits turn the first segment of the requested path into it. */
const suggestionEditsMax = 3

/**
 * The 404, which suggests the path most similar to the requested one, or else the base path, where the web page is. The
 * suggestion is a path that clients use (`toPublicPath`).
 */
function toUnknownAddressProblem({ target }: ApiRequest, settings: HttpSettings): Problem {
  if (!isDecodable(target.path)) {
    return new Problem('malformed-encoding', 'Cannot read the path: it is not percent-encoded UTF-8')
  }
  const { basePath } = settings
  const isBelowBase = target.path.startsWith(`${basePath}/`)
  const relativePath = isBelowBase ? target.path.slice(basePath.length + 1) : target.path.slice(1)
  const [firstSegment = ''] = relativePath.split('/')
  const [nearest] = nearestWords(firstSegment, suggestedPaths, suggestionEditsMax)
  const suggestion = `${toPublicPath(settings)}/${nearest ?? ''}`
  return new Problem('unknown-address', `There is nothing at this address; did you mean ${suggestion}?`, {
    suggestions: [suggestion],
  })
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}

/** The 404 at an unknown address: below the base path a page for browsers, else the problem. */
export const handleUnknownAddress: Handler = (request, context) => {
  const { settings } = context
  const problem = toUnknownAddressProblem(request, settings)
  const isPage = request.isRead && request.target.path.startsWith(`${settings.basePath}/`)
  return isPage ? toMissingPage(problem, request, context) : problem
}

/** For browsers a page with the first suggestion, for programs `problem`. */
export async function toMissingPage(
  problem: Problem,
  request: ApiRequest,
  { handlePage, settings }: RouteContext,
): Promise<ApiResponse | Problem> {
  if (!request.prefersHtml) return problem
  // A suggestion begins with the public path, the prefix of the addresses that clients use (`toPublicPath`). The links
  // of the page are relative to it, so `/registry/record` becomes `record`. It is empty if there is none, or if it is
  // the search page, to which the 404 page links anyway.
  const [path] = problem.suggestions
  const suggestion = path?.slice(toPublicPath(settings).length + 1) || null
  try {
    return await handlePage(request, { kind: 'unknown', path: toShownPath(request.target.path), suggestion })
  } catch (error) {
    // Without the registry there is no page; a browser gets the problem too.
    if (error instanceof StoreUnavailable) return problem
    throw error
  }
}

/** The path to show on the page: decoded and normalised to NFC if possible, shortened, without control characters. */
function toShownPath(path: string): string {
  const decoded = parseNormalisedText(path, 'path')
  const quoted = quote(decoded instanceof Problem ? path : decoded)
  const withoutQuotationMarks = quoted.slice(1, -1)
  return withoutQuotationMarks
}
