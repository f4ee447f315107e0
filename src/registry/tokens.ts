// The tokens of the full-text indexes. A token is a letter for its kind and a word that the analyser has made: `wplan`
// for the stem `plan` anywhere in a record, `tplan` in its title. The import writes the tokens of each record
// (`toRecordTokens`), a search asks for tokens (match.ts); FTS5 itself knows no Spanish.
import { type AnalysedText, analyseArea, analyseText, analyseTitle, type Word } from '../analysis/analyser.ts'
import { foldValue, isSearchable } from '../domain/exact-value.ts'
import { type FieldValues, foldFieldValue, type OwnField } from '../domain/own-fields.ts'
import { tokenFilters } from '../domain/parameters.ts'
import { provinceOf } from '../domain/province.ts'
import type { WireRecord } from '../domain/record.ts'

/** The letters of the kinds of token. Filters on a field as a whole have theirs in domain/parameters.ts. */
export const kinds = {
  /** A stem as it is written anywhere in the record: in the title, the area or the text. */
  word: 'w',
  /** A stem that is added: of a joined form (`ue1` for `UE-1`) or of a synonym. Phrases do not match it. */
  addedWord: 'a',
  /** The same in the title. */
  title: 't',
  addedTitle: 'u',
  /** Two stems side by side in the title (analysis/neighbours.ts). */
  neighbours: 's',
  /** The same in the area. */
  areaNeighbours: 'n',
  /** A form (a folded word, which prefixes are compared with) anywhere in the record, and in the title. */
  form: 'f',
  titleForm: 'g',
  municipality: 'm',
  /** By INE code. */
  province: 'v',
  community: 'c',
  /** The name of one of the office's own columns, `=` and the folded value. */
  ownField: 'o',
  /** A stem near the end of a page or at the start of the next one. */
  pageEnd: 'e',
} as const

/** The kinds of token of a field that is searched. */
export interface FieldKinds {
  readonly word: string
  readonly addedWord: string
  readonly form: string
}

export const wholeRecord: FieldKinds = kinds
export const title: FieldKinds = {
  word: kinds.title,
  addedWord: kinds.addedTitle,
  form: kinds.titleForm,
}

/** Stands between the title, the area and the text, so that no phrase spans two of them. No kind has this letter. */
export const gap = '0'

/**
 * Makes a token of any text. FTS5's tokenizer `ascii` splits at punctuation and folds A to Z, so these characters are
 * replaced by control characters (U+0080 to U+0082), which no word contains: a stem may have a space or a capital.
 */
export function toToken(kind: string, text: string): string {
  if (plain.test(text)) return kind + text
  // Pairs of neighbours are many.
  if (plainWithSpaces.test(text)) return kind + text.replaceAll(' ', '\u0080')
  return kind + text.replace(special, toControlCharacters)
}

const plain = /^[a-z\d\u0083-\uffff]*$/
const plainWithSpaces = /^[a-z\d \u0083-\uffff]*$/
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
  /** The values of the office's own columns. */
  readonly fields: readonly string[]
  readonly pages: readonly string[]
}

/** The tokens of a record, separated by spaces. */
export interface RecordTokens {
  /** For the index `search`, without those of filters. */
  readonly search: string
  /** For the index `prefix`, without those of filters. */
  readonly prefix: string
  /** For the index `page_words`. Empty if the record has one page at most, which needs no index. */
  readonly blocks: readonly BlockTokens[]
}

/** The stems of a block: some words of a page that follow each other, without their order. */
export interface BlockTokens {
  /** The rowid is that of the first block of the first page of the record, and this number. */
  readonly number: number
  readonly tokens: string
}

/** The blocks of a page have consecutive rowids, the first one the number of the page times this. */
export const blocksPerPage = 16

/** A block begins this many words after the one before, unless the page is so long that it would have too many blocks. */
const blockStep = 40

/**
 * A block has so many words of the next one too, so there is a block with all words of a window (passage-windows.ts).
 * The last block of a page also has so many words before and after the end of the page, as tokens of their own, for
 * phrases that begin on one page and end on the next.
 */
export const blockOverlap = 24
export const blockWords: number = blockStep + blockOverlap

