// Query planner: reads the term entries that a search needs, in one round trip if possible, and combines their posting
// lists into iterators. A term entry says where the posting list of one key of the index is: of a word, of a prefix or
// of a filter. snapshot/stored-snapshot.ts asks for a plan; collector.ts runs its iterators.
import type { Clause, PhraseClause, Term, WordClause } from '../analysis/term.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { AllRecords, Difference, Intersection, Union } from './iterators.ts'
import { PhraseIterator } from './phrase-iterator.ts'
import type { PostingIterator } from './posting-iterator.ts'
import { type PostingSource, type TermEntry, termKinds } from './posting-list.ts'
import { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'
import { type SearchField, titleField, toKeys, wholeRecordField } from './search-keys.ts'

/**
 * The filters of a search. Each is a list of keys of the index, such as the keys of the municipalities asked for. A
 * record matches if it is in the posting list of at least one key of every filter.
 */
export type FilterKeys = readonly (readonly string[])[]

/** Reads the term entries of a search and returns its plan. Without a term, the filters alone decide. */
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
 * A planned search. `all` returns its matches. `neighbours`, `otherTitles` and `rest` return the same matches in three
 * parts (tiers), which follow each other in the result. Each call returns an iterator that starts at the first record,
 * or null if nothing can match.
 */
export class SearchPlan {
  readonly #term: Term | undefined
  readonly #filters: FilterKeys
  /** The term entries that exist. An array, because it has a few elements and a map would be slower. */
  readonly #entries: readonly TermEntry[]
  readonly #context: SearchContext
  /**
   * The entries of the words with a prefix, for each prefix without a stored union. A union is one posting list for all
   * words with the prefix; only prefixes of many words have one (prefix-unions.ts). The key of the map is the letter of
   * the kind and the prefix: `fpla` for words anywhere in a record, `gpla` for words of titles.
   */
  #expandedPrefixes: Map<string, readonly TermEntry[]> | undefined

  constructor(term: Term | undefined, filters: FilterKeys, entries: readonly TermEntry[], context: SearchContext) {
    this.#term = term
    this.#filters = filters
    this.#entries = entries
    this.#context = context
  }

  /** All matches. */
  all(): PostingIterator | null {
    return this.#intersect(wholeRecordField, this.#toFilterIterators())
  }

  /**
   * The matches whose title matches the term and has its words side by side: for `plan parcial norte` the pairs `plan
   * parcial` and `parcial norte`. Null also if there is no term or the term has no pairs.
   */
  neighbours(): PostingIterator | null {
    const pairs = this.#toPairIterators()
    return pairs.length === 0 ? null : this.#intersect(titleField, this.#toFilterIterators(), pairs)
  }

  /** The matches whose title matches the term, except the matches of `neighbours`. Null also without a term. */
  otherTitles(): PostingIterator | null {
    if (this.#term === undefined) return null
    const titles = this.#intersect(titleField, this.#toFilterIterators())
    if (titles === null) return null
    const pairs = this.#toPairIterators()
    if (pairs.length === 0) return titles
    return new Difference(titles, this.#toIntersection(pairs), this.#context)
  }

  /** The matches whose title alone does not match the term. Without a term, all matches. */
  rest(): PostingIterator | null {
    if (this.#term === undefined) return this.all()
    if (this.#isInTitlesOnly(this.#term)) return null
    const all = this.all()
    if (all === null) return null
    // The titles need no filters, because `all` already applies them.
    const titles = this.#intersect(titleField, noIterators)
    return titles === null ? all : new Difference(all, titles, this.#context)
  }

  /**
   * Reads the entries of the words with a prefix, for each prefix of the term that has no stored union. Returns this
   * plan, or a promise of it if the source is asynchronous. To be called before an iterator is created.
   */
  expandPrefixes(source: PostingSource): MaybePromise<SearchPlan> {
    const pendingReads: Promise<void>[] = []
    for (const clause of this.#clauses) {
      if (clause.kind !== 'prefix') continue
      for (const field of [titleField, wholeRecordField]) {
        if (this.#findEntry(field.prefixUnion + clause.prefix) !== undefined) continue
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

  /** The entry of the key, or undefined if no record has it. */
  #findEntry(key: string): TermEntry | undefined {
    for (const entry of this.#entries) if (entry.key === key) return entry
    return undefined
  }

  /**
   * An iterator for each pair of words of the term, over the titles that have these words side by side. A title may
   * have one of several alternatives instead of the pair (`Term.neighbours`). Empty if `neighbours` has no matches:
   * the term has no pairs (a single word has none), or some pair is in no title.
   */
  #toPairIterators(): readonly PostingIterator[] {
    if (this.#term === undefined || this.#term.neighbours.length === 0) return noIterators
    const iterators: PostingIterator[] = []
    for (const alternatives of this.#term.neighbours) {
      const lists: PostingIterator[] = []
      for (const pair of alternatives) {
        const entry = this.#findEntry(termKinds.neighbours + pair)
        if (entry !== undefined) lists.push(new PostingListIterator(entry, this.#context))
      }
      const iterator = toUnion(lists)
      if (iterator === null) return noIterators
      iterators.push(iterator)
    }
    return iterators
  }

  /**
   * True if it is certain that no clause needs more than the title: whenever a record matches a clause, its title alone
   * does. Then the titles of all matches match the whole term, and `rest` has no matches.
   */
  #isInTitlesOnly({ clauses }: Term): boolean {
    for (const clause of clauses) if (this.#mayBeOutsideTitles(clause)) return false
    return true
  }

  /**
   * Whether a record may match the clause although its title alone does not. A needless true only costs time: `rest`
   * then searches and finds nothing. If no record has content, the index has no posting lists of whole records, so the
   * result is false.
   */
  #mayBeOutsideTitles(clause: Clause): boolean {
    switch (clause.kind) {
      case 'word':
        if (this.#isOutsideTitles(clause.stem)) return true
        // For example `cruce` for the term `cruces`, whose stem is `cruz`: it is the plural of both words.
        return clause.orStems?.some((stem) => this.#isOutsideTitles(stem)) ?? false
      case 'phrase':
        // Comparing the counts of each word, as above, is not enough: all words of the phrase may be in the title, and
        // side by side only in the content. So the result is true if any of its words exists.
        if (clause.stems.some((stem) => this.#hasWholeRecordList(stem))) return true
        if (clause.joinedCode !== undefined && this.#hasWholeRecordList(clause.joinedCode)) return true
        // For example the phrase of `ed`, `16` and `202` for the term `"ED 16.202"`.
        return clause.orPhrase !== undefined && this.#mayBeOutsideTitles(clause.orPhrase)
      case 'prefix':
        // It is enough that a word starts with the prefix.
        if (this.#findPrefixEntries(clause.prefix, wholeRecordField).length > 0) return true
        // For example the phrase of `uzp` and `1` for the term `UZP-1*`, whose prefix is `uzp1`.
        return clause.orPhrase !== undefined && this.#mayBeOutsideTitles(clause.orPhrase)
    }
  }

  /** Whether the stem has a posting list of whole records. */
  #hasWholeRecordList(stem: string): boolean {
    return this.#findEntry(wholeRecordField.stem + stem) !== undefined
  }

  /** Whether some record has the stem only outside its title. Then more records than titles have the stem. */
  #isOutsideTitles(stem: string): boolean {
    const entry = this.#findEntry(wholeRecordField.stem + stem)
    return entry !== undefined && entry.recordCount !== this.#findEntry(titleField.stem + stem)?.recordCount
  }

  /** An iterator for each filter, over the records that match it. Null if a filter matches no record. */
  #toFilterIterators(): readonly PostingIterator[] | null {
    const iterators: PostingIterator[] = []
    for (const keys of this.#filters) {
      // A filter matches the records of any of its keys.
      const entries = keys.map((key) => this.#findEntry(key)).filter((entry) => entry !== undefined)
      const iterator = toUnion(entries.map((entry) => new PostingListIterator(entry, this.#context)))
      if (iterator === null) return null
      iterators.push(iterator)
    }
    return iterators
  }

  /**
   * The records that all of `filters` and `pairs` match, and that match all clauses of the term, if there is a term, in
   * the field. Null if no record can match.
   */
  #intersect(
    field: SearchField,
    filters: readonly PostingIterator[] | null,
    pairs: readonly PostingIterator[] = noIterators,
  ): PostingIterator | null {
    if (filters === null) return null
    // A term without clauses, such as `—`, matches no record.
    if (this.#term?.clauses.length === 0) return null
    const parts: PostingIterator[] = [...pairs, ...filters]
    for (const clause of this.#clauses) {
      const part = this.#toIterator(clause, field)
      if (part === null) return null
      parts.push(part)
    }
    return parts.length === 0 ? allRecords : this.#toIntersection(parts)
  }

  /** `parts` has at least one element. */
  #toIntersection(parts: readonly PostingIterator[]): PostingIterator {
    return parts.length === 1 ? (parts[0] as PostingIterator) : new Intersection(parts, this.#context)
  }

  /** The records that match the clause in the field. Null if none can match, here and in the methods below. */
  #toIterator(clause: Clause, field: SearchField): PostingIterator | null {
    switch (clause.kind) {
      case 'word':
        return this.#toWordIterator(clause, field)
      case 'phrase':
        return this.#toPhraseUnion(clause, field)
      case 'prefix': {
        const inField = this.#findPrefixEntries(clause.prefix, field)
        // If the index has no posting lists of whole records, the lists of titles are used, as in `#findPostingList`.
        const entries = inField.length > 0 ? inField : this.#findPrefixEntries(clause.prefix, titleField)
        const words: PostingIterator[] = entries.map((entry) => new PostingListIterator(entry, this.#context))
        const phrase = clause.orPhrase === undefined ? null : this.#toPhraseUnion(clause.orPhrase, field)
        return toUnion(phrase === null ? words : [...words, phrase])
      }
    }
  }

  #toWordIterator({ stem, orStems }: WordClause, field: SearchField): PostingIterator | null {
    const list = this.#findPostingList(stem, field)
    if (orStems === undefined) return list
    const lists = [list, ...orStems.map((orStem) => this.#findPostingList(orStem, field))]
    return toUnion(lists.filter((each) => each !== null))
  }

  /**
   * The posting list of the stem in the field. If no record has content, the index has no posting lists of whole
   * records, and the list of titles is used instead, which would be the same. Null if no record has the stem.
   */
  #findPostingList(stem: string, field: SearchField): PostingListIterator | null {
    const entry = this.#findEntry(field.stem + stem) ?? this.#findEntry(titleField.stem + stem)
    return entry === undefined ? null : new PostingListIterator(entry, this.#context)
  }

  /** The entry of the stored union of the prefix or, if there is none, the entries of the words with the prefix. */
  #findPrefixEntries(prefix: string, field: SearchField): readonly TermEntry[] {
    const union = this.#findEntry(field.prefixUnion + prefix)
    if (union !== undefined) return [union]
    return this.#expandedPrefixes?.get(field.form + prefix) ?? noEntries
  }

  /** The records that match the phrase, its `joinedCode`, or `orPhrase`, which may have an `orPhrase` itself. */
  #toPhraseUnion(clause: PhraseClause, field: SearchField): PostingIterator | null {
    const phrase = this.#toPhraseIterator(clause, field)
    if (clause.orPhrase === undefined) return phrase
    const alternative = this.#toPhraseUnion(clause.orPhrase, field)
    return toUnion([phrase, alternative].filter((each) => each !== null))
  }

  /** The records that match the phrase or `joinedCode`: `ue1` for the phrase `ue 1`. `orPhrase` is left out. */
  #toPhraseIterator({ stems, joinedCode }: PhraseClause, field: SearchField): PostingIterator | null {
    const joinedList = joinedCode === undefined ? null : this.#findPostingList(joinedCode, field)
    /** The posting list of each stem. */
    const lists: PostingListIterator[] = []
    for (const stem of stems) {
      // A repeated stem uses the list of its first occurrence: otherwise `a-a-a-…` would fetch the same chunks hundreds
      // of times.
      const list = lists[stems.indexOf(stem)] ?? this.#findPostingList(stem, field)
      if (list === null) return joinedList
      lists.push(list)
    }
    const phrase = new PhraseIterator(lists, this.#context)
    return joinedList === null ? phrase : new Union([phrase, joinedList])
  }
}

const noClauses: readonly Clause[] = []
const noEntries: readonly TermEntry[] = []
const noIterators: readonly PostingIterator[] = []
const allRecords: PostingIterator = new AllRecords()

/** The union of the parts, or the only part, or null if there are none. */
function toUnion(parts: readonly PostingIterator[]): PostingIterator | null {
  return parts.length > 1 ? new Union(parts) : (parts[0] ?? null)
}
