// The parts of Hono, the web framework, that all applications of this service share: the path that its router sees, and
// how a route with a parameter is written.
import { Hono } from 'hono'
import type { ApiRequest, Bindings } from '../http/request.ts'
import { pathAfterSlashes, toTarget } from '../http/target.ts'

/** An application whose router sees the path as the client sent it: the web-standard URL has no `..` any more. */
export function createApp<AppBindings extends Bindings>(): Hono<{ Bindings: AppBindings }> {
  return new Hono<{ Bindings: AppBindings }>({
    getPath: (request, options) => {
      // Hono passes the bindings of the request; its types do not say what they are.
      const bindings = options?.env as Bindings | undefined
      const { path } = toTarget(bindings?.incoming?.url ?? request.url)
      return path.includes('%') ? decodePath(path) : path
    },
  })
}

/**
 * Decodes percent-encoded characters except reserved ones: a slash written as %2F does not separate segments. A path
 * that cannot be decoded stays as it is; the handler of a parameter reports it.
 */
function decodePath(path: string): string {
  try {
    // In the patterns of the router a full stop matches no line break.
    return decodeURI(path).replace(/[\r\n\u2028\u2029]/g, ' ')
  } catch {
    return path
  }
}

/**
 * `/record/{cod_archivo}` for the router, in which a parameter at the end matches the rest, slashes included. The first
 * pattern is for a parameter that is empty. Hono's fast router has none for both.
 */
export function toPatterns(path: string): string[] {
  const prefix = path.replace(/\{\w+\}$/, '')
  return prefix === path ? [path] : [prefix, `${prefix}:rest{.+}`]
}

/** The percent-encoded parameter at the end of a path, for a route such as `/record/{cod_archivo}`. */
export function toPathParameter(request: ApiRequest, basePath: string, routePath: string): string {
  // The length of the route's path would not tell where the parameter begins: a client may percent-encode letters of
  // the path, and `/%72ecord/A-1` is longer than `/record/A-1`.
  return pathAfterSlashes(request.target.path, (basePath + routePath).split('/').length - 1)
}
