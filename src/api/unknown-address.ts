// The 404 for an unknown address, which suggests the most similar one.
import { nearestWords } from '../domain/edit-cost.ts'
import type { ApiRequest } from '../http/request.ts'
import { type HttpSettings, toPublicPath } from '../http/settings.ts'
import { Problem } from '../problems.ts'
import { suggestedPaths } from './routes.ts'

/** A path is suggested if at most this number of edits turn the first segment of the requested path into it. */
const suggestionEditsMax = 3

/**
 * The 404, which suggests the path most similar to the requested one, or else the base path, where the web page is. The
 * suggestion is a path that clients use (`toPublicPath`).
 */
export function toUnknownAddressProblem({ target }: ApiRequest, settings: HttpSettings): Problem {
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
