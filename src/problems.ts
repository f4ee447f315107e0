// A problem of a request, such as an unknown parameter or an overload, and the response body that reports it
// (RFC 9457). The table of all kinds of problem is in problem-kinds.ts.
import type { WireProblem } from './domain/wire.ts'
import { type ProblemCode, problemKinds } from './problem-kinds.ts'

export type { ProblemCode, ProblemKind } from './problem-kinds.ts'
export { isProblemCode, problemCodes, problemKinds, toSentence } from './problem-kinds.ts'

/** The properties that only some problems have. */
interface ProblemOptions {
  readonly parameter?: string | undefined
  readonly suggestions?: readonly string[]
  readonly queries?: readonly SuggestedQuery[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A query of `record?` that finds something, and what it says in Spanish: `modificación puntual en Huelva`. */
export interface SuggestedQuery {
  readonly text: string
  readonly query: string
}

/** Why one request gets an error response. It is an expected outcome and is returned, not thrown. */
export class Problem {
  readonly code: ProblemCode
  /** One sentence about this request. */
  readonly detail: string
  /** The name of the wrong parameter; undefined if no single one is wrong. */
  readonly parameter: string | undefined
  /** What the client probably meant, best match first. */
  readonly suggestions: readonly string[]
  /** What the client probably meant by the term, if not a term. */
  readonly queries: readonly SuggestedQuery[]
  /** Further headers of the response, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    this.code = code
    this.detail = detail
    this.parameter = options.parameter
    this.suggestions = options.suggestions ?? []
    this.queries = options.queries ?? []
    this.headers = options.headers ?? {}
  }
}

/** The body of the response (RFC 9457). `baseUrl` is the address of the service as the client sees it. */
export function toProblemBody(problem: Problem, baseUrl: string): WireProblem {
  const { status, title } = problemKinds[problem.code]
  return {
    type: `${baseUrl}/problems/${problem.code}`,
    title: title.en,
    status,
    detail: problem.detail,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
    ...(problem.suggestions.length === 0 ? {} : { suggestions: [...problem.suggestions] }),
    ...(problem.queries.length === 0 ? {} : { queries: [...problem.queries] }),
  }
}

/** A value as messages show it: quoted, shortened, and with `\uFFFD` for control and other invisible characters. */
export function quote(value: string): string {
  // Cuts between characters (code points), not UTF-16 code units, so that no surrogate pair is split.
  const characters = [...value]
  const shown =
    characters.length > quotedCharactersMax ? `${characters.slice(0, quotedCharactersMax).join('')}…` : value
  return JSON.stringify(shown.replace(/\p{C}/gu, '\u{FFFD}'))
}

/** `quote` shortens a longer value. */
const quotedCharactersMax = 60
