// Query planner: reads the term entries that a search needs, in one round trip if possible, and combines their posting
// lists into iterators. The snapshot asks for a plan; collector.ts runs its iterators.
import type { Clause, PhraseClause, Term, WordClause } from '../analysis/term.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { AllRecords, Difference, Intersection, Union } from './iterators.ts'
import { PhraseIterator } from './phrase-iterator.ts'
import type { PostingIterator } from './posting-iterator.ts'
import { type PostingSource, type TermEntry, termKinds } from './posting-list.ts'
import { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'
import { type Field, titleField, toKeys, wholeRecordField } from './search-keys.ts'

/**
 * Each filter is a list of keys of the index, such as those of the municipalities asked for. A record must have at
 * least one key of every filter.
 */
export type FilterKeys = readonly (readonly string[])[]

/** Without a term, the plan matches every record that the filters match. */
export function planSearch(
  term: Term | undefined,
  filters: FilterKeys,
  source: PostingSource,
  context: SearchContext,
): MaybePromise<SearchPlan> {
  const keys = toKeys(term)
  for (const filter of filters) keys.push(...filter)
  return mapMaybe(source.readEntries(keys), (entries) =>
    new SearchPlan(term, filters, entries, context).expandPrefixes(source),
  )
}

/**
 * A planned search. `all` are its matches. `neighbours`, `otherTitles` and `rest` are the same matches in three tiers,
 * in the order of results. Each method creates an iterator, or returns null if nothing can match.
 */
export class SearchPlan {
  readonly #term: Term | undefined
  readonly #filters: FilterKeys
  /** The term entries that exist. An array, because it has a few elements and a map would be slower. */
  readonly #entries: readonly TermEntry[]
  readonly #context: SearchContext
  /** For prefixes without a stored union: the entries of all words with the prefix. By `Field.form` and prefix. */
  #expandedPrefixes: Map<string, readonly TermEntry[]> | undefined

  constructor(term: Term | undefined, filters: FilterKeys, entries: readonly TermEntry[], context: SearchContext) {
    this.#term = term
    this.#filters = filters
    this.#entries = entries
    this.#context = context
  }

  /** All matches. */
  all(): PostingIterator | null {
    return this.#intersect(wholeRecordField, this.#filtered())
  }

  /** The matches whose title contains the words of the term side by side. Null without a term, or for one word. */
  neighbours(): PostingIterator | null {
    const sideBySide = this.#findSideBySide()
    return sideBySide.length === 0 ? null : this.#intersect(titleField, this.#filtered(), sideBySide)
  }

  /** The other matches whose title alone matches the term. Null without a term. */
  otherTitles(): PostingIterator | null {
    if (this.#term === undefined) return null
    const titles = this.#intersect(titleField, this.#filtered())
    const sideBySide = titles === null ? noIterators : this.#findSideBySide()
    if (titles === null || sideBySide.length === 0) return titles
    return new Difference(titles, this.#toIntersection(sideBySide), this.#context)
  }

  /** The matches whose title alone does not match the term. Without a term, all matches. */
  rest(): PostingIterator | null {
    if (this.#term === undefined) return this.#filtered()
    if (this.#isInTitlesOnly(this.#term)) return null
    const all = this.all()
    // The titles need no filters, because `all` already applies them.
    const titles = all && this.#intersect(titleField, allRecords)
    return all && titles ? new Difference(all, titles, this.#context) : all
  }

  /** Reads the entries of all words with a prefix, for each prefix that has no stored union. Returns this plan. */
  expandPrefixes(source: PostingSource): MaybePromise<SearchPlan> {
    const pendingReads: Promise<void>[] = []
    for (const clause of this.#clauses) {
      if (clause.kind !== 'prefix') continue
      for (const field of [titleField, wholeRecordField]) {
        if (this.#findEntry(field.prefix + clause.prefix) !== undefined) continue
        const key = field.form + clause.prefix
        const expanded = mapMaybe(source.readEntriesOfPrefix(key), (entries) => this.#addExpandedPrefix(key, entries))
        if (expanded instanceof Promise) pendingReads.push(expanded)
      }
    }
    return pendingReads.length === 0 ? this : Promise.all(pendingReads).then(() => this)
  }

  #addExpandedPrefix(key: string, entries: readonly TermEntry[]): void {
    this.#expandedPrefixes ??= new Map()
    this.#expandedPrefixes.set(key, entries)
  }

  get #clauses(): readonly Clause[] {
    return this.#term === undefined ? noClauses : this.#term.clauses
  }

  #findEntry(key: string): TermEntry | undefined {
    for (const entry of this.#entries) if (entry.key === key) return entry
    return undefined
  }

  /**
   * For each pair of words that must be side by side, an iterator over the titles that have it. Empty if the term has
   * no pairs (one word), or if a pair is in no title, so that no title can match.
   */
  #findSideBySide(): readonly PostingIterator[] {
    if (this.#term === undefined || this.#term.neighbours.length === 0) return noIterators
    const pairs: PostingIterator[] = []
    for (const alternatives of this.#term.neighbours) {
      const lists: PostingIterator[] = []
      for (const stem of alternatives) {
        const entry = this.#findEntry(termKinds.neighbours + stem)
        if (entry !== undefined) lists.push(new PostingListIterator(entry, this.#context))
      }
      const pair = toUnion(lists)
      if (pair === null) return noIterators
      pairs.push(pair)
    }
    return pairs
  }

  /** True if it is certain that every clause matches in titles only, so that `rest` is empty. */
  #isInTitlesOnly({ clauses }: Term): boolean {
    for (const clause of clauses) if (this.#mayBeOutsideTitles(clause)) return false
    return true
  }

  /**
   * False if the clause certainly matches in titles only. If no record has content, the index has no posting lists of
   * whole records, and the result is false. A phrase is not certain, because only word positions tell where it is.
   */
  #mayBeOutsideTitles(clause: Clause): boolean {
    switch (clause.kind) {
      case 'word':
        if (this.#isOutsideTitles(clause.stem)) return true
        return clause.orStems?.some((stem) => this.#isOutsideTitles(stem)) ?? false
      case 'phrase':
        for (const stem of clause.stems) if (this.#findEntry(wholeRecordField.stem + stem) !== undefined) return true
        if (clause.joinedCode !== undefined && this.#findEntry(wholeRecordField.stem + clause.joinedCode) !== undefined) {
          return true
        }
        return clause.orPhrase !== undefined && this.#mayBeOutsideTitles(clause.orPhrase)
      case 'prefix':
        if (this.#findPrefixEntries(clause.prefix, wholeRecordField).length > 0) return true
        return clause.orPhrase !== undefined && this.#mayBeOutsideTitles(clause.orPhrase)
    }
  }

  /** Whether some record has the stem but its title has not: more records than titles contain it. */
  #isOutsideTitles(stem: string): boolean {
    const entry = this.#findEntry(wholeRecordField.stem + stem)
    return entry !== undefined && entry.recordCount !== this.#findEntry(titleField.stem + stem)?.recordCount
  }

  /** The records that match every filter, or `allRecords` without filters. Null if no record can match. */
  #filtered(): PostingIterator | null {
    if (this.#filters.length === 0) return allRecords
    const parts: PostingIterator[] = []
    for (const keys of this.#filters) {
      const entries = keys.map((key) => this.#findEntry(key)).filter((entry) => entry !== undefined)
      const part = toUnion(entries.map((entry) => new PostingListIterator(entry, this.#context)))
      if (part === null) return null
      parts.push(part)
    }
    return this.#toIntersection(parts)
  }

  /**
   * The records of `filtered` that match all clauses in the field, and are in each of `others`. Without a term, all of
   * `filtered`; for a term without clauses, null.
   */
  #intersect(
    field: Field,
    filtered: PostingIterator | null,
    others: readonly PostingIterator[] = noIterators,
  ): PostingIterator | null {
    if (filtered === null) return null
    if (this.#term === undefined) return filtered
    const { clauses } = this.#term
    if (clauses.length === 0) return null
    const parts: PostingIterator[] = filtered === allRecords ? [...others] : [...others, filtered]
    for (const clause of clauses) {
      const part = this.#toIterator(clause, field)
      if (part === null) return null
      parts.push(part)
    }
    return this.#toIntersection(parts)
  }

  /** `parts` has at least one element. */
  #toIntersection(parts: readonly PostingIterator[]): PostingIterator {
    return parts.length === 1 ? (parts[0] as PostingIterator) : new Intersection(parts, this.#context)
  }

  /** The records that match the clause in the field. Null if none can match, as in the methods below. */
  #toIterator(clause: Clause, field: Field): PostingIterator | null {
    switch (clause.kind) {
      case 'word':
        return this.#toWordIterator(clause, field)
      case 'phrase':
        return this.#toPhraseUnion(clause, field)
      case 'prefix': {
        const inField = this.#findPrefixEntries(clause.prefix, field)
        // As in `#findPostingList`, words without posting lists of whole records may occur in titles.
        const entries = inField.length > 0 ? inField : this.#findPrefixEntries(clause.prefix, titleField)
        const words: PostingIterator[] = entries.map((entry) => new PostingListIterator(entry, this.#context))
        const phrase = clause.orPhrase === undefined ? null : this.#toPhraseUnion(clause.orPhrase, field)
        return toUnion(phrase === null ? words : [...words, phrase])
      }
    }
  }

  #toWordIterator({ stem, orStems }: WordClause, field: Field): PostingIterator | null {
    const list = this.#findPostingList(stem, field)
    if (orStems === undefined) return list
    const lists = [list, ...orStems.map((other) => this.#findPostingList(other, field))]
    return toUnion(lists.filter((each) => each !== null))
  }

  /**
   * The posting list of the stem in the field, or null. If no record has content, there are no posting lists of whole
   * records, and those of titles are used, which would be the same.
   */
  #findPostingList(stem: string, field: Field): PostingListIterator | null {
    const entry = this.#findEntry(field.stem + stem) ?? this.#findEntry(titleField.stem + stem)
    return entry === undefined ? null : new PostingListIterator(entry, this.#context)
  }

  /** The stored union of the prefix or, if there is none, the entries of all its words. */
  #findPrefixEntries(prefix: string, field: Field): readonly TermEntry[] {
    const union = this.#findEntry(field.prefix + prefix)
    return union === undefined ? (this.#expandedPrefixes?.get(field.form + prefix) ?? noEntries) : [union]
  }

  #toPhraseUnion(clause: PhraseClause, field: Field): PostingIterator | null {
    const phrase = this.#toPhraseIterator(clause, field)
    if (clause.orPhrase === undefined) return phrase
    return toUnion([phrase, this.#toPhraseUnion(clause.orPhrase, field)].filter((each) => each !== null))
  }

  /** The phrase or its joined form, without `orPhrase`. */
  #toPhraseIterator({ stems, joinedCode }: PhraseClause, field: Field): PostingIterator | null {
    const joinedList = joinedCode === undefined ? null : this.#findPostingList(joinedCode, field)
    /** By index of the stem in the phrase. */
    const lists: PostingListIterator[] = []
    for (const [index, stem] of stems.entries()) {
      // A stem that is repeated has one list: `a-a-a-…` would read its word positions hundreds of times.
      const list = lists[stems.indexOf(stem)] ?? this.#findPostingList(stem, field)
      if (list === null) return joinedList
      lists[index] = list
    }
    const phrase = new PhraseIterator(lists, this.#context)
    return joinedList === null ? phrase : new Union([phrase, joinedList])
  }
}

const noClauses: readonly Clause[] = []
const noEntries: readonly TermEntry[] = []
const noIterators: readonly PostingIterator[] = []
const allRecords: PostingIterator = new AllRecords()

/** Returns null for no parts. */
function toUnion(parts: readonly PostingIterator[]): PostingIterator | null {
  return parts.length > 1 ? new Union(parts) : (parts[0] ?? null)
}
