// The tokens of the full-text indexes. A token is a letter for its kind and a word that the analyser has made: `wplan`
// for the stem `plan` anywhere in a record, `tplan` in its title. The import writes the tokens of each record
// (`toRecordTokens`), a search asks for tokens (match.ts); FTS5 itself knows no Spanish.
import { type AnalysedText, analyseText, analyseTitle, type Word } from '../analysis/analyser.ts'
import { foldValue, isSearchable } from '../domain/exact-value.ts'
import { provinceOf } from '../domain/province.ts'

/** The letters of the kinds of token. */
export const kinds = {
  /** A stem anywhere in the record: in the title, the area or the text. */
  word: 'w',
  /** A stem in the title. */
  title: 't',
  /** Two stems side by side in the title (analysis/neighbours.ts). */
  neighbours: 's',
  /** A form (a folded word, which prefixes compare) anywhere in the record, and in the title. */
  form: 'f',
  titleForm: 'g',
  /** The first `prefixLengths` letters of a form anywhere in the record, and in the title. */
  prefix: 'p',
  titlePrefix: 'q',
  municipality: 'm',
  /** By INE code. */
  province: 'v',
  community: 'c',
  /** By the folded value. */
  registrationNumber: 'r',
  id: 'i',
} as const

/** Prefixes of these lengths have tokens of their own, because many forms share them. */
export const prefixLengths: readonly number[] = [3, 4, 5]

/**
 * Stands between texts that no phrase may span: title, area and text, and around each added word, which phrases do not
 * match. No kind has this letter.
 */
export const gap = '0'

/**
 * Makes a token of any text. FTS5's tokenizer `ascii` splits at punctuation and folds A to Z, so these characters are
 * replaced by control characters (U+0080 to U+0082), which no word contains: a stem may have a space or a capital.
 */
export function toToken(kind: string, text: string): string {
  return kind + (plain.test(text) ? text : text.replace(special, toControlCharacters))
}

const plain = /^[a-z\d\u0083-\uffff]*$/
const special = /[^a-z\d\u0083-\uffff]/g

