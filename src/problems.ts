// Everything that can go wrong with a request: one closed table of code, status, title and explanation. Each code has
// a page, docs/problems/<code>.md and {base}/problems/<code>, which is what `type` points at (RFC 9457).
import type { WireProblem } from './domain/wire.ts'

export interface ProblemKind {
  readonly status: number
  readonly title: string
  /** When it happens, and what to do about it: the text of the problem's page. */
  readonly explanation: string
  /** A request that meets it, relative to the base address; absent where no plain request does. */
  readonly example?: string
}

export type ProblemCode =
  | 'malformed-request'
  | 'malformed-encoding'
  | 'control-character'
  | 'unknown-parameter'
  | 'repeated-parameter'
  | 'incomplete-request'
  | 'malformed-code'
  | 'malformed-year'
  | 'malformed-limit'
  | 'malformed-cursor'
  | 'value-too-long'
  | 'too-many-words'
  | 'unknown-address'
  | 'unknown-record'
  | 'record-filtered-out'
  | 'unknown-municipality'
  | 'no-match-in-municipality'
  | 'no-match'
  | 'nothing-after-cursor'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'address-too-long'
  | 'too-many-requests'
  | 'headers-too-large'
  | 'internal-error'
  | 'registry-unavailable'
  | 'overloaded'

export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation:
      'The bytes received are not a request as RFC 9112 defines it: a folded header, two Host headers, both ' +
      'Content-Length and Transfer-Encoding, or an address with characters that must be percent-encoded. ' +
      'Let an HTTP library build the request.',
  },
  'malformed-encoding': {
    status: 400,
    title: 'Malformed encoding',
    explanation:
      'The path or a parameter is not percent-encoded UTF-8. A space is %20 (or + in the query), ñ is %C3%B1, ' +
      'a percent sign is %25; bytes of Latin-1 such as %F1 are refused rather than guessed at.',
    example: 'record?search=Espa%F1a',
  },
  'control-character': {
    status: 400,
    title: 'Control character',
    explanation:
      'A value holds a control character (NUL, a line break, a tab or the like), which no record can match. ' +
      'Take it out.',
    example: 'record?search=a%00b',
  },
  'unknown-parameter': {
    status: 400,
    title: 'Unknown parameter',
    explanation:
      'The address takes no parameter of that name. It is refused, because to ignore a misspelt filter would ' +
      'answer with the wrong records; suggestions names the nearest parameter.',
    example: 'record?checking_date=2004',
  },
  'repeated-parameter': {
    status: 400,
    title: 'Repeated parameter',
    explanation: 'A parameter is given twice. Each may be given once: ask twice, or choose one value.',
    example: 'record?checkin_date=2004&checkin_date=2005',
  },
  'incomplete-request': {
    status: 400,
    title: 'Incomplete request',
    explanation:
      'A parameter is empty or blank, or nothing follows record/. Give it a value, or leave the parameter out: ' +
      'all of them are optional.',
    example: 'record?municipality=',
  },
  'malformed-code': {
    status: 400,
    title: 'Malformed inscription code',
    explanation:
      'An inscription code has the form <prefix>-<number>: letters, digits, full stops, underscores, slashes (sent ' +
      'as %2F) and hyphens, then a hyphen and digits at the end, as in 03082-1101.',
    example: 'record/03082',
  },
  'malformed-year': {
    status: 400,
    title: 'Malformed year',
    explanation: 'checkin_date is the year of entry, written with exactly four digits, as in checkin_date=2004.',
    example: 'record?checkin_date=2004-05',
  },
  'malformed-limit': {
    status: 400,
    title: 'Malformed limit',
    explanation:
      'limit is a whole number from 1 to 1000, in digits without a sign or leading zeros. Without limit the whole ' +
      'result is sent.',
    example: 'record?limit=0',
  },
  'malformed-cursor': {
    status: 400,
    title: 'Malformed cursor',
    explanation: 'A cursor is opaque: take it, unchanged, from the address in the Link header of the page before.',
    example: 'record?limit=10&cursor=abc',
  },
  'value-too-long': {
    status: 400,
    title: 'Value too long',
    explanation: 'A parameter or an inscription code has more than 200 characters. Shorten it.',
  },
  'too-many-words': {
    status: 400,
    title: 'Too many words',
    explanation:
      'A search term has more than 16 words. Every word must occur in a record, so fewer words find more; leave ' +
      'some out.',
    example: 'record?search=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q',
  },
  'unknown-address': {
    status: 404,
    title: 'Unknown address',
    explanation:
      'There is nothing at this address. The records are under record, beside municipality, summary, openapi.json ' +
      'and docs.',
    example: 'records',
  },
  'unknown-record': {
    status: 404,
    title: 'Unknown record',
    explanation: 'No record bears this inscription code. Codes are compared without regard to case.',
    example: 'record/NOWHERE-1',
  },
  'record-filtered-out': {
    status: 404,
    title: 'Record filtered out',
    explanation:
      'A record bears this inscription code, but it does not match the other filters of the request, and all must ' +
      'match. Ask without them to have it.',
  },
  'unknown-municipality': {
    status: 404,
    title: 'Unknown municipality',
    explanation:
      'No municipality with records bears this name. The whole name is needed, in any of its official spellings; ' +
      'case, accents, punctuation and the place of the article do not matter. suggestions holds the nearest names, ' +
      'and municipality lists them all.',
    example: 'record?municipality=Atlantis',
  },
  'no-match-in-municipality': {
    status: 404,
    title: 'No match in the municipality',
    explanation: 'The municipality is known and has records, but none that matches the other filters too.',
  },
  'no-match': {
    status: 404,
    title: 'No match',
    explanation:
      'The request is sound and no record matches it. Every word of search must occur in the title or the content ' +
      'of a record, and every filter must match.',
    example: 'record?checkin_date=0001',
  },
  'nothing-after-cursor': {
    status: 404,
    title: 'Nothing after the cursor',
    explanation:
      'No record that matches follows the cursor. The pages of one reading never lead here; it happens when the ' +
      'registry was refreshed in between and the rest is gone, or when a cursor is used with other filters.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The service is read-only: it answers GET, HEAD and OPTIONS, as the Allow header says.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The request did not arrive whole in time, and the connection was closed. Send it again.',
  },
  'address-too-long': {
    status: 414,
    title: 'Address too long',
    explanation: 'The address has more than 8192 characters. No request that can be answered is that long.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The operator of this service has set a limit and this client has passed it. Wait for as many seconds as ' +
      'Retry-After says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    explanation: 'The request line and the headers together have more than 16 KB. Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'An error in the code of the service itself. Please report it to whoever runs the service: say what you were ' +
      'doing, and quote the X-Request-Id of the answer, which finds it in the log.',
  },
  'registry-unavailable': {
    status: 503,
    title: 'Registry unavailable',
    explanation:
      'The registry database cannot be reached at the moment. Send the same request again after as many seconds as ' +
      'Retry-After says.',
  },
  overloaded: {
    status: 503,
    title: 'Service overloaded',
    explanation:
      'The service has more to do than it can do well, and refuses new work rather than keep everybody waiting. Send ' +
      'the same request again after as many seconds as Retry-After says; many small pages (limit) are easier on it ' +
      'than one long answer.',
  },
}

