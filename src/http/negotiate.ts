// Negotiation of the content coding by `Accept-Encoding` (RFC 9110, section 12.5.3).
import { LRUCache } from 'lru-cache'

export type CodingName = 'identity' | 'gzip' | 'br' | 'zstd'

export interface Coding {
  readonly name: CodingName
  /** Small bodies are encoded too, because the client refuses identity (`identity;q=0`). */
  readonly isForced: boolean
  /** Name and `isForced` as a key for the response cache. */
  readonly key: string
}

/** The order of preference among codings of equal weight: best ratio of compression to time first. */
const codingNames: readonly CodingName[] = ['zstd', 'br', 'gzip']

const codings = new Map<string, Coding>()
for (const name of ['identity', ...codingNames] as const) {
  codings.set(name, { name, isForced: false, key: name === 'identity' ? '' : name })
  codings.set(`${name}!`, { name, isForced: true, key: `${name}!` })
}
const identity: Coding = { name: 'identity', isForced: false, key: '' }

/** By header value; most clients send one of a few values. */
const codingCache = new LRUCache<string, Coding>({ max: 256 })

export function negotiateCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return identity
  const cached = codingCache.get(acceptEncoding)
  if (cached !== undefined) return cached
  const coding = chooseCoding(acceptEncoding)
  codingCache.set(acceptEncoding, coding)
  return coding
}

/** Returns identity if no coding is acceptable, as section 12.4.1 allows. */
function chooseCoding(acceptEncoding: string): Coding {
  const weights = parseWeights(acceptEncoding)
  const weightOf = (name: string): number | undefined => weights.get(name) ?? weights.get('*')
  // "identity" is acceptable unless excluded by name, or by "*;q=0" without a more specific entry.
  const identityWeight = weightOf('identity')
  let best: CodingName = 'identity'
  let bestWeight = weights.get('identity') ?? 0
  for (const name of codingNames) {
    const weight = weightOf(name) ?? 0
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === 'identity')) {
      best = name
      bestWeight = weight
    }
  }
  const isForced = identityWeight === 0 && best !== 'identity'
  return codings.get(isForced ? `${best}!` : best) ?? identity
}

function parseWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [rawName = '', ...rest] = item.split(';')
    const name = rawName.trim() === 'x-gzip' ? 'gzip' : rawName.trim()
    if (name === '') continue
    const weight = rest.map((each) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(each)?.[1]).find(Boolean)
    weights.set(name, Math.min(1, Number(weight ?? 1)))
  }
  return weights
}
