// Runs an operation of the API (operations.ts) for a request: parses its parameters, compares the ETag before any
// search, and lets the operation make the content. An empty result becomes a 404 that says why.
import type { Deadline } from '../domain/deadline.ts'
import type { ParameterName } from '../domain/parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import { type Content, respond } from '../http/respond.ts'
import type { ApiResponse } from '../http/response.ts'
import type { ResponseHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Snapshot, SnapshotSource } from '../registry/contract.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { explainEmptyResult, withCodeReadings } from './empty-result.ts'
import { toJsonHeaders, toTag } from './json-response.ts'
import { type Includable, type ParsedParameters, parseParameters, toCacheKey } from './parameters.ts'

/** What an operation finds out before the ETag is compared, and how it goes on if the client lacks the response. */
export interface Answer {
  /** What the response depends on besides the snapshot and the parameters. */
  readonly variant?: readonly string[]
  /** Makes the content of the response; undefined if nothing matches. */
  readonly make: () => Promise<Content | Problem | undefined>
}

/** The code of an operation. */
export interface OperationCode {
  /** The names that `include` may have, if they are not those of `record`. */
  readonly includable?: Includable
  /** The headers of its response; those of JSON by default. */
  readonly headers?: ResponseHeaders
  readonly answer: (
    parameters: ParsedParameters,
    snapshot: Snapshot,
    deadline: Deadline | undefined,
  ) => Answer | Problem | Promise<Answer | Problem>
}

/** An operation as far as it is run. */
export interface RunnableOperation {
  /** A parameter at its end is an inscription code. */
  readonly path: string
  readonly parameters: readonly ParameterName[]
  readonly code: OperationCode
}

/** `rest` is the percent-encoded parameter in the path; it is empty if the path has none. */
export async function runOperation(
  { path, parameters: names, code }: RunnableOperation,
  request: ApiRequest,
  source: SnapshotSource,
  rest: string,
): Promise<ApiResponse | Problem> {
  const { includable, headers, answer } = code
  const [, name = '', pathParameter] = path.split('/')
  const rawCode = pathParameter === undefined ? undefined : rest
  // While the registry is unavailable, parameters are checked by the standard format: malformed ones give 400. For
  // well-formed ones `source.current()` throws, and the response is 503.
  const registry = currentSnapshot(source)
  const queryNames = names.filter((each) => each !== 'cod_archivo')
  const parsed = parseParameters(request.target.query, queryNames, registry?.metadata, { rawCode, includable })
  if (parsed instanceof Problem) {
    const isOtherNumber = parsed.code === 'malformed-code' && rawCode !== undefined && registry !== undefined
    return isOtherNumber ? withCodeReadings(parsed, decodeURIComponent(rawCode), registry) : parsed
  }
  const snapshot = source.current()
  const { deadline } = request
  const answered = await answer(parsed, snapshot, deadline)
  if (answered instanceof Problem) return answered
  const { variant = [], make } = answered
  const tag = toTag(snapshot.metadata.id, [...toCacheKey(name, parsed.values), ...variant])
  return respond(request, { tag, headers: headers ?? toJsonHeaders(snapshot) }, async () => {
    const content = await make()
    if (content instanceof Problem) return content
    return content === undefined
      ? explainEmptyResult(parsed, snapshot, deadline)
      : { dataVersion: snapshot, ...content }
  })
}
