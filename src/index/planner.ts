// From the clauses of a term to matchers: finds the lists that a search reads, in one trip, and joins them.

import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { AllOf, AnyOf, Everything, type Matcher, type Turn, Without } from './iterators.ts'
import { ListMatcher, Phrase } from './posting-list-iterator.ts'
import { type ListHead, type ListSource, listKinds } from './posting-list.ts'

/**
 * Finds the lists of a term, and of the municipalities where the search is for some, before the search begins. At once
 * where the source reads at once.
 */
export function planSearch(
  term: Term | undefined,
  municipalities: readonly number[] | undefined,
  source: ListSource,
  turn: Turn,
): MaybePromise<Plan> {
  const placeKeys = municipalities?.map((number) => listKinds.municipality + number)
  const keys = keysOf(term)
  if (placeKeys !== undefined) keys.push(...placeKeys)
  return mapMaybe(source.readHeads(keys), (heads) => new Plan(term, placeKeys, heads, turn).readUnions(source))
}

/** A search made ready: `all`, `titles` and `rest` each give a matcher for a walk, or null where nothing can match. */
export class Plan {
  readonly #term: Term | undefined
  /** The keys of the lists of the municipalities that are meant. */
  readonly #placeKeys: readonly string[] | undefined
  /** A handful: looking through them takes less than a map would. */
  readonly #heads: readonly ListHead[]
  readonly #turn: Turn
  /** For prefixes without a list of their own: the lists of all words that begin so, by the key of that beginning. */
  #unions: Map<string, readonly ListHead[]> | undefined

  constructor(
    term: Term | undefined,
    placeKeys: readonly string[] | undefined,
    heads: readonly ListHead[],
    turn: Turn,
  ) {
    this.#term = term
    this.#placeKeys = placeKeys
    this.#heads = heads
    this.#turn = turn
  }

  /** Every match. */
  all(): Matcher | null {
    return this.#join(wholeRecord, this.#inMunicipality())
  }

  /** With a term: the matches whose title alone holds it. */
  titles(): Matcher | null {
    return this.#term === undefined ? null : this.#join(title, this.#inMunicipality())
  }

