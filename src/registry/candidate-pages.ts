// Finds the pages of a record that can have the words of a search term near each other. The index `page_words` has a
// row for each block of words (`toBlocks` in tokens.ts).
import { wordOf } from '../analysis/lexicon.ts'
import type { Clause, PhraseClause } from '../analysis/term.ts'
import type { RegistryFile } from './registry-file.ts'
import { blockOverlap, blocksPerPage, fromToken, kinds, toToken } from './tokens.ts'

/** A page that can have so many clauses of the term near each other. A clause that the term repeats counts as often. */
export interface CandidatePage {
  /** Its number in the table `page`. */
  readonly number: number
  readonly clauseCount: number
}

/** The numbers of the pages of a record, from `first` to `end` (excluded). */
interface PageRange {
  readonly first: number
  readonly end: number
}

/** Of a prefix, only the pages with the most frequent words that start with it are found, at most this many. */
const prefixWordsMax = 64

/** The best pages of a term of at most so many clauses are found without counting. */
const combinedClausesMax = 4

const pagesAtOnce = 12

export class CandidatePages {
  readonly #file: RegistryFile
  /** How often the term has each clause. */
  readonly #repeats: readonly number[]
  /** The expression of each clause. */
  readonly #expressions: readonly string[]
  /** The blocks that have a word of the term as a joined form or as a synonym. */
  readonly #addedExpression: string

  /** The tokens of added words that the index has: most words are never added. */
  readonly #addedTokens = new Set<string>()

  constructor(file: RegistryFile, clauses: readonly Clause[], repeats: readonly number[]) {
    this.#file = file
    this.#repeats = repeats
    this.#expressions = clauses.map((clause) => this.#toExpression(clause))
    this.#addedExpression = [...this.#addedTokens].join(' OR ')
  }

