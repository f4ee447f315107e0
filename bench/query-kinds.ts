// The kinds of queries that the benchmarks use, and many random queries of each kind, drawn from the registry with a
// fixed seed. In terms and names of municipalities some letters are percent-encoded although they need not be, so that
// most equal queries have different addresses and miss the response cache.
import type { BenchRegistry, SampledRecord } from './registries.ts'

export interface BenchQuery {
  /** Path and query below the base address, such as `record?search=%70lan&limit=20`. */
  readonly path: string
  /** The inscription code of one record; such a query has no other filter. */
  readonly code?: string
  /** A search term: words, a phrase in quotation marks, or a prefix with an asterisk. */
  readonly search?: string
  /** As the records spell it. */
  readonly municipality?: string
  /** Four digits. */
  readonly year?: string
  /** Whether the records of the page are requested with passages. Only peer-records.ts sets it. */
  readonly withPassages?: boolean
}

export interface QueryKind {
  /** Name of the kind, which is also the workload in the report. */
  readonly workload: string
  readonly queries: readonly BenchQuery[]
}

/**
 * More than the response cache of the service holds: when the list of queries starts again, the responses to its first
 * queries are no longer in the cache.
 */
const queriesPerKindDefault = 100_000

/** Records on a page of results. */
export const pageRecords = 20

export interface DrawOptions {
  /** The names of the kinds to draw; all by default. */
  readonly only?: readonly string[] | undefined
  readonly queriesPerKind?: number
}

export function drawQueries(
  registry: BenchRegistry,
  { only, queriesPerKind = queriesPerKindDefault }: DrawOptions = {},
): QueryKind[] {
  /** By name, how to draw one query of the kind. */
  const kinds: Readonly<Record<string, (sampler: RegistrySampler) => Omit<BenchQuery, 'path'>>> = {
    'lookup by code': (sampler) => ({ code: sampler.record().code }),
    municipality: (sampler) => ({ municipality: sampler.record().municipality }),
    'municipality + year': (sampler) => sampler.municipalityAndYear(),
    'rare word': (sampler) => ({ search: sampler.pick(registry.words.rare) }),
    'very common word': (sampler) => ({ search: sampler.pick(registry.words.common) }),
    'two words': (sampler) => ({
      search: `${sampler.pick(registry.words.common)} ${sampler.pick(registry.words.common)}`,
    }),
    phrase: (sampler) => ({ search: `"${sampler.phrase()}"` }),
    'word + municipality + year': (sampler) => sampler.titleWordMunicipalityAndYear(),
    // The first three to six letters of a word.
    prefix: (sampler) => ({ search: `${sampler.pick(registry.words.all).slice(0, 3 + sampler.numberBelow(4))}*` }),
  }
  return Object.entries(kinds)
    .filter(([workload]) => only === undefined || only.includes(workload))
    .map(([workload, drawOne]) => {
      const sampler = new RegistrySampler(registry.sample)
      const queries = Array.from({ length: queriesPerKind }, (): BenchQuery => {
        const query = drawOne(sampler)
        return { path: toPath(query, sampler), ...query }
      })
      return { workload, queries }
    })
}

/** The path of the query. `sampler` chooses the letters that are percent-encoded. */
function toPath({ code, search, municipality, year }: Omit<BenchQuery, 'path'>, sampler: RegistrySampler): string {
  if (code !== undefined) return `record/${encodeURIComponent(code)}`
  const parameters: string[] = []
  if (search !== undefined) parameters.push(`search=${sampler.encode(search)}`)
  if (municipality !== undefined) parameters.push(`municipality=${sampler.encode(municipality)}`)
  if (year !== undefined) parameters.push(`checkin_date=${year}`)
  return `record?${parameters.join('&')}&limit=${pageRecords}`
}

/** Seeded random draws from the registry. */
class RegistrySampler {
  readonly #records: readonly SampledRecord[]
  /** The seed, then the last random number, from 0 to 2³² - 1. */
  #state = 42

  constructor(records: readonly SampledRecord[]) {
    this.#records = records
  }

  /** A whole number from 0 to `bound` - 1: a linear congruential generator with the constants of Numerical Recipes. */
  numberBelow(bound: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * bound)
  }

  /** One of the values, at random. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.numberBelow(values.length)]
    if (value === undefined) throw new Error('The registry is too small to draw queries from')
    return value
  }

  /** A random record. */
  record(): SampledRecord {
    return this.pick(this.#records)
  }

  /** The municipality and year of a random record. */
  municipalityAndYear(): { municipality: string; year: string } {
    return toMunicipalityAndYear(this.record())
  }

  /** A word of the title of a random record, with its municipality and year: at least this record is found. */
  titleWordMunicipalityAndYear(): { search: string; municipality: string; year: string } {
    const record = this.record()
    const words = record.title.match(/\p{L}{4,}/gu)
    return words === null
      ? this.titleWordMunicipalityAndYear()
      : { search: this.pick(words), ...toMunicipalityAndYear(record) }
  }

  /** Two neighbouring words of the title of a random record, of at least three letters each. */
  phrase(): string {
    for (;;) {
      const found = this.record().title.match(/\p{L}{3,} \p{L}{3,}/u)
      if (found !== null) return found[0]
    }
  }

  /** Percent-encodes about half of the letters from a to z, at random: another address of the same query. */
  encode(text: string): string {
    const letters = Array.from(text, (letter) =>
      /[a-z]/.test(letter) && this.numberBelow(2) === 0
        ? `%${letter.charCodeAt(0).toString(16)}`
        : encodeURIComponent(letter),
    )
    return letters.join('')
  }
}

function toMunicipalityAndYear({ municipality, checkinDate }: SampledRecord): { municipality: string; year: string } {
  return { municipality, year: checkinDate.slice(0, 4) }
}
