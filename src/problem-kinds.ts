// The error catalogue: every problem that a response can report, with status, title and explanation. Each problem is
// documented in docs/problems/<code>.md and on the page {base}/problems/<code>, whose address is its `type` (RFC 9457).
import type { ProblemCode, ProblemKind } from './problem-code.ts'

export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation:
      'The bytes received are not a valid HTTP request (RFC 9112). Examples are a folded header, two Host headers, ' +
      'Content-Length together with Transfer-Encoding, and an address with characters that must be ' +
      'percent-encoded. Use an HTTP library to build the request.',
  },
  'malformed-encoding': {
    status: 400,
    title: 'Malformed encoding',
    explanation:
      'The path or a parameter is not percent-encoded UTF-8. A space is %20 (or + in the query), ñ is %C3%B1, ' +
      'a percent sign is %25. Latin-1 bytes such as %F1 are refused.',
    example: 'record?search=Espa%F1a',
  },
  'control-character': {
    status: 400,
    title: 'Control character',
    explanation:
      'A value contains a control character, for example NUL or, except in search, a line break or a tab. No record ' +
      'can match it. Remove the character.',
    example: 'record?search=a%00b',
  },
  'unknown-parameter': {
    status: 400,
    title: 'Unknown parameter',
    explanation:
      'The address has no parameter with this name. The request is refused because ignoring a misspelt filter would ' +
      'return the wrong records. suggestions contains the parameter with the most similar name.',
    example: 'record?checking_date=2004',
  },
  'repeated-parameter': {
    status: 400,
    title: 'Repeated parameter',
    explanation: 'A parameter is given twice. Give each parameter once, or send two requests.',
    example: 'record?checkin_date=2004&checkin_date=2005',
  },
  'incomplete-request': {
    status: 400,
    title: 'Incomplete request',
    explanation:
      'A parameter is empty or blank, or no inscription code follows record/. Give the parameter a value or leave ' +
      'it out. All parameters are optional.',
    example: 'record?municipality=',
  },
  'malformed-code': {
    status: 400,
    title: 'Malformed inscription code',
    explanation:
      'An inscription code has the form <prefix>-<number>, for example 03082-1101. The prefix consists of letters, ' +
      'digits, full stops, underscores, hyphens and slashes (sent as %2F); the number consists of digits. A registry ' +
      'may set another form; then openapi.json has its pattern.',
    example: 'record/03082',
  },
  'malformed-year': {
    status: 400,
    title: 'Malformed year',
    explanation: 'checkin_date is the year of entry, written with exactly four digits, for example checkin_date=2004.',
    example: 'record?checkin_date=2004-05',
  },
  'malformed-date': {
    status: 400,
    title: 'Malformed date',
    explanation:
      'checkin_from and checkin_to are a year, a month or a day, for example 2015, 2015-06 or 2015-06-30. The month ' +
      'and the day must exist.',
    example: 'record?checkin_from=2015-02-30',
  },
  'malformed-value': {
    status: 400,
    title: 'Malformed value',
    explanation:
      'A parameter that takes only certain values has another one. detail says which it takes, for example ' +
      'agreement=yes or agreement=no.',
    example: 'record?agreement=true',
  },
  'reversed-dates': {
    status: 400,
    title: 'Reversed dates',
    explanation: 'checkin_to ends before checkin_from begins. Both days are included, so they may be the same day.',
    example: 'record?checkin_from=2020&checkin_to=2015',
  },
  'malformed-limit': {
    status: 400,
    title: 'Malformed limit',
    explanation:
      'limit is a whole number from 1 to 1000, written in digits without a sign or leading zeros. Without limit, the ' +
      'response contains the whole result.',
    example: 'record?limit=0',
  },
  'malformed-cursor': {
    status: 400,
    title: 'Malformed cursor',
    explanation: 'A cursor is opaque. Copy it unchanged from the address in the Link header of the previous page.',
    example: 'record?limit=10&cursor=abc',
  },
  'malformed-since': {
    status: 400,
    title: 'Malformed token',
    explanation:
      'since is an opaque token. Copy the address from the Link header of the previous response unchanged, or leave ' +
      'since out to list every record.',
    example: 'changes?since=yesterday',
  },
  'malformed-include': {
    status: 400,
    title: 'Malformed include',
    explanation:
      'include is a list of names separated by commas, without spaces, for example include=cod_archivo,place. Each ' +
      'adds a property to every record. summary takes documents only. suggestions contains the most similar name.',
    example: 'record?include=code',
  },
  'passages-unavailable': {
    status: 400,
    title: 'Passages unavailable',
    explanation:
      'include=passages shows where the words of search stand in the documents. It needs search, and limit of at ' +
      'most 100 or an inscription code in the path. A registry that was imported with --no-passages has none.',
    example: 'record?search=plan&include=passages',
  },
  'value-too-long': {
    status: 400,
    title: 'Value too long',
    explanation:
      'search has more than 500 characters, or another parameter or an inscription code more than 200. Shorten it.',
  },
  'too-many-words': {
    status: 400,
    title: 'Too many words',
    explanation:
      'A search term has more than 40 words. Every word must occur in a record, so fewer words find more records. ' +
      'Remove some words.',
    example: `record?search=${Array(41).fill('a').join('+')}`,
  },
  'unknown-address': {
    status: 404,
    title: 'Unknown address',
    explanation:
      'There is nothing at this address. The API consists of record, record/{cod_archivo}, municipality, summary ' +
      'and changes. docs describes it.',
    example: 'records',
  },
  'unknown-record': {
    status: 404,
    title: 'Unknown record',
    explanation: 'No record has this inscription code. Upper and lower case do not matter.',
    example: 'record/NOWHERE-1',
  },
  'record-filtered-out': {
    status: 404,
    title: 'Record filtered out',
    explanation:
      'A record has this inscription code, but it does not match the other filters of the request. Remove the ' +
      'filters to get the record. For a search, suggestions contains terms that the record contains.',
  },
  'unknown-municipality': {
    status: 404,
    title: 'Unknown municipality',
    explanation:
      'No municipality with records has this name or INE code. Give the full name in any of its official spellings. ' +
      'Case, accents, punctuation and the position of the article do not matter. suggestions contains the most ' +
      'similar names, and municipality lists all municipalities with records. If the municipality exists but has no ' +
      'records, detail says so.',
    example: 'record?municipality=Atlantis',
  },
  'unknown-province': {
    status: 404,
    title: 'Unknown province',
    explanation:
      'No province has this name or code. Give the name in any of its official spellings, or the two-digit INE code, ' +
      'for example province=05. suggestions contains the most similar names.',
    example: 'record?province=Avlia',
  },
  'unknown-community': {
    status: 404,
    title: 'Unknown autonomous community',
    explanation:
      'No autonomous community has this name or code. Give the name in any of its official spellings, or the ' +
      'two-digit INE code, for example community=07. suggestions contains the most similar names.',
    example: 'record?community=Castila',
  },
  'contradictory-places': {
    status: 404,
    title: 'Contradictory places',
    explanation:
      'The municipality does not lie in the province or in the autonomous community of the request, or the province ' +
      'does not lie in the community. Leave one of them out.',
    example: 'record?province=Madrid&community=Galicia',
  },
  'no-match-in-municipality': {
    status: 404,
    title: 'No match in the municipality',
    explanation: 'The municipality has records, but none of them matches the other filters. Remove or change a filter.',
  },
  'no-match': {
    status: 404,
    title: 'No match',
    explanation:
      'The request is valid, but no record matches it. Every word of search must occur in the title or the content ' +
      'of a record, and every filter must match.',
    example: 'record?checkin_date=0001',
  },
  'nothing-after-cursor': {
    status: 404,
    title: 'Nothing after the cursor',
    explanation:
      'No matching record follows the cursor. This happens if the registry has been updated since the previous page ' +
      'and the remaining records were removed, or if the cursor is used with other filters.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The service is read-only. It allows GET, HEAD and OPTIONS, which the Allow header lists.',
  },
  'expired-since': {
    status: 410,
    title: 'Expired token',
    explanation:
      'The change log does not reach back to this token: it keeps the last 10 million changes, and starts again when ' +
      'a registry is replaced by another. Copy the registry again: send changes without since, and delete the ' +
      'records that it does not list.',
    example: 'changes?since=0000000000000000.1.1',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The request did not arrive completely in time, and the connection was closed. Send it again.',
  },
  'address-too-long': {
    status: 414,
    title: 'Address too long',
    explanation: 'The address has more than 8192 characters. No valid request is that long.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The client has sent more requests than the operator of this service allows. Wait for the number of seconds ' +
      'in Retry-After.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    explanation:
      'The request line and the headers together are larger than 16 KB, or there are more than 128 headers. Send fewer ' +
      'or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'The service has a bug. Please report it to the operator of the service: say what you were doing, and quote ' +
      'the X-Request-Id of the response, which identifies the error in the log.',
  },
  'registry-unavailable': {
    status: 503,
    title: 'Registry unavailable',
    explanation:
      'The registry database cannot be reached at the moment. Send the same request again after the number of ' +
      'seconds in Retry-After.',
  },
  overloaded: {
    status: 503,
    title: 'Service overloaded',
    explanation:
      'The service has too much work and refuses new requests for a short time. Send the same request again after ' +
      'the number of seconds in Retry-After. Several small pages (limit) cost the service less than one long response.',
  },
}
