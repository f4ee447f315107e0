// Query planner: reads the term entries that a search needs, in one round trip if possible, and combines their posting
// lists into iterators. The snapshot asks for a plan; collector.ts runs its iterators.
import type { Clause, PhraseClause, Term, WordClause } from '../analysis/term.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { AllRecords, Difference, Intersection, Union } from './iterators.ts'
import { PhraseIterator } from './phrase-iterator.ts'
import type { PostingIterator } from './posting-iterator.ts'
import { type PostingSource, type TermEntry, type TermKind, termKinds } from './posting-list.ts'
import { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'

/** Each filter is a list of term keys. A record must have at least one key of every filter. */
export type FilterKeys = readonly (readonly string[])[]

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
 * A planned search. Its matches are `all`, or in the order of results `neighbours`, `otherTitles` and `rest`. Each
 * creates an iterator, or returns null if nothing can match.
 */
export class SearchPlan {
  readonly #term: Term | undefined
  readonly #filters: FilterKeys
  /** An array, because it has a few elements and a map would be slower. */
  readonly #entries: readonly TermEntry[]
  readonly #context: SearchContext
  /** For prefixes without a stored union: the entries of all words with the prefix, by kind letter and prefix. */
  #expandedPrefixes: Map<string, readonly TermEntry[]> | undefined

  constructor(term: Term | undefined, filters: FilterKeys, entries: readonly TermEntry[], context: SearchContext) {
    this.#term = term
    this.#filters = filters
    this.#entries = entries
    this.#context = context
  }

  /** All matches. */
  all(): PostingIterator | null {
    return this.#intersect(wholeRecord, this.#filtered())
  }

  /** The matches whose title contains the words of the term side by side. Null without a term, or for one word. */
  neighbours(): PostingIterator | null {
    const sideBySide = this.#findSideBySide()
    return sideBySide.length === 0 ? null : this.#intersect(title, this.#filtered(), sideBySide)
  }

  /** The other matches whose title alone matches the term. Null without a term. */
  otherTitles(): PostingIterator | null {
    if (this.#term === undefined) return null
    const titles = this.#intersect(title, this.#filtered())
    const sideBySide = titles === null ? noIterators : this.#findSideBySide()
    if (titles === null || sideBySide.length === 0) return titles
    return new Difference(titles, this.#toIntersection(sideBySide), this.#context)
  }

  /** The matches whose title alone does not match the term. Without a term, all matches. */
  rest(): PostingIterator | null {
    if (this.#term === undefined) return this.#filtered()
    if (this.#isInTitlesOnly(this.#term)) return null
    const all = this.all()
    // `all` already applies the filters.
    const titles = all && this.#intersect(title, allRecords)
    return all && titles ? new Difference(all, titles, this.#context) : all
  }

  /** Reads the entries of all words with a prefix, for each prefix that has no stored union. Returns this plan. */
  expandPrefixes(source: PostingSource): MaybePromise<SearchPlan> {
    const reading: Promise<void>[] = []
    for (const clause of this.#clauses) {
      if (clause.kind !== 'prefix') continue
      for (const field of [title, wholeRecord]) {
        if (this.#findEntry(field.prefix + clause.prefix) !== undefined) continue
        const pendingRead = this.#expandPrefix(field.unstemmed + clause.prefix, source)
        if (pendingRead !== undefined) reading.push(pendingRead)
      }
    }
    return reading.length === 0 ? this : Promise.all(reading).then(() => this)
  }

  /** Returns undefined if the source has answered synchronously. */
  #expandPrefix(key: string, source: PostingSource): Promise<void> | undefined {
    const read = source.readEntriesOfPrefix(key)
    if (read instanceof Promise) return read.then((entries) => this.#addExpandedPrefix(key, entries))
    this.#addExpandedPrefix(key, read)
    return undefined
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
   * For each pair of words that must be side by side, the titles that have it. Empty for one word, or if no title has
   * one of the pairs.
   */
  #findSideBySide(): readonly PostingIterator[] {
    if (this.#term === undefined || this.#term.neighbours.length === 0) return noIterators
    const parts: PostingIterator[] = []
    for (const alternatives of this.#term.neighbours) {
      const lists: PostingIterator[] = []
      for (const stem of alternatives) {
        const entry = this.#findEntry(termKinds.neighbours + stem)
        if (entry !== undefined) lists.push(new PostingListIterator(entry, this.#context))
      }
      const part = toUnion(lists)
      if (part === null) return noIterators
      parts.push(part)
    }
    return parts
  }

  /** True if it is certain that every clause matches in titles only, so that `rest` is empty. */
  #isInTitlesOnly({ clauses }: Term): boolean {
    for (const clause of clauses) if (this.#mayBeOutsideTitles(clause)) return false
    return true
  }

  /** False is certain, true is not. If no record has content, there are no posting lists of whole records: false. */
  #mayBeOutsideTitles(clause: Clause): boolean {
    switch (clause.kind) {
      case 'word':
        if (this.#isOutsideTitles(clause.stem)) return true
        return clause.orStems?.some((stem) => this.#isOutsideTitles(stem)) ?? false
      case 'phrase':
        for (const stem of clause.stems) if (this.#findEntry(wholeRecord.stem + stem) !== undefined) return true
        return clause.joinedCode !== undefined && this.#findEntry(wholeRecord.stem + clause.joinedCode) !== undefined
      case 'prefix':
        if (this.#findPrefixEntries(clause.prefix, wholeRecord).length > 0) return true
        return clause.orPhrase !== undefined && this.#mayBeOutsideTitles(clause.orPhrase)
    }
  }

  /** Whether more records contain the stem than titles. */
  #isOutsideTitles(stem: string): boolean {
    const entry = this.#findEntry(wholeRecord.stem + stem)
    return entry !== undefined && entry.records !== this.#findEntry(title.stem + stem)?.records
  }

  /** The records that match every filter, or `allRecords` without filters. Null if there are none. */
  #filtered(): PostingIterator | null {
    if (this.#filters.length === 0) return allRecords
    const parts: PostingIterator[] = []
    for (const keys of this.#filters) {
      const entries = keys.map((key) => this.#findEntry(key)).filter((entry) => entry !== undefined)
      const part = toUnion(entries.map((entry) => new PostingListIterator(entry, this.#context)))
      if (part === null) return null
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] ?? null) : new Intersection(parts, this.#context)
  }

  /** The records that match all clauses in the field, and `others`. A term without clauses matches nothing. */
  #intersect(
    field: Field,
    filtered: PostingIterator | null,
    others: readonly PostingIterator[] = noIterators,
  ): PostingIterator | null {
    const clauses = this.#clauses
    if (filtered === null) return null
    if (clauses.length === 0) return this.#term === undefined ? filtered : null
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

  #toIterator(clause: Clause, field: Field): PostingIterator | null {
    switch (clause.kind) {
      case 'word':
        return this.#toWordIterator(clause, field)
      case 'phrase':
        return this.#toPhraseIterator(clause, field)
      case 'prefix': {
        const inField = this.#findPrefixEntries(clause.prefix, field)
        const entries = inField.length > 0 ? inField : this.#findPrefixEntries(clause.prefix, title)
        const words: PostingIterator[] = entries.map((entry) => new PostingListIterator(entry, this.#context))
        const phrase = clause.orPhrase === undefined ? null : this.#toPhraseIterator(clause.orPhrase, field)
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

  /** A word without a posting list of whole records occurs in titles only, if at all. The same holds for a prefix. */
  #findPostingList(stem: string, field: Field): PostingListIterator | null {
    const entry = this.#findEntry(field.stem + stem) ?? this.#findEntry(title.stem + stem)
    return entry === undefined ? null : new PostingListIterator(entry, this.#context)
  }

  /** The stored union of the prefix or, if there is none, the entries of all its words. */
  #findPrefixEntries(prefix: string, field: Field): readonly TermEntry[] {
    const union = this.#findEntry(field.prefix + prefix)
    return union === undefined ? (this.#expandedPrefixes?.get(field.unstemmed + prefix) ?? noEntries) : [union]
  }

  #toPhraseIterator({ stems, joinedCode }: PhraseClause, field: Field): PostingIterator | null {
    const joinedList = joinedCode === undefined ? null : this.#findPostingList(joinedCode, field)
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

/** The kinds of term that a search in the titles, or in whole records, reads. */
interface Field {
  readonly stem: TermKind
  /** Words as written. */
  readonly unstemmed: TermKind
  /** Stored unions of the words with a prefix. */
  readonly prefix: TermKind
}

const wholeRecord: Field = { stem: termKinds.stem, unstemmed: termKinds.form, prefix: termKinds.prefix }
const title: Field = { stem: termKinds.titleStem, unstemmed: termKinds.titleForm, prefix: termKinds.titlePrefix }

/** The keys of all term entries that the clauses may need. */
function toKeys(term: Term | undefined): string[] {
  const keys: string[] = []
  if (term === undefined) return keys
  for (const clause of term.clauses) addKeys(clause, keys)
  for (const alternatives of term.neighbours) for (const stem of alternatives) addKey(termKinds.neighbours + stem, keys)
  return keys
}

function addKeys(clause: Clause, keys: string[]): void {
  switch (clause.kind) {
    case 'word':
      addStem(clause.stem, keys)
      if (clause.orStems !== undefined) for (const stem of clause.orStems) addStem(stem, keys)
      break
    case 'phrase':
      for (const stem of clause.stems) addStem(stem, keys)
      if (clause.joinedCode !== undefined) addStem(clause.joinedCode, keys)
      break
    case 'prefix':
      addKey(wholeRecord.prefix + clause.prefix, keys)
      addKey(title.prefix + clause.prefix, keys)
      if (clause.orPhrase !== undefined) addKeys(clause.orPhrase, keys)
  }
}

function addStem(stem: string, keys: string[]): void {
  addKey(wholeRecord.stem + stem, keys)
  addKey(title.stem + stem, keys)
}

function addKey(key: string, keys: string[]): void {
  if (!keys.includes(key)) keys.push(key)
}

/** Returns null for no parts. */
function toUnion(parts: readonly PostingIterator[]): PostingIterator | null {
  return parts.length > 1 ? new Union(parts) : (parts[0] ?? null)
}
