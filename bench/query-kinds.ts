// The questions that are asked: for each kind many different ones, drawn from the registry with a fixed seed. Their
// addresses differ even where the words do not, by letters that are percent-encoded without need, so that no response
// comes from the cache unless the work is about the cache.
import type { BenchRegistry, SampledRecord } from './registries.ts'

export interface Question {
  /** Its address below the base address. */
  readonly path: string
  readonly code?: string
  /** Words, a phrase in quotation marks, or a prefix with an asterisk. */
  readonly search?: string
  /** As the records write it. */
  readonly municipality?: string
  readonly year?: string
}

export interface QuestionKind {
  readonly work: string
  readonly questions: readonly Question[]
}

/** More than the service keeps responses of, so that a list that starts again is not answered from the cache. */
const questionsMax = 100_000
export const pageRecords = 20

/** Draws the questions of every kind, or of the kinds named. */
export function drawQuestions(
  registry: BenchRegistry,
  only?: readonly string[],
  count: number = questionsMax,
): QuestionKind[] {
  const kinds: Readonly<Record<string, (draw: Draw) => Omit<Question, 'path'>>> = {
    'lookup by code': (draw) => ({ code: draw.record().code }),
    municipality: (draw) => ({ municipality: draw.record().municipality }),
    'municipality + year': (draw) => draw.place(),
    'rare word': (draw) => ({ search: draw.pick(registry.words.rare) }),
    'very common word': (draw) => ({ search: draw.pick(registry.words.common) }),
    'two words': (draw) => ({ search: `${draw.pick(registry.words.common)} ${draw.pick(registry.words.common)}` }),
    phrase: (draw) => ({ search: `"${draw.phrase()}"` }),
    'word + municipality + year': (draw) => ({ search: draw.pick(registry.words.common), ...draw.place() }),
    prefix: (draw) => ({ search: `${draw.pick(registry.words.all).slice(0, 3 + draw.number(4))}*` }),
  }
  return Object.entries(kinds)
    .filter(([work]) => only === undefined || only.includes(work))
    .map(([work, drawOne]) => {
      const draw = new Draw(registry.sample)
      const questions = Array.from({ length: count }, (): Question => {
        const question = drawOne(draw)
        return { path: toPath(question, draw), ...question }
      })
      return { work, questions }
    })
}

function toPath({ code, search, municipality, year }: Omit<Question, 'path'>, draw: Draw): string {
  if (code !== undefined) return `record/${encodeURIComponent(code)}`
  const parameters: string[] = []
  if (search !== undefined) parameters.push(`search=${draw.spell(search)}`)
  if (municipality !== undefined) parameters.push(`municipality=${draw.spell(municipality)}`)
  if (year !== undefined) parameters.push(`checkin_date=${year}`)
  return `record?${parameters.join('&')}&limit=${pageRecords}`
}

/** Draws from the registry, always the same in the same order. */
class Draw {
  readonly #records: readonly SampledRecord[]
  #state = 42

  constructor(records: readonly SampledRecord[]) {
    this.#records = records
  }

  number(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.number(values.length)]
    if (value === undefined) throw new Error('the registry is too small to draw questions from')
    return value
  }

  record(): SampledRecord {
    return this.pick(this.#records)
  }

  place(): { municipality: string; year: string } {
    const { municipality, checkinDate } = this.record()
    return { municipality, year: checkinDate.slice(0, 4) }
  }

  /** Two neighbouring words of a title. */
  phrase(): string {
    for (;;) {
      const found = this.record().title.match(/\p{L}{3,} \p{L}{3,}/u)
      if (found !== null) return found[0]
    }
  }

  /** Percent-encodes some letters that need not be: another address of the same question. */
  spell(text: string): string {
    const letters = Array.from(text, (letter) =>
      /[a-z]/.test(letter) && this.number(2) === 0
        ? `%${letter.charCodeAt(0).toString(16)}`
        : encodeURIComponent(letter),
    )
    return letters.join('')
  }
}