function toControlCharacters(character: string): string {
  if (character === ' ') return '\u0080'
  if (/[A-Z]/.test(character)) return `\u0081${character.toLowerCase()}`
  return `\u0082${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** The reverse of `toToken` for the words of the table `word`, which are stored without the letter of their kind. */
export function fromToken(word: string): string {
  return word.replace(
    /\u0080|\u0081(.)|\u0082(..)/g,
    (_found, capital: string | undefined, code: string | undefined) => {
      if (capital !== undefined) return capital.toUpperCase()
      return code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16))
    },
  )
}

/** The texts of a record that are searched. `pages` are its rows in the table `page`. */
export interface RecordTexts {
  readonly title: string
  readonly area: string
  readonly pages: readonly string[]
}

/** The tokens of a record, separated by spaces. */
export interface RecordTokens {
  /** For the index `search`, without those of filters. */
  readonly search: string
  /** For the index `prefix`, without those of filters. */
  readonly prefix: string
  /** For the index `page_words`, by page. Empty if the record has one page at most, which needs no index. */
  readonly pages: readonly string[]
}

export function toRecordTokens({ title, area, pages }: RecordTexts): RecordTokens {
  const analysedTitle = analyseTitle(title)
  const titleTokens = new TextTokens(wordTokens.ofTitle)
  titleTokens.add(analysedTitle)
  const recordTokens = new TextTokens(wordTokens.ofRecord)
  recordTokens.add(analysedTitle)
  recordTokens.endText()
  if (area !== '') {
    recordTokens.add(analyseText(area))
    recordTokens.endText()
  }
  const pageTokens: string[] = []
  for (const page of pages) {
    const analysed = analyseText(page)
    // No gap between two pages: a phrase may start on one and end on the next.
    recordTokens.add(analysed)
    if (pages.length > 1) pageTokens.push(toPageTokens(analysed))
  }
  const neighbours = analysedTitle.neighbours.map(({ stem }) => toToken(kinds.neighbours, stem))
  return {
    search: [...neighbours, gap, ...titleTokens.toTokens(), gap, ...recordTokens.toTokens()].join(' '),
    prefix: [...titleTokens.toFormTokens(), ...recordTokens.toFormTokens()].join(' '),
    pages: pageTokens,
  }
}

/** The distinct stems of a page, those of added words included. */
function toPageTokens({ words, joinedForms, synonyms }: AnalysedText): string {
  const tokens = new Set<string>()
  for (const list of [words, joinedForms, synonyms]) {
    for (const word of list) tokens.add(wordTokens.ofRecord.of(word).stem)
  }
  return [...tokens].join(' ')
}

/** The tokens of a word in a field. */
interface WordTokens {
  readonly stem: string
  /** The tokens of its form and of the first letters of its form; empty if it has no form. */
  readonly form: string
}

/**
 * Keeps the tokens of words, because most words of a text are frequent. The analyser has one object for a frequent
 * word, and an object is found faster than a text.
 */
class TokenCache {
  readonly #tokens = new Map<Word, WordTokens>()
  readonly #kinds: { readonly stem: string; readonly form: string; readonly prefix: string }

  constructor(ofField: { readonly stem: string; readonly form: string; readonly prefix: string }) {
    this.#kinds = ofField
  }

  of(word: Word): WordTokens {
    const known = this.#tokens.get(word)
    if (known !== undefined) return known
    if (this.#tokens.size >= cachedWordsMax) this.#tokens.clear()
    const tokens = { stem: toToken(this.#kinds.stem, word.stem), form: this.#toFormTokens(word.form) }
    this.#tokens.set(word, tokens)
    return tokens
  }

  #toFormTokens(form: string): string {
    if (form === '') return ''
    const lengths = prefixLengths.filter((length) => form.length >= length)
    const prefixes = lengths.map((length) => toToken(this.#kinds.prefix, form.slice(0, length)))
    return [toToken(this.#kinds.form, form), ...prefixes].join(' ')
  }
}

/** A full cache is emptied. */
const cachedWordsMax = 1 << 16

const wordTokens = {
  ofRecord: new TokenCache({ stem: kinds.word, form: kinds.form, prefix: kinds.prefix }),
  ofTitle: new TokenCache({ stem: kinds.title, form: kinds.titleForm, prefix: kinds.titlePrefix }),
}

/** Collects the tokens of one field of a record: of its title, or of all its texts. */
class TextTokens {
  readonly #cache: TokenCache
  /** The tokens of stems in the order of the text, with gaps. */
  readonly #written: string[] = []
  /** The tokens of the stems of joined forms and synonyms. */
  readonly #added = new Set<string>()
  /** The tokens of written words and of joined forms. */
  readonly #words = new Set<WordTokens>()

  constructor(cache: TokenCache) {
    this.#cache = cache
  }

  add({ words, joinedForms, synonyms }: AnalysedText): void {
    for (const word of words) {
      const tokens = this.#cache.of(word)
      this.#written.push(tokens.stem)
      this.#words.add(tokens)
    }
    for (const word of joinedForms) {
      const tokens = this.#cache.of(word)
      this.#added.add(tokens.stem)
      this.#words.add(tokens)
    }
    for (const word of synonyms) this.#added.add(this.#cache.of(word).stem)
  }

  /** Ends a text that no phrase may go beyond. */
  endText(): void {
    this.#written.push(gap)
  }

  toTokens(): string[] {
    const tokens = this.#written
    for (const token of this.#added) tokens.push(gap, token)
    return tokens
  }

  /** Several words may have the same prefix: FTS5 indexes a token once for each record. */
  toFormTokens(): string[] {
    const tokens: string[] = []
    for (const { form } of this.#words) if (form !== '') tokens.push(form)
    return tokens
  }
}

/** What the filters compare, besides dates and code. */
export interface FilterValues {
  /** The key of the municipality (municipality-index.ts). */
  readonly municipalityKey: string
  readonly ineCode: string | null
  readonly registrationNumber: string
  readonly id: string
}

/** The tokens of the filters by place, which both indexes of records have. */
export function toPlaceTokens({ municipalityKey, ineCode }: FilterValues): string[] {
  const tokens = [toToken(kinds.municipality, municipalityKey)]
  const province = provinceOf(ineCode ?? '')
  if (province !== undefined) {
    tokens.push(kinds.province + province.code, kinds.community + province.community.code)
  }
  return tokens
}

/** The tokens of values that a filter compares as a whole. Only `search` has them. */
export function toValueTokens({ registrationNumber, id }: FilterValues): string[] {
  const values = [
    [kinds.registrationNumber, foldValue(registrationNumber)],
    [kinds.id, foldValue(id)],
  ] as const
  return values.filter(([, value]) => isSearchable(value)).map(([kind, value]) => toToken(kind, value))
}