export function toRecordTokens({ title: titleText, area, fields, pages }: RecordTexts): RecordTokens {
  const analysedTitle = analyseTitle(titleText)
  const titleTokens = new TextTokens(wordTokens.ofTitle)
  titleTokens.add(analysedTitle)
  const recordTokens = new TextTokens(wordTokens.ofRecord)
  recordTokens.add(analysedTitle)
  recordTokens.endText()
  const analysedArea = analyseArea(area)
  for (const analysed of [analysedArea, ...fields.map(analyseText)]) {
    if (analysed.words.length === 0) continue
    recordTokens.add(analysed)
    recordTokens.endText()
  }
  const neighbours = [
    ...analysedTitle.neighbours.map((stems) => toToken(kinds.neighbours, stems)),
    ...analysedArea.neighbours.map((stems) => toToken(kinds.areaNeighbours, stems)),
  ]
  const analysedPages = pages.map(analyseText)
  // No gap between two pages: a phrase may start on one and end on the next.
  for (const page of analysedPages) recordTokens.add(page)
  return {
    search: joinAll(neighbours, [gap], titleTokens.toTokens(), [gap], recordTokens.toTokens()),
    prefix: joinAll(titleTokens.toFormTokens(), recordTokens.toFormTokens()),
    blocks: pages.length > 1 ? toBlocks(analysedPages) : [],
  }
}

function joinAll(...lists: readonly (readonly string[])[]): string {
  return lists
    .filter(({ length }) => length > 0)
    .map((tokens) => tokens.join(' '))
    .join(' ')
}

function toBlocks(pages: readonly AnalysedText[]): BlockTokens[] {
  const blocks: BlockTokens[] = []
  for (const [index, page] of pages.entries()) {
    const { length } = page.words
    const step = Math.max(blockStep, Math.ceil(length / blocksPerPage))
    for (let first = 0; first < length; first += step) {
      const tokens = toStems(page, first, first + step + blockOverlap)
      const next = first + step < length ? undefined : pages[index + 1]
      if (next !== undefined) {
        const around = [...page.words.slice(-blockOverlap), ...next.words.slice(0, blockOverlap)]
        for (const { stem } of around) tokens.add(toToken(kinds.pageEnd, stem))
      }
      blocks.push({ number: index * blocksPerPage + first / step, tokens: [...tokens].join(' ') })
    }
  }
  return blocks
}

/** The stems of the words from `first` to `end` (excluded), and of the words that are added for them. */
function toStems({ words, ...added }: AnalysedText, first: number, end: number): Set<string> {
  const tokens = new Set<string>()
  for (const word of words.slice(first, end)) tokens.add(wordTokens.ofRecord.of(word).stem)
  const { joinedForms, joinedFormSpans, synonyms, synonymSpans } = added
  for (const [list, { firsts }] of [[joinedForms, joinedFormSpans] as const, [synonyms, synonymSpans] as const]) {
    for (const [index, word] of list.entries()) {
      const position = firsts[index] ?? 0
      if (position >= first && position < end) tokens.add(wordTokens.ofRecord.of(word).addedStem)
    }
  }
  return tokens
}

const cachedWords = 1 << 16

/** The tokens of a word in a field. */
interface WordTokens {
  readonly word: Word
  readonly stem: string
  readonly addedStem: string
  /** Empty if the word has no form. */
  readonly form: string
  /** The last text for which the token of the added stem, and that of the form, was taken. */
  addedTo: number
  formTo: number
}

/**
 * Keeps the tokens of words, because most words of a text are frequent, and the analyser has one object for a frequent
 * word.
 */
class TokenCache {
  /** By the number of the word, modulo the length. A word with the same remainder takes the place. */
  readonly #tokens: (WordTokens | undefined)[] = Array.from({ length: cachedWords })
  readonly #kinds: FieldKinds

  constructor(ofField: FieldKinds) {
    this.#kinds = ofField
  }

