// Translates filters into a condition on the full-text indexes: an expression of FTS5 for each of them (tokens.ts has
// the tokens). No part of a request reaches FTS5 but as a token in quotes, so no term can be a syntax error.
import type { Clause, PhraseClause, PrefixClause, Term, WordClause } from '../analysis/term.ts'
import { tokenFilters } from '../domain/parameters.ts'
import { findCommunity, findProvince, provinceOf } from '../domain/province.ts'
import type { Filters } from '../domain/query.ts'
import type { StoredMunicipality } from './registry-file.ts'
import { indexedPrefixMax } from './schema.ts'
import { type FieldKinds, gap, kinds, title, toFieldToken, toToken, wholeRecord } from './tokens.ts'

/**
 * A record matches if the expressions match in their indexes, and if it is in each of the `unions`. An expression is
 * null if nothing is asked of its index.
 */
export interface Match {
  readonly search: string | null
  readonly prefix: string | null
  /** Prefixes of codes: a record has a word with the prefix, or matches the phrase. */
  readonly unions: readonly { readonly prefix: string; readonly search: string }[]
}

/**
 * The conditions of the three tiers of a result, and of all of it. Null if nothing can match. A match of `neighbours`
 * or of `titles` is one of `all`.
 */
export interface Matches {
  readonly all: Match | null
  readonly titles: Match | null
  readonly neighbours: Match | null
}

/** What the translation looks up in the registry. */
export interface MatchSource {
  readonly municipalities: readonly StoredMunicipality[]
  /** The municipalities with the name or the INE code, as indexes of `municipalities`. */
  findMunicipalities(name: string): readonly number[]
  /** The words that start with the prefix, as tokens without their kind; undefined if they are too many. */
  findWords(prefix: string): readonly string[] | undefined
}

/** Without filters besides dates and code, every record matches: `all` has no expression then. */
export function toMatches(filters: Filters, source: MatchSource): Matches {
  const places = toPlaceExpressions(filters, source)
  const values = toValueExpressions(filters)
  const { search: term } = filters
  const nothing = { all: null, titles: null, neighbours: null }
  if (places === null) return nothing
  if (term === undefined) return { ...nothing, all: toMatch([...places, ...values], [], []) }
  if (term.clauses.length === 0) return nothing
  const combine = (field: FieldKinds, pairs: readonly string[] = []): Match =>
    combineClauses(term.clauses, field, { places, values: [...values, ...pairs] }, source)
  const pairs = toPairExpression(term)
  return {
    all: combine(wholeRecord),
    titles: combine(title),
    neighbours: pairs === undefined ? null : combine(wholeRecord, [pairs]),
  }
}

function combineClauses(
  clauses: readonly Clause[],
  field: FieldKinds,
  { places, values }: { readonly places: readonly string[]; readonly values: readonly string[] },
  source: MatchSource,
): Match {
  const search: string[] = []
  const prefix: string[] = []
  const unions: { prefix: string; search: string }[] = []
  for (const clause of clauses) {
    if (clause.kind === 'word') search.push(toWordExpression(clause, field))
    else if (clause.kind === 'phrase') search.push(toPhraseExpression(clause, field))
    else {
      const words = toPrefixExpression(clause, field, source)
      if (clause.orPhrase === undefined) prefix.push(words)
      else unions.push({ prefix: words, search: toPhraseExpression(clause.orPhrase, field) })
    }
  }
  // Both indexes have the tokens of places. Only one of them needs to be asked for these.
  const asksSearch = search.length + values.length > 0
  return toMatch(
    asksSearch || prefix.length === 0 ? [...search, ...values, ...places] : [],
    asksSearch || prefix.length === 0 ? prefix : [...prefix, ...places],
    unions,
  )
}

function toMatch(search: readonly string[], prefix: readonly string[], unions: Match['unions']): Match {
  return { search: joinAll(search), prefix: joinAll(prefix), unions }
}

function joinAll(expressions: readonly string[]): string | null {
  return expressions.length === 0 ? null : expressions.join(' AND ')
}

