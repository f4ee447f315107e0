// The keys of the term entries that a search term needs: the letter of the kind of posting list, then a stem, a prefix
// (`pla` for the term `pla*`) or a pair of neighbours (two words side by side in a title). planner.ts reads their
// entries in one round trip.
import type { Clause, Term } from '../analysis/term.ts'
import { type TermKind, termKinds } from './posting-list.ts'

/** A field to search in, the title or the whole record, as the kinds of its posting lists. */
export interface SearchField {
  /** Stems of words, for words and phrases. */
  readonly stem: TermKind
  /** Forms (folded words), for prefixes without a stored union. */
  readonly form: TermKind
  /** Stored unions: one posting list for all words that start with a prefix. */
  readonly prefix: TermKind
}

export const wholeRecordField: SearchField = { stem: termKinds.stem, form: termKinds.form, prefix: termKinds.prefix }
export const titleField: SearchField = {
  stem: termKinds.titleStem,
  form: termKinds.titleForm,
  prefix: termKinds.titlePrefix,
}

/**
 * The keys of all term entries that the search term may need, each once. Those of the words that start with a prefix
 * are not among them, because the words are not known yet; the planner reads them if the prefix has no stored union.
 */
export function toKeys(term: Term | undefined): string[] {
  const keys: string[] = []
  if (term === undefined) return keys
  for (const clause of term.clauses) addKeys(clause, keys)
  // A title needs only one of the alternatives of a pair. Any of them may be in the index, so all are read.
  for (const alternatives of term.neighbours) {
    for (const pair of alternatives) addKey(termKinds.neighbours + pair, keys)
  }
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
      if (clause.orPhrase !== undefined) addKeys(clause.orPhrase, keys)
      break
    case 'prefix':
      addKey(wholeRecordField.prefix + clause.prefix, keys)
      addKey(titleField.prefix + clause.prefix, keys)
      if (clause.orPhrase !== undefined) addKeys(clause.orPhrase, keys)
  }
}

/** Adds the keys of the stem in both fields. */
function addStem(stem: string, keys: string[]): void {
  addKey(wholeRecordField.stem + stem, keys)
  addKey(titleField.stem + stem, keys)
}

/** Adds the key unless `keys` has it. They are in an array and not in a set, because they are few. */
function addKey(key: string, keys: string[]): void {
  if (!keys.includes(key)) keys.push(key)
}