  of(word: Word): WordTokens {
    const index = word.id % cachedWords
    const known = this.#tokens[index]
    if (known?.word === word) return known
    const { stem, form } = word
    if (stem !== form && letters.test(stem) && letters.test(form)) inflections.push([stem, form])
    const tokens = {
      word,
      stem: toToken(this.#kinds.word, stem),
      addedStem: toToken(this.#kinds.addedWord, stem),
      form: form === '' ? '' : toToken(this.#kinds.form, form),
      addedTo: 0,
      formTo: 0,
    }
    this.#tokens[index] = tokens
    return tokens
  }

  clear(): void {
    this.#tokens.fill(undefined)
  }
}

/** A stem, and a word that has it and is written differently. Both consist of letters from a to z. */
export type Inflection = readonly [stem: string, form: string]

/** The inflections that were found since the last call; some may have been found before. */
export function takeInflections(): Inflection[] {
  return inflections.splice(0)
}

const inflections: Inflection[] = []
const letters = /^[a-z]+$/

/** Begins a registry: words of another one, which this thread has analysed before, count as new. */
export function forgetWords(): void {
  inflections.length = 0
  for (const cache of Object.values(wordTokens)) cache.clear()
}

const wordTokens = { ofRecord: new TokenCache(wholeRecord), ofTitle: new TokenCache(title) }

/** Collects the tokens of one field of a record: of its title, or of all its texts. */
class TextTokens {
  readonly #cache: TokenCache
  readonly #number = ++textCount
  /** The tokens of stems in the order of the text, with gaps. */
  readonly #written: string[] = []
  readonly #forms: string[] = []
  readonly #joinedForms: WordTokens[] = []
  readonly #synonyms: WordTokens[] = []

  constructor(cache: TokenCache) {
    this.#cache = cache
  }

  add({ words, joinedForms, synonyms }: AnalysedText): void {
    for (const word of words) {
      const tokens = this.#cache.of(word)
      this.#written.push(tokens.stem)
      this.#addForm(tokens)
    }
    for (const word of joinedForms) this.#joinedForms.push(this.#cache.of(word))
    for (const word of synonyms) this.#synonyms.push(this.#cache.of(word))
  }

  #addForm(tokens: WordTokens): void {
    if (tokens.formTo === this.#number) return
    tokens.formTo = this.#number
    if (tokens.form !== '') this.#forms.push(tokens.form)
  }

  /** Ends a text that no phrase may go beyond. */
  endText(): void {
    this.#written.push(gap)
  }

  toTokens(): string[] {
    const all = this.#written.slice()
    for (const tokens of [...this.#joinedForms, ...this.#synonyms]) {
      if (tokens.addedTo === this.#number) continue
      tokens.addedTo = this.#number
      all.push(tokens.addedStem)
    }
    return all
  }

  /** Of written words and joined forms. */
  toFormTokens(): readonly string[] {
    for (const tokens of this.#joinedForms) this.#addForm(tokens)
    return this.#forms
  }
}

let textCount = 0

/**
 * The tokens of the filters by place, which both indexes of records have. `key` is that of the municipality
 * (municipality-index.ts).
 */
export function toPlaceTokens(key: string, ineCode: string | null): string[] {
  const tokens = [toToken(kinds.municipality, key)]
  const province = provinceOf(ineCode ?? '')
  if (province !== undefined) {
    tokens.push(kinds.province + province.code, kinds.community + province.community.code)
  }
  return tokens
}

/** The tokens of the filters that compare a field as a whole. Only `search` has them. */
export function toValueTokens(record: WireRecord): string[] {
  return tokenFilters.flatMap(({ letter, toValue }) => {
    const value = foldValue(toValue(record))
    return isSearchable(value) ? [toToken(letter, value)] : []
  })
}

/** The tokens of the filters on the office's own columns. `fields` is their JSON. */
export function toFieldTokens(fields: string | null, declared: readonly OwnField[]): string[] {
  if (fields === null) return []
  const values = JSON.parse(fields) as FieldValues
  return declared.flatMap(({ name, label }) => {
    const folded = foldFieldValue(values[label] ?? '')
    return isSearchable(folded) ? [toFieldToken(name, folded)] : []
  })
}

export function toFieldToken(name: string, folded: string): string {
  return toToken(kinds.ownField, `${name}=${folded}`)
}

/** The values of the office's own columns, from their JSON. */
export function valuesOf(fields: string | null): string[] {
  return fields === null ? [] : Object.values(JSON.parse(fields) as FieldValues)
}
