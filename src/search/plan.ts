// From the clauses of a term to matchers: finds the lists that a search reads, in one trip, and joins them.
import type { Clause, Term } from '../text/term.ts'
import { BitmapMatcher, type Bitmaps } from './bitmaps.ts'
import { ListMatcher, Phrase } from './list-matcher.ts'
import { type ListHead, type ListSource, listKinds, prefixUnionMax } from './lists.ts'
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
 * where titles will be walked by themselves.
 */
export async function planSearch(
  term: Term | undefined,
  municipalities: readonly number[] | undefined,
  source: ListSource,
  turn: Turn,
  from: number,
  bitmaps?: Bitmaps,
): Promise<Plan> {
  const heads = new Map<string, ListHead>()
  const found = source.readHeads(keysOf(term, municipalities), from)
  for (const head of found instanceof Promise ? await found : found) heads.set(head.key, head)
  const hasPrefix = term?.clauses.some(({ kind }) => kind === 'prefix') === true
  const unions = hasPrefix ? await readUnions(term, heads, source) : noUnions

  const inMunicipality = (): Matcher | null => {
    if (municipalities === undefined) return new Everything()
    const lists = municipalities.flatMap((number) => heads.get(municipalityKey(number)) ?? [])
    return anyOf(lists.map((head) => new ListMatcher(head, turn)))
  }
  if (term === undefined) return { all: inMunicipality, titles: () => null, rest: inMunicipality }
  // Words that many titles hold, where something else must match too: the titles of each as a bitmap.
  const common = new Map<Clause, Uint32Array>()
  if (bitmaps !== undefined && (term.clauses.length > 1 || municipalities !== undefined)) {
    for (const clause of term.clauses) {
      const head = clause.kind === 'word' ? heads.get(title.stem + clause.stem) : undefined
      if (head === undefined || !bitmaps.isWorthwhile(head)) continue
      common.set(clause, bitmaps.find(head) ?? (await bitmaps.read(head, source, turn)))
    }
  }
  const join = (fields: Fields): Matcher | null => {
    if (term.clauses.length === 0) return null
    const listed = fields === title ? term.clauses.filter((clause) => !common.has(clause)) : term.clauses
    const parts = listed.map((clause) => toMatcher(clause, fields, heads, unions, turn))
    if (listed.length < term.clauses.length) parts.push(new BitmapMatcher([...common.values()], turn))
    return allOf([inMunicipality(), ...parts], turn)
  }
  return {
    all: () => join(wholeRecord),
    titles: () => join(title),
    rest: () => {
      const all = join(wholeRecord)
      const unwanted = all && join(title)
      return all && unwanted ? new Without(all, unwanted, turn) : all
    },
  }
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
  heads: ReadonlyMap<string, ListHead>,
  source: ListSource,
): Promise<Map<string, readonly ListHead[]>> {
  const beginnings: string[] = []
  for (const clause of term?.clauses ?? []) {
    if (clause.kind !== 'prefix') continue
    for (const fields of [wholeRecord, title]) {
      if (!heads.has(fields.prefix + clause.prefix)) beginnings.push(fields.form + clause.prefix)
    }
  }
  const read = async (beginning: string): Promise<[string, readonly ListHead[]]> => [
    beginning,
    await source.readHeadsBeginning(beginning, unionMax),
  ]
  return new Map(await Promise.all(beginnings.map(read)))
}

const noUnions: ReadonlyMap<string, readonly ListHead[]> = new Map()

/** Natural words stay below `prefixUnionMax` by the way lists are built; this bounds what no language would write. */
const unionMax = prefixUnionMax * 64

function toMatcher(
  clause: Clause,
  fields: Fields,
  heads: ReadonlyMap<string, ListHead>,
  unions: ReadonlyMap<string, readonly ListHead[]>,
  turn: Turn,
): Matcher | null {
  switch (clause.kind) {
    case 'word':
      return toList(heads.get(fields.stem + clause.stem), turn)
    case 'phrase': {
      const joined = clause.joined === undefined ? null : toList(heads.get(fields.stem + clause.joined), turn)
      const phrase = toPhrase(
        clause.stems.map((stem) => heads.get(fields.stem + stem)),
        turn,
      )
      return anyOf([phrase, joined])
    }
    case 'prefix': {
      const union = heads.get(fields.prefix + clause.prefix)
      const lists = union === undefined ? (unions.get(fields.form + clause.prefix) ?? []) : [union]
      const whole = clause.whole === undefined ? null : toMatcher(clause.whole, fields, heads, unions, turn)
      return anyOf([...lists.map((head) => new ListMatcher(head, turn)), whole])
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