/** The tokens as an expression: one after the other in the text. */
function quote(tokens: readonly string[]): string {
  return `"${tokens.join(' ')}"`
}

function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' OR ')})`
}

/** The word is written or added. */
function toWordExpression({ stem, orStems = [] }: Pick<WordClause, 'stem' | 'orStems'>, field: FieldKinds): string {
  return anyOf(
    [stem, ...orStems].flatMap((each) => [field.word, field.addedWord].map((kind) => quote([toToken(kind, each)]))),
  )
}

/** The phrase as it is written, its joined code, or the alternatives of the phrase, which may have alternatives. */
function toPhraseExpression(clause: PhraseClause, field: FieldKinds): string {
  const expressions: string[] = []
  for (let each: PhraseClause | undefined = clause; each !== undefined; each = each.orPhrase) {
    expressions.push(quote(each.stems.map((stem) => toToken(field.word, stem))))
    if (each.joinedCode !== undefined) expressions.push(toWordExpression({ stem: each.joinedCode }, field))
  }
  return anyOf(expressions)
}

/**
 * The records with a word that starts with the prefix, in the index `prefix`, which has short prefixes as such. The
 * words with a longer one are few, and each is asked for; if they are many, FTS5 finds them itself, which is slower.
 */
function toPrefixExpression({ prefix }: PrefixClause, field: FieldKinds, source: MatchSource): string {
  const words = prefix.length <= indexedPrefixMax ? undefined : source.findWords(prefix)
  if (words === undefined) return `${quote([toToken(field.form, prefix)])} *`
  return words.length === 0 ? nothingMatches : anyOf(words.map((word) => quote([field.form + word])))
}

/** No record has this token in the index `prefix`, which has no gaps. */
const nothingMatches = quote([gap])

/**
 * The records that have each pair of words of the term, or one of its alternatives, side by side in the title, or each in
 * the area. Undefined for a term without pairs.
 */
function toPairExpression({ neighbours }: Term): string | undefined {
  if (neighbours.length === 0) return undefined
  const fields = [kinds.neighbours, kinds.areaNeighbours].map((kind) =>
    joinAll(neighbours.map((pairs) => anyOf(pairs.map((pair) => quote([toToken(kind, pair)]))))),
  )
  return `(${fields.map((field) => `(${field})`).join(' OR ')})`
}

/** The filters by place. Null if no record can match them. */
function toPlaceExpressions(filters: Filters, source: MatchSource): string[] | null {
  const { municipality, province, community } = filters
  if (municipality !== undefined) {
    // The municipalities with the name that lie in the province and the community, if these are given.
    const found = source.findMunicipalities(municipality).flatMap((index) => source.municipalities[index] ?? [])
    const keys = found.filter((each) => isIn(each, filters)).map(({ key }) => quote([toToken(kinds.municipality, key)]))
    return keys.length === 0 ? null : [anyOf(keys)]
  }
  const expressions: string[] = []
  for (const [kind, name, place] of [
    [kinds.province, province, province === undefined ? undefined : findProvince(province)],
    [kinds.community, community, community === undefined ? undefined : findCommunity(community)],
  ] as const) {
    if (name === undefined) continue
    if (place === undefined) return null
    expressions.push(quote([kind + place.code]))
  }
  return expressions
}

function isIn({ ineCode }: StoredMunicipality, { province, community }: Filters): boolean {
  if (province === undefined && community === undefined) return true
  const ownProvince = provinceOf(ineCode ?? '')
  if (ownProvince === undefined) return false
  if (province !== undefined && findProvince(province)?.code !== ownProvince.code) return false
  return community === undefined || findCommunity(community)?.code === ownProvince.community.code
}

/** The filters that compare a field as a whole. */
function toValueExpressions(filters: Filters): string[] {
  const values = tokenFilters.flatMap(({ name, letter }) => {
    const value = filters[name]
    return value === undefined ? [] : [quote([toToken(letter, value)])]
  })
  const fields = Object.entries(filters.fields ?? {}).map(([name, value]) => quote([toFieldToken(name, value)]))
  return [...values, ...fields]
}
