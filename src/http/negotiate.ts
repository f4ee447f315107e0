// What the client is able and willing to receive: the content coding (RFC 9110, section 12.5.3).
import { LRUCache } from 'lru-cache'

export type CodingName = 'identity' | 'gzip' | 'br' | 'zstd'

export interface Coding {
  readonly name: CodingName
  /** Even the smallest body is encoded: the client refuses it as it is (`identity;q=0`). */
  readonly isForced: boolean
  /** Names the pair of both, for keys of the cache. */
  readonly key: string
}

/** By preference where the client likes several alike: the cheapest to make for its size first. */
const codingNames: readonly CodingName[] = ['zstd', 'br', 'gzip']

const codings = new Map<string, Coding>()
for (const name of ['identity', ...codingNames] as const) {
  codings.set(name, { name, isForced: false, key: name === 'identity' ? '' : name })
  codings.set(`${name}!`, { name, isForced: true, key: `${name}!` })
}
const identity: Coding = { name: 'identity', isForced: false, key: '' }

/** By header: clients send a handful of them over and over. */
const chosen = new LRUCache<string, Coding>({ max: 256 })

export function negotiateCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return identity
  const known = chosen.get(acceptEncoding)
  if (known !== undefined) return known
  const coding = chooseCoding(acceptEncoding)
  chosen.set(acceptEncoding, coding)
  return coding
}

/** Where nothing that the client accepts can be made, the answer goes as it is, which section 12.4.1 allows. */
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
