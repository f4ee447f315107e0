// Finds the words of an excerpt (excerpt.ts) that match a search term. A passage marks these words. The analyser that
// indexed the text has also analysed the excerpt, so the same words match here as in the index.
import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import type { Excerpt, WordRange } from './excerpt.ts'

interface MatchOptions {
  /** Whether a phrase goes on in the next segment. Then its first words match at the end of the excerpt. */
  readonly isPhraseCut: boolean
}

/** Returns all matches of all clauses of the term, clause by clause. They may overlap. */
export function findMatches(excerpt: Excerpt, term: Term, options: MatchOptions): WordRange[] {
  const matches: WordRange[] = []
  for (const clause of term.clauses) addMatches(matches, excerpt, clause, options)
  return matches
}

function addMatches(matches: WordRange[], excerpt: Excerpt, clause: Clause, options: MatchOptions): void {
  switch (clause.kind) {
    case 'word':
      for (const stem of [clause.stem, ...(clause.orStems ?? [])]) addMatchesOfStem(matches, excerpt, stem)
      break
    case 'phrase':
      addMatchesOfPhrase(matches, excerpt, clause, options)
      break
    case 'prefix':
      addMatchesOfPrefix(matches, excerpt, clause.prefix)
      // `UE-1*` has the prefix `ue1` and the phrase `ue 1`, so it also matches the two words of `UE 1`.
      if (clause.orPhrase !== undefined) addMatchesOfPhrase(matches, excerpt, clause.orPhrase, options)
  }
}

function addMatchesOfStem(matches: WordRange[], excerpt: Excerpt, stem: string): void {
  const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = excerpt
  for (let index = 0; index < words.length; index++) {
    if (words[index]?.stem === stem) matches.push({ first: index, last: index })
  }
  // A joined form (`ue1` for `UE-1`) or a synonym (`pgou`) is not a word of the text. It matches the words of its span,
  // which are those that it stands for.
  for (const [addedWords, { firsts, lasts }] of [
    [joinedForms, joinedFormSpans],
    [synonyms, synonymSpans],
  ] as const) {
    for (let index = 0; index < addedWords.length; index++) {
      const first = firsts[index] ?? 0
      if (addedWords[index]?.stem === stem) matches.push({ first, last: lasts[index] ?? first })
    }
  }
}

/** A code is a phrase of its parts: `UE-1` has the stems `ue` and `1`, and `ue1` as its joined form, `joinedCode`. */
function addMatchesOfPhrase(
  matches: WordRange[],
  excerpt: Excerpt,
  { stems, joinedCode, orPhrase }: PhraseClause,
  options: MatchOptions,
): void {
  const { words } = excerpt
  for (let first = 0; first < words.length; first++) {
    const wordsLeft = words.length - first
    /** How many words of the phrase must match from `first` on. */
    const length = options.isPhraseCut ? Math.min(stems.length, wordsLeft) : stems.length
    let matching = 0
    while (matching < length && words[first + matching]?.stem === stems[matching]) matching++
    if (matching === length) matches.push({ first, last: first + length - 1 })
  }
  if (joinedCode !== undefined) addMatchesOfStem(matches, excerpt, joinedCode)
  if (orPhrase !== undefined) addMatchesOfPhrase(matches, excerpt, orPhrase, options)
}

/** A prefix is compared with the `form` of words and of joined forms, which is not stemmed. It matches no synonyms. */
function addMatchesOfPrefix(
  matches: WordRange[],
  { words, joinedForms, joinedFormSpans: { firsts, lasts } }: Excerpt,
  prefix: string,
): void {
  for (let index = 0; index < words.length; index++) {
    if (words[index]?.form.startsWith(prefix)) matches.push({ first: index, last: index })
  }
  for (let index = 0; index < joinedForms.length; index++) {
    const first = firsts[index] ?? 0
    if (joinedForms[index]?.form.startsWith(prefix)) matches.push({ first, last: lasts[index] ?? first })
  }
}

/**
 * The number of words of a phrase clause; 1 for the others. Their matches may have more words, which are not counted: a
 * synonym or a joined form stands for several words of the text, and a prefix may have an alternative phrase.
 */
export function countWords(clause: Clause): number {
  return clause.kind === 'phrase' ? countWordsOfPhrase(clause) : 1
}

/** The number of words of a phrase or of its longest alternative. */
function countWordsOfPhrase({ stems, orPhrase }: PhraseClause): number {
  return Math.max(stems.length, orPhrase === undefined ? 0 : countWordsOfPhrase(orPhrase))
}
