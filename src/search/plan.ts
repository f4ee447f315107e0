// From the clauses of a term to matchers: finds the lists that a search reads, in one trip, and joins them.
import { andThen, type Now } from '../now.ts'
import type { Clause, Term } from '../text/term.ts'
import { BitmapMatcher, type Bitmaps } from './bitmaps.ts'
import { ListMatcher, Phrase } from './list-matcher.ts'
import { type ListHead, type ListSource, listKinds } from './lists.ts'
import { AllOf, AnyOf, Everything, type Matcher, type Turn, Without } from './matcher.ts'

/** A search made ready: each gives a matcher for one walk, or null where nothing can match. */
export interface Plan {
  /** Every match. */
  readonly all: () => Matcher | null
  /** With a term: the matches whose title alone holds it. */
  readonly titles: () => Matcher | null
  /** The others. */
  readonly rest: () => Matcher | null
}

/**
 * The lists of a term, found before the search begins, which will be walked from the position `from` on; with `bitmaps`
 * where titles will be walked by themselves. At once where the source reads at once and has nothing to make first.
 */
export function planSearch(
  term: Term | undefined,
  municipalities: readonly number[] | undefined,
  source: ListSource,
  turn: Turn,
  from: number,
  bitmaps?: Bitmaps,
): Now<Plan> {
  const plan = (heads: readonly ListHead[]): Now<Plan> => {
    const lists: TermLists = { term, municipalities, heads, unions: noUnions, common: new Map() }
    const missing = term === undefined ? [] : wordsOfTitles(term, lists, bitmaps)
    const hasPrefix = term?.clauses.some(({ kind }) => kind === 'prefix') === true
    if (missing.length === 0 && !hasPrefix) return toPlan(lists, turn)
    const prepare = async (): Promise<Plan> => {
      for (const { clause, head } of missing) {
        if (bitmaps !== undefined) lists.common.set(clause, await bitmaps.read(head, source, turn))
      }
      return toPlan({ ...lists, unions: hasPrefix ? await readUnions(term, heads, source) : noUnions }, turn)
    }
    return prepare()
  }
  return andThen(source.readHeads(keysOf(term, municipalities), from), plan)
}

/** What a search has to read. */
interface TermLists {
  readonly term: Term | undefined
  readonly municipalities: readonly number[] | undefined
  /** A handful: looking through them takes less than a map would. */
  readonly heads: readonly ListHead[]
  readonly unions: ReadonlyMap<string, readonly ListHead[]>
  /** Words that many titles hold, where something else must match too: the titles of each as a bitmap. */
  readonly common: Map<Clause, Uint32Array>
}

function findHead({ heads }: Pick<TermLists, 'heads'>, key: string): ListHead | undefined {
  return heads.find((head) => head.key === key)
}

/** Takes the bitmaps that there are; those that have to be made first are returned. */
function wordsOfTitles(
  term: Term,
  lists: TermLists,
  bitmaps: Bitmaps | undefined,
): { readonly clause: Clause; readonly head: ListHead }[] {
  if (bitmaps === undefined || (term.clauses.length < 2 && lists.municipalities === undefined)) return []
  return term.clauses.flatMap((clause) => {
    const head = clause.kind === 'word' ? findHead(lists, title.stem + clause.stem) : undefined
    if (head === undefined || !bitmaps.isWorthwhile(head)) return []
    const bitmap = bitmaps.find(head)
    if (bitmap === undefined) return [{ clause, head }]
    lists.common.set(clause, bitmap)
    return []
  })
}

function toPlan(lists: TermLists, turn: Turn): Plan {
  const { term, municipalities, common } = lists
  const inMunicipality = (): Matcher | null => {
    if (municipalities === undefined) return new Everything()
    const found = municipalities.flatMap((number) => findHead(lists, municipalityKey(number)) ?? [])
    return anyOf(found.map((head) => new ListMatcher(head, turn)))
  }
  if (term === undefined) return { all: inMunicipality, titles: () => null, rest: inMunicipality }
  const join = (fields: Fields, place: Matcher | null): Matcher | null => {
    if (term.clauses.length === 0) return null
    const listed = fields === title ? term.clauses.filter((clause) => !common.has(clause)) : term.clauses
    const parts = listed.map((clause) => toMatcher(clause, fields, lists, turn))
    if (listed.length < term.clauses.length) parts.push(new BitmapMatcher([...common.values()], turn))
    return allOf([place, ...parts], turn)
  }
  return {
    all: () => join(wholeRecord, inMunicipality()),
    titles: () => join(title, inMunicipality()),
    rest: () => {
      if (standsInTitlesAlone(term, lists)) return null
      const all = join(wholeRecord, inMunicipality())
      // Only asked about records of the municipality.
      const unwanted = all && join(title, new Everything())
      return all && unwanted ? new Without(all, unwanted, turn) : all
    },
  }
}

