// Which handler an address belongs to, and the ways out: no such address, no such method, and whatever a handler
// throws, each turned into an answer here and nowhere else. What there is to route to stands in app.ts.
import type { Logger } from 'pino'
import { nearestWords } from '../analysis/nearest.ts'
import { SearchCancelled } from '../domain/deadline.ts'
import { Problem } from '../problems.ts'
import type { ServiceSettings } from '../server/settings.ts'
import { StoreUnavailable } from '../snapshot/contract.ts'
import type { Guard, Refusal } from './admission.ts'
import { toSparingWarning } from './log.ts'
import type { Answer, Ask, Handler } from './response.ts'
import { allowedMethods, crossOriginHeaders, isStreamed, toProblemAnswer } from './response.ts'

export interface RouterParts {
  /** By path below the base; one that ends in a star stands for any further path. */
  readonly routes: Readonly<Record<string, Handler>>
  readonly settings: ServiceSettings
  readonly guard: Guard
  readonly log: Logger
}

/** Answers whatever is asked; never throws. */
export function buildRouter({ routes, settings, guard, log }: RouterParts): Handler {
  const { basePath } = settings
  const exact = new Map<string, Handler>()
  const beginning = new Map<string, Handler>()
  for (const [path, handler] of Object.entries(routes)) {
    if (path.endsWith('*')) beginning.set(basePath + path.slice(0, -1), handler)
    else exact.set(basePath + path, handler)
  }
  /** Up to the second slash behind the base: what is below it is the handler's to read. */
  const find = (path: string): Handler | undefined => {
    const below = path.indexOf('/', basePath.length + 1) + 1
    return exact.get(path) ?? (below === 0 ? undefined : beginning.get(path.slice(0, below)))
  }
  const warnSparingly = toSparingWarning(log)
  const toFaultAnswer = (error: unknown, ask: Ask): Answer => {
    if (error instanceof StoreUnavailable) {
      warnSparingly({ err: error, requestId: ask.id }, 'registry unavailable')
      const detail = 'The registry cannot be reached at the moment; try again soon'
      return toProblemAnswer(new Problem('registry-unavailable', detail), ask, ['Retry-After', '1'])
    }
    if (error instanceof SearchCancelled) return toRefusalAnswer(guard.giveUp(ask.deadline?.isGone ?? false), ask)
    log.error({ err: error, requestId: ask.id, path: ask.target.path }, 'internal error')
    const detail = `An error in the service itself; please report it with what you were doing and the request id ${ask.id}`
    return toProblemAnswer(new Problem('internal-error', detail), ask)
  }
  return (ask) => {
    const { path } = ask.target
    const plain = find(path) === undefined ? toPlainPath(path) : path
    if (plain instanceof Problem) return toProblemAnswer(plain, ask)
    const handler = find(plain)
    if (handler === undefined || (ask.method !== 'GET' && ask.method !== 'HEAD')) {
      return refuseAddressOrMethod(ask, handler === undefined, settings)
    }
    try {
      const answer = handler(ask)
      return answer instanceof Promise ? answer.catch((error: unknown) => toFaultAnswer(error, ask)) : answer
    } catch (error) {
      return toFaultAnswer(error, ask)
    }
  }
}

/** A letter of a route may come encoded; a slash that does stays part of a name. */
function toPlainPath(path: string): string | Problem {
  try {
    return decodeURI(path)
  } catch {
    return new Problem('malformed-encoding', 'Cannot read the path: it is not percent-encoded UTF-8')
  }
}

/** The 429 or 503 of a request that may come again; `instead` of an answer that was made and is not sent. */
export function toRefusalAnswer(refusal: Refusal, ask: Pick<Ask, 'baseAddress'>, instead?: Answer): Answer {
  if (instead !== undefined && isStreamed(instead.body)) void instead.body.end()
  return toProblemAnswer(refusal.problem, ask, ['Retry-After', String(refusal.retryAfterSeconds)])
}

function refuseAddressOrMethod(ask: Ask, isUnknown: boolean, settings: ServiceSettings): Answer {
  // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
  const isWhole = ask.method === 'OPTIONS' && ask.target.path === '*'
  if (isUnknown && !isWhole) return toProblemAnswer(unknownAddress(ask, settings), ask)
  if (ask.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null }
  const problem = new Problem('method-not-allowed', `Cannot ${ask.method}: the service is read-only`)
  return toProblemAnswer(problem, ask, ['Allow', allowedMethods])
}

/** The answer to a browser that asks before it sends (Fetch standard, CORS preflight), good for a day. */
const preflightHeaders: readonly string[] = [
  'Allow',
  allowedMethods,
  'Access-Control-Allow-Methods',
  allowedMethods,
  'Access-Control-Allow-Headers',
  '*',
  'Access-Control-Max-Age',
  '86400',
  ...crossOriginHeaders,
]

const addresses: readonly string[] = ['record', 'municipality', 'summary', 'openapi.json', 'docs', 'catalog']

function unknownAddress({ target }: Ask, { basePath }: ServiceSettings): Problem {
  const isInside = target.path.startsWith(`${basePath}/`)
  const below = isInside ? target.path.slice(basePath.length + 1) : target.path.slice(1)
  const [nearest] = nearestWords(below.split('/')[0] ?? '', addresses, 3)
  const suggestion = nearest === undefined ? `${basePath}/` : `${basePath}/${nearest}`
  return new Problem('unknown-address', `There is nothing at this address; did you mean ${suggestion}?`, undefined, [
    suggestion,
  ])
}