  /** The candidates with the most clauses first, then in reading order. */
  *findBest(range: PageRange): Generator<CandidatePage, void, undefined> {
    const count = this.#expressions.length
    if (isOnePage(range)) yield* this.#onlyPage(range)
    else {
      const sorted = this.#repeats.toSorted((a, b) => b - a)
      for (let clauses = count; clauses > 0; clauses--) {
        if (clauses < count && count > combinedClausesMax) return yield* this.findAll(range)
        const clauseCount = sorted.slice(0, clauses).reduce((sum, repeats) => sum + repeats, 0)
        const expression = combine(this.#expressions, clauses)
          .map((each) => `(${each.join(' AND ')})`)
          .join(' OR ')
        for (const number of this.#readPages(expression, range)) yield { number, clauseCount }
      }
    }
  }

  /** The pages in reading order, a few at a time: mostly the first ones are enough. */
  *#readPages(expression: string, { first, end }: PageRange): Generator<number, void, undefined> {
    for (let next = first; next < end; ) {
      const pages = this.#findPages(expression, { first: next, end }, pagesAtOnce)
      yield* pages
      next = pages.length < pagesAtOnce ? end : (pages.at(-1) ?? end) + 1
    }
  }

  /** The pages with any clause: those with the most clauses near each other first, then in reading order. */
  findAll(range: PageRange): CandidatePage[] {
    if (isOnePage(range)) return this.#onlyPage(range)
    const ofBlocks = new Map<number, number>()
    for (const [index, expression] of this.#expressions.entries()) {
      for (const block of this.#find('rowid', expression, range)) {
        ofBlocks.set(block, (ofBlocks.get(block) ?? 0) + (this.#repeats[index] ?? 1))
      }
    }
    const ofPages = new Map<number, number>()
    for (const [block, count] of ofBlocks) {
      const number = Math.floor(block / blocksPerPage)
      ofPages.set(number, Math.max(count, ofPages.get(number) ?? 0))
    }
    return Array.from(ofPages, ([number, clauseCount]) => ({ number, clauseCount })).sort(
      (a, b) => b.clauseCount - a.clauseCount || a.number - b.number,
    )
  }

  /** The pages that have words of the term as joined forms or as synonyms; undefined if the index does not tell. */
  findAdded(range: PageRange): ReadonlySet<number> | undefined {
    if (isOnePage(range)) return undefined
    return new Set(this.#addedExpression === '' ? [] : this.#findPages(this.#addedExpression, range))
  }

  /** A record of one page is not in the index. */
  #onlyPage({ first, end }: PageRange): CandidatePage[] {
    return first < end ? [{ number: first, clauseCount: this.#repeats.reduce((sum, count) => sum + count, 0) }] : []
  }

  #findPages(expression: string, range: PageRange, limit?: number): number[] {
    return this.#find(`DISTINCT rowid / ${blocksPerPage}`, expression, range, limit)
  }

  #find(column: string, expression: string, { first, end }: PageRange, limit = -1): number[] {
    const [numbers] = this.#file.get<[string]>(
      `SELECT json_group_array(number) FROM (
        SELECT ${column} AS number FROM page_words WHERE page_words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)`,
      expression,
      BigInt(first * blocksPerPage),
      BigInt(end * blocksPerPage - 1),
      BigInt(limit),
    ) ?? ['[]']
    return JSON.parse(numbers) as number[]
  }

  #toExpression(clause: Clause): string {
    if (clause.kind === 'word') return this.#toWordExpression([clause.stem, ...(clause.orStems ?? [])])
    if (clause.kind === 'phrase') return this.#toPhraseExpression(clause)
    const words = this.#toWordExpression(this.#findStems(clause.prefix))
    return clause.orPhrase === undefined ? words : `(${words} OR ${this.#toPhraseExpression(clause.orPhrase)})`
  }

  /** The words as they are written or added. */
  #toWordExpression(stems: readonly string[]): string {
    const tokens = stems.map((stem) => `"${toToken(kinds.word, stem)}"`)
    for (const stem of stems) {
      const added = `"${toToken(kinds.addedWord, stem)}"`
      const isIndexed = this.#file.get('SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT 1', added) !== undefined
      if (!isIndexed) continue
      this.#addedTokens.add(added)
      tokens.push(added)
    }
    return tokens.length === 0 ? '""' : `(${tokens.join(' OR ')})`
  }

  /** The blocks with the first words of the phrase, with its joined code, or with its alternative. */
  #toPhraseExpression({ stems, joinedCode, orPhrase }: PhraseClause): string {
    const words = stems.slice(0, blockOverlap)
    const places = words.length > 1 ? [kinds.word, kinds.pageEnd] : [kinds.word]
    const expressions = places.map((kind) => `(${words.map((stem) => `"${toToken(kind, stem)}"`).join(' AND ')})`)
    if (joinedCode !== undefined) expressions.push(this.#toWordExpression([joinedCode]))
    if (orPhrase !== undefined) expressions.push(this.#toPhraseExpression(orPhrase))
    return `(${expressions.join(' OR ')})`
  }

  /** The stems of the most frequent words that start with the prefix. */
  #findStems(prefix: string): string[] {
    const first = toToken('', prefix)
    const words = this.#file.all<[string]>(
      `SELECT word FROM word WHERE word BETWEEN ? AND ? ORDER BY records DESC LIMIT ${prefixWordsMax}`,
      first,
      `${first}\u{10ffff}`,
    )
    const forms = words.map(([word]) => fromToken(word))
    // The stem of a code has no leading zeros: `ue5` for `UE-05`.
    const stems = [...forms, ...forms.map((form) => form.replaceAll(/(?<!\d)0+(?=\d)/g, ''))].map(
      (form) => wordOf(form).stem,
    )
    return [...new Set(stems)]
  }
}

function isOnePage({ first, end }: PageRange): boolean {
  return end - first <= 1
}

/** Every combination of `count` of the items, in their order. */
function combine<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]]
  return items.flatMap((item, index) => combine(items.slice(index + 1), count - 1).map((others) => [item, ...others]))
}