/** Whether every record that holds a word of the term has it in its title: then no match is left for the rest. */
function standsInTitlesAlone(term: Term, lists: TermLists): boolean {
  return term.clauses.every((clause) => {
    if (clause.kind !== 'word') return false
    const whole = findHead(lists, wholeRecord.stem + clause.stem)
    return whole?.records === findHead(lists, title.stem + clause.stem)?.records
  })
}

interface Fields {
  readonly stem: string
  readonly form: string
  readonly prefix: string
}

const wholeRecord: Fields = listKinds
const title: Fields = { stem: listKinds.titleStem, form: listKinds.titleForm, prefix: listKinds.titlePrefix }

export function municipalityKey(number: number): string {
  return `${listKinds.municipality}${number}`
}

function keysOf(term: Term | undefined, municipalities: readonly number[] = []): string[] {
  const keys = municipalities.map(municipalityKey)
  for (const clause of term?.clauses ?? []) {
    for (const key of keysOfClause(clause)) if (!keys.includes(key)) keys.push(key)
  }
  return keys
}

function keysOfClause(clause: Clause): string[] {
  switch (clause.kind) {
    case 'word':
      return [wholeRecord.stem + clause.stem, title.stem + clause.stem]
    case 'phrase': {
      const stems = clause.joined === undefined ? clause.stems : [...clause.stems, clause.joined]
      return stems.flatMap((stem) => [wholeRecord.stem + stem, title.stem + stem])
    }
    case 'prefix': {
      const whole = clause.whole === undefined ? [] : keysOfClause(clause.whole)
      return [wholeRecord.prefix + clause.prefix, title.prefix + clause.prefix, ...whole]
    }
  }
}

/** For prefixes without a list of their own: the lists of all words that begin so, by the key of that beginning. */
async function readUnions(
  term: Term | undefined,
  heads: readonly ListHead[],
  source: ListSource,
): Promise<Map<string, readonly ListHead[]>> {
  const beginnings: string[] = []
  for (const clause of term?.clauses ?? []) {
    if (clause.kind !== 'prefix') continue
    for (const fields of [wholeRecord, title]) {
      if (findHead({ heads }, fields.prefix + clause.prefix) === undefined) beginnings.push(fields.form + clause.prefix)
    }
  }
  const read = async (beginning: string): Promise<[string, readonly ListHead[]]> => [
    beginning,
    await source.readHeadsBeginning(beginning),
  ]
  return new Map(await Promise.all(beginnings.map(read)))
}

const noUnions: ReadonlyMap<string, readonly ListHead[]> = new Map()

function toMatcher(clause: Clause, fields: Fields, lists: TermLists, turn: Turn): Matcher | null {
  const find = (key: string): ListHead | undefined => findHead(lists, key)
  switch (clause.kind) {
    case 'word':
      return toList(find(fields.stem + clause.stem), turn)
    case 'phrase': {
      const joined = clause.joined === undefined ? null : toList(find(fields.stem + clause.joined), turn)
      const phrase = toPhrase(
        clause.stems.map((stem) => find(fields.stem + stem)),
        turn,
      )
      return anyOf([phrase, joined])
    }
    case 'prefix': {
      const union = find(fields.prefix + clause.prefix)
      const several = union === undefined ? (lists.unions.get(fields.form + clause.prefix) ?? []) : [union]
      const whole = clause.whole === undefined ? null : toMatcher(clause.whole, fields, lists, turn)
      return anyOf([...several.map((head) => new ListMatcher(head, turn)), whole])
    }
  }
}

function toList(head: ListHead | undefined, turn: Turn): Matcher | null {
  return head === undefined ? null : new ListMatcher(head, turn)
}

function toPhrase(heads: readonly (ListHead | undefined)[], turn: Turn): Matcher | null {
  const lists: ListMatcher[] = []
  for (const head of heads) {
    if (head === undefined) return null
    lists.push(new ListMatcher(head, turn))
  }
  return new Phrase(lists, turn)
}

/** Null matches nothing. */
function anyOf(parts: readonly (Matcher | null)[]): Matcher | null {
  const some = parts.filter((part) => part !== null)
  return some.length > 1 ? new AnyOf(some) : (some[0] ?? null)
}

function allOf(parts: readonly (Matcher | null)[], turn: Turn): Matcher | null {
  const some = parts.filter((part) => part !== null)
  if (some.length < parts.length) return null
  const narrowing = some.filter((part) => !(part instanceof Everything))
  return narrowing.length === 1 ? (narrowing[0] ?? null) : new AllOf(narrowing, turn)
}
