// The keys of the term entries that a search term needs; an entry says where a posting list is. A key is the letter of
// the kind of posting list (`termKinds`), then a stem (`wplan`), a prefix (`ppla` for the term `pla*`) or a pair of
// neighbours, two words side by side in a title (`splan parcial`). planner.ts reads the entries in one round trip.
import type { Clause, Term } from '../analysis/term.ts'
import { type TermKind, termKinds } from './posting-list.ts'

/** A field to search in, the title or the whole record, as the kinds of its posting lists. */
export interface SearchField {
  /** Stems of words, for words and phrases. */
  readonly stem: TermKind
  /** Forms (folded words), for prefixes without a stored union. */
  readonly form: TermKind
  /** Prefix unions: one posting list for all words that start with a prefix. Only prefixes of many words have one. */
  readonly prefixUnion: TermKind
}

export const wholeRecordField: SearchField = {
  stem: termKinds.stem,
  form: termKinds.form,
  prefixUnion: termKinds.prefixUnion,
}
export const titleField: SearchField = {
  stem: termKinds.titleStem,
  form: termKinds.titleForm,
  prefixUnion: termKinds.titlePrefixUnion,
}

/**
 * The keys of all term entries that the search term may need, each once. The keys of the words that start with a prefix
 * are not among them, because the words are not known yet. The planner reads their entries if the prefix has no union.
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
      // The term `cruces` has the stem `cruz`, and `cruce` in `orStems`: it is the plural of both words.
      if (clause.orStems !== undefined) for (const stem of clause.orStems) addStem(stem, keys)
      break
    case 'phrase':
      for (const stem of clause.stems) addStem(stem, keys)
      // The term `UE-1` is the phrase of `ue` and `1`, or the word `ue1` in `joinedCode`.
      if (clause.joinedCode !== undefined) addStem(clause.joinedCode, keys)
      if (clause.orPhrase !== undefined) addKeys(clause.orPhrase, keys)
      break
    case 'prefix':
      addKey(wholeRecordField.prefixUnion + clause.prefix, keys)
      addKey(titleField.prefixUnion + clause.prefix, keys)
      // The term `UZP-1*` has the prefix `uzp1`, and a phrase of `uzp` and `1` in `orPhrase`.
      if (clause.orPhrase !== undefined) addKeys(clause.orPhrase, keys)
  }
}

/** Adds the keys of the stem in both fields. */
function addStem(stem: string, keys: string[]): void {
  addKey(wholeRecordField.stem + stem, keys)
  addKey(titleField.stem + stem, keys)
}

/** Adds the key unless `keys` has it. The keys are in an array and not in a set, because they are few. */
function addKey(key: string, keys: string[]): void {
  if (!keys.includes(key)) keys.push(key)
}