/** What is wrong with one request: an expected outcome, returned rather than thrown. */
export class Problem {
  readonly code: ProblemCode
  /** One sentence about this very request. */
  readonly detail: string
  /** The parameter at fault. */
  readonly parameter: string | undefined
  /** What was probably meant, best first. */
  readonly suggestions: readonly string[]
  constructor(code: ProblemCode, detail: string, parameter?: string, suggestions: readonly string[] = []) {
    this.code = code
    this.detail = detail
    this.parameter = parameter
    this.suggestions = suggestions
  }
}

/** The body of RFC 9457; `baseAddress` is the service's address as the client sees it. */
export function toProblemBody(problem: Problem, baseAddress: string): WireProblem {
  const { status, title } = problemKinds[problem.code]
  return {
    type: `${baseAddress}/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
    ...(problem.suggestions.length === 0 ? {} : { suggestions: [...problem.suggestions] }),
  }
}

/** A value as a message shows it: quoted, cut, and without anything that could break a line. */
export function quote(value: string): string {
  const characters = [...value]
  const shown =
    characters.length > quotedCharactersMax ? `${characters.slice(0, quotedCharactersMax).join('')}…` : value
  return JSON.stringify(shown.replace(/\p{C}/gu, '\u{FFFD}'))
}

const quotedCharactersMax = 60