  /** The others. */
  rest(): Matcher | null {
    if (this.#term === undefined) return this.#inMunicipality()
    if (this.#standsInTitlesAlone(this.#term)) return null
    const all = this.all()
    // Only asked about records of the municipality.
    const unwanted = all && this.#join(title, everywhere)
    return all && unwanted ? new Without(all, unwanted, this.#turn) : all
  }

  /** Reads the lists of the words that a prefix stands for, where it has no list of its own. */
  readUnions(source: ListSource): MaybePromise<Plan> {
    const reading: Promise<void>[] = []
    for (const clause of this.#clauses) {
      if (clause.kind !== 'prefix') continue
      for (const fields of bothFields) {
        if (this.#find(fields.prefix + clause.prefix) !== undefined) continue
        const read = this.#readUnion(fields.form + clause.prefix, source)
        if (read !== undefined) reading.push(read)
      }
    }
    return reading.length === 0 ? this : Promise.all(reading).then(() => this)
  }

  #readUnion(beginning: string, source: ListSource): Promise<void> | undefined {
    const read = source.readHeadsBeginning(beginning)
    if (read instanceof Promise) return read.then((heads) => this.#takeUnion(beginning, heads))
    this.#takeUnion(beginning, read)
    return undefined
  }

  #takeUnion(beginning: string, heads: readonly ListHead[]): void {
    this.#unions ??= new Map()
    this.#unions.set(beginning, heads)
  }

  get #clauses(): readonly Clause[] {
    return this.#term === undefined ? noClauses : this.#term.clauses
  }

  #find(key: string): ListHead | undefined {
    for (const head of this.#heads) if (head.key === key) return head
    return undefined
  }

  /** Whether every record that holds a word of the term has it in its title: then no match is left for the rest. */
  #standsInTitlesAlone({ clauses }: Term): boolean {
    for (const clause of clauses) if (this.#standsElsewhere(clause)) return false
    return true
  }

  /** It may; and certainly not where no record has a text, and so no word a list of whole records. */
  #standsElsewhere(clause: Clause): boolean {
    switch (clause.kind) {
      case 'word': {
        const whole = this.#find(wholeRecord.stem + clause.stem)
        return whole !== undefined && whole.records !== this.#find(title.stem + clause.stem)?.records
      }
      case 'phrase':
        for (const stem of clause.stems) if (this.#find(wholeRecord.stem + stem) !== undefined) return true
        return clause.joined !== undefined && this.#find(wholeRecord.stem + clause.joined) !== undefined
      case 'prefix':
        if (this.#beginningWith(clause.prefix, wholeRecord).length > 0) return true
        return clause.whole !== undefined && this.#standsElsewhere(clause.whole)
    }
  }

  #inMunicipality(): Matcher | null {
    if (this.#placeKeys === undefined) return everywhere
    const heads = this.#placeKeys.map((key) => this.#find(key)).filter((head) => head !== undefined)
    return anyOf(heads.map((head) => new ListMatcher(head, this.#turn)))
  }

  /** What every clause matches, in a place. */
  #join(fields: Fields, place: Matcher | null): Matcher | null {
    const clauses = this.#clauses
    if (place === null) return null
    if (clauses.length === 0) return this.#term === undefined ? place : null
    const parts: Matcher[] = place === everywhere ? [] : [place]
    for (const clause of clauses) {
      const part = this.#toMatcher(clause, fields)
      if (part === null) return null
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] ?? null) : new AllOf(parts, this.#turn)
  }

  #toMatcher(clause: Clause, fields: Fields): Matcher | null {
    switch (clause.kind) {
      case 'word':
        return this.#toList(clause.stem, fields)
      case 'phrase':
        return this.#toPhrase(clause, fields)
      case 'prefix': {
        const heads = this.#beginningWith(clause.prefix, fields)
        const lists: Matcher[] = (heads.length > 0 ? heads : this.#beginningWith(clause.prefix, title)).map(
          (head) => new ListMatcher(head, this.#turn),
        )
        const whole = clause.whole === undefined ? null : this.#toPhrase(clause.whole, fields)
        return anyOf(whole === null ? lists : [...lists, whole])
      }
    }
  }

  /** A stem without a list of whole records stands in titles alone, if anywhere. */
  #toList(stem: string, fields: Fields): ListMatcher | null {
    const head = this.#find(fields.stem + stem) ?? this.#find(title.stem + stem)
    return head === undefined ? null : new ListMatcher(head, this.#turn)
  }

  /** The lists of all words that begin so, or the one that unites them. */
  #beginningWith(prefix: string, fields: Fields): readonly ListHead[] {
    const union = this.#find(fields.prefix + prefix)
    return union === undefined ? (this.#unions?.get(fields.form + prefix) ?? noHeads) : [union]
  }

  #toPhrase({ stems, joined }: PhraseClause, fields: Fields): Matcher | null {
    const beside = joined === undefined ? null : this.#toList(joined, fields)
    const lists: ListMatcher[] = []
    for (const stem of stems) {
      const list = this.#toList(stem, fields)
      if (list === null) return beside
      lists.push(list)
    }
    const phrase = new Phrase(lists, this.#turn)
    return beside === null ? phrase : new AnyOf([phrase, beside])
  }
}

const noClauses: readonly Clause[] = []
const noHeads: readonly ListHead[] = []
const everywhere: Matcher = new Everything()

interface Fields {
  readonly stem: string
  readonly form: string
  readonly prefix: string
}

const wholeRecord: Fields = listKinds
const title: Fields = { stem: listKinds.titleStem, form: listKinds.titleForm, prefix: listKinds.titlePrefix }
const bothFields = [title, wholeRecord] as const

function keysOf(term: Term | undefined): string[] {
  const keys: string[] = []
  if (term !== undefined) for (const clause of term.clauses) addKeys(clause, keys)
  return keys
}

function addKeys(clause: Clause, keys: string[]): void {
  switch (clause.kind) {
    case 'word':
      addStem(clause.stem, keys)
      break
    case 'phrase':
      for (const stem of clause.stems) addStem(stem, keys)
      if (clause.joined !== undefined) addStem(clause.joined, keys)
      break
    case 'prefix':
      addKey(wholeRecord.prefix + clause.prefix, keys)
      addKey(title.prefix + clause.prefix, keys)
      if (clause.whole !== undefined) addKeys(clause.whole, keys)
  }
}

function addStem(stem: string, keys: string[]): void {
  addKey(wholeRecord.stem + stem, keys)
  addKey(title.stem + stem, keys)
}

function addKey(key: string, keys: string[]): void {
  if (!keys.includes(key)) keys.push(key)
}

/** Null matches nothing. */
function anyOf(parts: readonly Matcher[]): Matcher | null {
  return parts.length > 1 ? new AnyOf(parts) : (parts[0] ?? null)
}
