// The router and its ways out: no such address, no such method, and whatever a handler throws, each turned into an
// answer here and nowhere else. What there is to route to stands in app.ts.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { Logger } from 'pino'
import { SearchGivenUp } from '../record/patience.ts'
import { StoreUnavailable } from '../store/store.ts'
import { nearestWords } from '../text/nearest.ts'
import type { Answer, Ask } from './answer.ts'
import { allowedMethods, crossOriginHeaders, isStreamed, toAsk, toProblemAnswer } from './answer.ts'
import type { Finish } from './front.ts'
import { nextRequestId, toBaseAddress } from './front.ts'
import type { Guard, Refusal } from './guard.ts'
import { toSparingWarning } from './log.ts'
import { Problem } from './problems.ts'
import type { ServiceSettings } from './settings.ts'

export interface RouterParts {
  readonly settings: ServiceSettings
  readonly finish: Finish
  readonly guard: Guard
  readonly log: Logger
}

export function buildRouter({ settings, finish, guard, log }: RouterParts): FastifyInstance {
  const app = fastify({
    exposeHeadRoutes: false,
    genReqId: nextRequestId,
    frameworkErrors: (_error, request, reply) => {
      const problem = new Problem('malformed-encoding', 'Cannot read the path: it is not percent-encoded UTF-8')
      const ask = askOf(request, settings)
      conclude(request, reply, finish, toProblemAnswer(problem, ask), ask)
    },
    routerOptions: {
      // Parsing is ours (parse.ts): the router need not do it first, by other rules.
      querystringParser: () => ({}),
      maxParamLength: 16384,
    },
  })
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && (request.method === 'GET' || request.method === 'HEAD')) {
      done()
      return
    }
    const ask = askOf(request, settings)
    conclude(request, reply, finish, refuseAddressOrMethod(ask, request.is404, settings), ask)
  })
  const warnSparingly = toSparingWarning(log)
  app.setErrorHandler((error, request, reply) => {
    const ask = askOf(request, settings)
    if (error instanceof StoreUnavailable) {
      warnSparingly({ err: error, requestId: ask.id }, 'registry unavailable')
      const problem = new Problem(
        'registry-unavailable',
        'The registry cannot be reached at the moment; try again soon',
      )
      conclude(request, reply, finish, toProblemAnswer(problem, ask, ['Retry-After', '1']), ask)
      return
    }
    if (error instanceof SearchGivenUp) {
      const refusal = guard.giveUp(ask.patience?.isGone ?? false)
      conclude(request, reply, finish, toRefusalAnswer(refusal, ask), ask)
      return
    }
    log.error({ err: error, requestId: ask.id, url: request.raw.url }, 'internal error')
    const detail = `An error in the service itself; please report it with what you were doing and the request id ${ask.id}`
    conclude(request, reply, finish, toProblemAnswer(new Problem('internal-error', detail), ask), ask)
  })
  return app
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

export function askOf(request: FastifyRequest, settings: ServiceSettings): Ask {
  return toAsk(request.raw, request.id, toBaseAddress(request.raw, settings))
}

/** Our own writing takes over from the router's. */
export function conclude(request: FastifyRequest, reply: FastifyReply, finish: Finish, answer: Answer, ask: Ask): void {
  reply.hijack()
  finish(request.raw, reply.raw, answer, ask)
}
