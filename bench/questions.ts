// The questions that are asked: for each kind of work many different addresses, drawn from the registry itself with a
// fixed seed. The addresses differ even where the words do not, by letters that are percent-encoded without need, so
// that no answer comes from the cache unless the work is about the cache.
import { toCursorText } from '../src/record/cursor.ts'
import type { WireRecord } from '../src/record/record.ts'
import { listKinds } from '../src/search/lists.ts'
import { readOrderKey } from '../src/store/sqlite/entry.ts'
import { SnapshotFile } from '../src/store/sqlite/file.ts'
import { ListHeads } from '../src/store/sqlite/list-heads.ts'

export interface Questions {
  readonly work: string
  /** Below the base address. */
  readonly paths: readonly string[]
  readonly status: 200 | 404
}

/** More than the service keeps answers of, so that a list that is asked from the beginning again is asked anew. */
const questionsMax = 100_000

/** Of every kind of work, or of those named. */
export function drawQuestions(database: string, only?: readonly string[]): Questions[] {
  const source = new QuestionSource(database)
  const q = (work: string, draw: () => string, status: 200 | 404 = 200): Questions[] =>
    only === undefined || only.includes(work)
      ? [{ work, paths: Array.from({ length: questionsMax }, draw), status }]
      : []
  return [
    q('lookup by code', () => `record/${encodeURIComponent(source.record().code)}`),
    q('unknown code (404)', () => `record/ZZ-${source.number(1e9)}`, 404),
    q('municipality', () => `record?municipality=${source.spell(source.record().municipality)}&limit=20`),
    q('municipality + year', () => {
      const { municipality, year } = source.record()
      return `record?municipality=${source.spell(municipality)}&checkin_date=${year}&limit=20`
    }),
    q('page of everything', () => {
      const { date: checkinDate, code } = source.record()
      return `record?limit=20&cursor=${encodeURIComponent(toCursorText({ inTitles: false, checkinDate, code }))}`
    }),
    q('summary of a municipality', () => `summary?municipality=${source.spell(source.record().municipality)}`),
    q('rare word', () => `record?search=${source.spell(source.rareWord())}&limit=20`),
    q('very common word', () => `record?search=${source.spell(source.commonWord())}&limit=20`),
    q('two words', () => {
      const words = `${source.commonWord()} ${source.commonWord()}`
      return `record?search=${source.spell(words)}&limit=20`
    }),
    q('phrase', () => `record?search=${source.spell(`"${source.phrase()}"`)}&limit=20`),
    q('prefix', () => `record?search=${source.spell(source.beginning())}*&limit=20`),
    q('word + municipality + year', () => {
      const { municipality, year } = source.record()
      const filters = `municipality=${source.spell(municipality)}&checkin_date=${year}`
      return `record?search=${source.spell(source.commonWord())}&${filters}&limit=20`
    }),
  ].flat()
}

class QuestionSource {
  readonly #records: { code: string; title: string; municipality: string; date: string; year: string }[]
  readonly #rare: string[]
  readonly #common: string[]
  readonly #forms: string[]
  #state = 42

  constructor(path: string) {
    const file = new SnapshotFile(path)
    const { strips } = file
    const n = strips.record.count
    this.#records = Array.from({ length: Math.min(n, questionsMax) }, () => {
      const position = this.number(n)
      const { code } = readOrderKey(strips.entry, position)
      const wire = JSON.parse(strips.record.text(position, 'utf8', 0, 1)) as WireRecord
      const { title, municipality, checkin_date: date } = wire
      return { code, title, municipality, date, year: date.slice(0, 4) }
    })
    const forms = Array.from(new ListHeads(strips), ({ key, records }) => ({
      word: key.slice(1),
      kind: key[0],
      records,
    }))
    const words = forms.filter(({ word, kind }) => kind === listKinds.form && /^[a-zñ]{4,}$/.test(word))
    const between = (least: number, most: number): string[] =>
      words.filter(({ records }) => records >= least && records <= most).map(({ word }) => word)
    this.#rare = between(2, 50)
    this.#common = between(Math.floor(n / 20), n)
    this.#forms = between(1, n)
    file.close()
  }

  number(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }

  record(): { code: string; title: string; municipality: string; date: string; year: string } {
    return this.#pick(this.#records)
  }

  rareWord(): string {
    return this.#pick(this.#rare)
  }

  commonWord(): string {
    return this.#pick(this.#common)
  }

  beginning(): string {
    return this.#pick(this.#forms).slice(0, 3 + this.number(4))
  }

  /** Two neighbouring words of a title. */
  phrase(): string {
    for (;;) {
      const found = this.record().title.match(/\p{L}{3,} \p{L}{3,}/u)
      if (found !== null) return found[0]
    }
  }

  /** Some letters percent-encoded that need not be: another address for the same question. */
  spell(text: string): string {
    const spelt = Array.from(text, (letter) =>
      /[a-z]/.test(letter) && this.number(2) === 0
        ? `%${letter.charCodeAt(0).toString(16)}`
        : encodeURIComponent(letter),
    )
    return spelt.join('')
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[this.number(values.length)]
    if (value === undefined) throw new Error('the registry is too small to draw questions from')
    return value
  }
}
