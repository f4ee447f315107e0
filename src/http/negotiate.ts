// Negotiation of the content coding by `Accept-Encoding` (RFC 9110, section 12.5.3): chooses the compression of a
// response. It also evaluates `Accept` and `Accept-Language` for the few responses that depend on them.
import { LRUCache } from 'lru-cache'

export type CodingName = 'identity' | 'gzip' | 'br' | 'zstd'

export interface Coding {
  readonly name: CodingName
  /** Whether small bodies are compressed too, because the client refuses identity (`identity;q=0`). */
  readonly refusesIdentity: boolean
}

/** The compressions in order of preference at equal weight: best ratio of compression to time first. */
const compressionNames: readonly CodingName[] = ['zstd', 'br', 'gzip']

const identity: Coding = { name: 'identity', refusesIdentity: false }

/** The chosen codings by header value; most clients send one of a few values. */
const codings = new LRUCache<string, Coding>({
  max: 256,
  memoMethod: (acceptEncoding) => chooseCoding(acceptEncoding, compressionNames),
})

/** The coding of the response to a request with this `Accept-Encoding`; identity without the header. */
export function negotiateCoding(acceptEncoding: string | undefined): Coding {
  return acceptEncoding === undefined ? identity : codings.memo(acceptEncoding)
}

/** The coding of a file that is compressed in these codings, the smallest first. */
export function negotiateFileCoding(acceptEncoding: string | undefined, names: readonly CodingName[]): Coding {
  return acceptEncoding === undefined ? identity : chooseCoding(acceptEncoding, names)
}

/** Chooses the coding with the highest weight; identity if no coding is acceptable, as section 12.4.1 allows. */
function chooseCoding(acceptEncoding: string, names: readonly CodingName[]): Coding {
  const weights = parseWeights(acceptEncoding)
  const weightOf = (name: CodingName): number => weights.get(name) ?? weights.get('*') ?? 0
  const [best = 'identity'] = names.toSorted((a, b) => weightOf(b) - weightOf(a))
  // At equal weight a compression is better than identity, which is the last choice if the header does not list it.
  if (weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0)) return identity
  // Identity is acceptable unless excluded by name, or by "*;q=0" without a more specific entry.
  return { name: best, refusesIdentity: (weights.get('identity') ?? weights.get('*')) === 0 }
}

/** A weight such as `q=0.5` (RFC 9110, section 12.4.2); the group is its number. */
const weightParameter = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/

/**
 * The weights of the names in a header, from 0 to 1: `gzip;q=0.5, br` gives 0.5 for `gzip` and 1 for `br`. A name is a
 * coding, a media type or a language tag, in lower case.
 */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [rawName = '', ...parameters] = item.split(';')
    // `x-gzip` is the old name of gzip (RFC 9110, section 8.4.1.3).
    const name = rawName.trim() === 'x-gzip' ? 'gzip' : rawName.trim()
    if (name === '') continue
    const weight = parameters.map((parameter) => weightParameter.exec(parameter)?.[1]).find(Boolean)
    // The pattern allows 1.5, which counts as 1.
    weights.set(name, Math.min(1, Number(weight ?? 1)))
  }
  return weights
}

/** Whether the client prefers HTML to the other media types, as browsers do; `Accept` (RFC 9110, section 12.5.1). */
export function prefersHtml(accept: string | undefined, others: readonly string[] = jsonTypes): boolean {
  if (accept === undefined) return false
  const weights = parseWeights(accept)
  const weightOf = (type: string): number =>
    weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
  return weightOf('text/html') > Math.max(...others.map(weightOf))
}

const jsonTypes = ['application/problem+json', 'application/json']

/**
 * A language tag (`es`, `es-MX`) of Spanish, Catalan, Galician, Basque, Occitan, Aragonese or Asturian: speakers of the
 * other languages of Spain read Spanish more easily than English.
 */
const languagesOfSpain = /^(?:es|ca|gl|eu|oc|an|ast)(?:-|$)/

/** A language tag of English, such as `en` or `en-GB`. */
const english = /^en(?:-|$)/

/** The language that the client prefers (RFC 9110, section 12.5.4), or `byDefault` if it prefers neither. */
export function negotiateLanguage(acceptLanguage: string | undefined, byDefault: 'en' | 'es'): 'en' | 'es' {
  const weights = [...parseWeights(acceptLanguage ?? '')]
  /** The highest weight of the languages that match; 0 if none does. */
  const weightOf = (pattern: RegExp): number =>
    Math.max(0, ...weights.filter(([tag]) => pattern.test(tag)).map(([, weight]) => weight))
  const difference = weightOf(languagesOfSpain) - weightOf(english)
  if (difference === 0) return byDefault
  return difference > 0 ? 'es' : 'en'
}
