// Parser of search terms: turns words, codes, "phrases" and prefixes* into clauses, which are the conditions that a
// record must meet. The term `"plan parcial" UE-1 urb*` has the phrase `plan parcial`, the code `UE-1` and the prefix
// `urb`. It accepts any text: what is not syntax is a word or a separator. analyser.ts calls it for each search.
//
// term-tokens.ts splits a term into tokens. A token has one group or more: the words of a code (`UE-1`), or a single
// word (`Alicante/Alacant` has two groups). Outside quotes, each group is an item, and term-clauses.ts turns items into
// clauses. quoted-phrase.ts and term-prefixes.ts make the clauses of phrases and prefixes.

import { expansionsByAcronym } from './acronym-expansions.ts'
import { foldWord } from './fold.ts'
import { wordOf } from './lexicon.ts'
import { toNeighbourConditions } from './neighbours.ts'
import { type ParsedClause, toRequiredClause } from './parsed-clause.ts'
import { type PhraseGroup, toQuotedPhrase } from './quoted-phrase.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { PhraseClause, Term } from './term.ts'
import { toClauses } from './term-clauses.ts'
import type { TermItem } from './term-item.ts'
import { readLabelPrefix, toPrefixClauses } from './term-prefixes.ts'
import { type TermToken, toTermTokens } from './term-tokens.ts'

export function parseTerm(term: string): Term {
  const parsed = quotationMark.test(term) ? parseWithQuotes(term) : parseUnquoted(term, { isStart: true })
  // Optional clauses (stop words and a few others, `ParsedClause.isOptional`) are dropped unless they are quoted or are
  // all that the term has.
  const areAllOptional = parsed.every(({ isOptional }) => isOptional)
  const kept = parsed.filter(({ isQuoted, isOptional }) => areAllOptional || isQuoted || !isOptional)
  // A skipped clause, such as `s/n`, is left out, so that its neighbours are paired with each other. One that is in no
  // pair, such as a prefix, stays between them.
  const clauseEnds = kept
    .map(({ ends }) => ends)
    .filter((ends) => ends !== 'skipped')
    .map((ends) => (ends === 'unpaired' ? undefined : ends))
  return {
    clauses: kept.map(({ clause }) => clause),
    // A title has no pairs with stop words, so it could not meet conditions made of them.
    neighbours: areAllOptional ? [] : toNeighbourConditions(clauseEnds),
  }
}

/**
 * Between straight quotes other quotation marks are punctuation of the quoted text: `"el «Plan Sur» vigente"`. If a
 * straight quote is not closed, all quotation marks count alike: `"plan sur»`.
 */
function parseWithQuotes(term: string): ParsedClause[] {
  const parts = term.split(straightQuote)
  const hasClosedQuotes = parts.length > 1 && parts.length % 2 === 1
  if (!hasClosedQuotes) return parseWithAnyQuotes(term, { isStart: true })
  // The parts with an odd index are between straight quotes.
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? parseWithAnyQuotes(part, { isStart: index === 0 }) : parseQuoted(part),
  )
}

const straightQuote = '"'

/** Any quotation mark opens a quote, and the next one closes it, whatever its kind: `“plan sur»`. */
function parseWithAnyQuotes(text: string, { isStart }: PartOptions): ParsedClause[] {
  // The parts with an odd index are quoted. An even number of parts means that the last quote is not closed; then the
  // last part is not quoted and is appended to the part before it.
  const parts = text.split(quotationMark)
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join(' '))
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? parseUnquoted(part, { isStart: isStart && index === 0 }) : parseQuoted(part),
  )
}

/** Straight, curly, low and full-width quotation marks, and guillemets. Two apostrophes are not a quotation mark. */
export const quotationMark: RegExp = /["“”„‟«»＂〝〞〟❝❞]/u

interface PartOptions {
  /**
   * Whether the term starts with this part. At the start of the term, the A of `A 6` is certainly the letter of a code,
   * and the C of `c infantas` is `calle`. At the start of a later part they are not (`TermItem.isFirst`).
   */
  readonly isStart: boolean
}

/** The clauses of a part of the term that is not quoted. */
function parseUnquoted(text: string, { isStart }: PartOptions): ParsedClause[] {
  const parsed: ParsedClause[] = []
  /** The words and codes since the last prefix. No rule of term-clauses.ts reads across a prefix. */
  let items: TermItem[] = []
  for (const token of toTermTokens(text.replace(abbreviationAndNumber, separateAbbreviation))) {
    if (!token.isPrefix) {
      for (const group of toUnquotedGroups(token)) {
        const isFirst = isStart && parsed.length === 0 && items.length === 0
        items.push(toItem(group, token, isFirst))
      }
      continue
    }
    const labelPrefix = readLabelPrefix(items.at(-1), token.groups)
    if (labelPrefix === undefined) {
      parsed.push(...toClauses(items), ...toPrefixClauses(token.groups))
    } else {
      // In `PE 08.34*` the letters before the prefix belong to it: one clause for both.
      parsed.push(...toClauses(items.slice(0, -1)), toRequiredClause(labelPrefix, 'unpaired'))
    }
    items = []
  }
  return [...parsed, ...toClauses(items)]
}

/** The `art.` of `art.14`: letters and a dot just before a number. Not that of a prefix (`art.1*`). */
const abbreviationAndNumber = /(?<![\p{L}\p{M}\p{N}.])(\p{L}{2,3})\.(?=\d)(?!\S*[*＊])/gu

/**
 * Adds the space that is missing after an abbreviation: `art.14` becomes `art. 14`, which finds `artículo 14`. Letters
 * in capitals, such as `UD.12`, may be those of a code, and stay.
 */
function separateAbbreviation(written: string, letters: string): string {
  const word = wordOf(foldWord(letters))
  const isAbbreviation = word.queryStem !== word.stem && !expansionsByAcronym.has(word.form)
  return isAbbreviation && letters !== letters.toUpperCase() ? `${written} ` : written
}

/**
 * The groups of a token that is not quoted. A `NUM` that may be the acronym of `normas urbanísticas municipales`, and
 * not only "number", is replaced by `numWord`, which searches for the acronym, or for both. In quotes it is not
 * replaced: texts have the stem of the acronym only as a synonym, and phrases do not match synonyms.
 */
function toUnquotedGroups({ groups, numWord }: TermToken): readonly SubtokenGroup[] {
  return numWord === undefined ? groups : groups.map((group) => ({ ...group, words: [numWord] }))
}

function toItem(group: SubtokenGroup, token: TermToken, isFirst: boolean): TermItem {
  const { groups, isBeforeNumber, isAfterPunctuation } = token
  return {
    group,
    word: group.words.length === 1 ? group.words[0] : undefined,
    isWholeToken: groups.length === 1,
    isFirst,
    isBeforeNumber: isBeforeNumber && group === groups.at(-1),
    isSeparated: isAfterPunctuation || group !== groups[0],
  }
}

/**
 * Makes the clauses between quotes: the phrase `plan parcial` for `"plan parcial"`. A phrase that is copied from a
 * document may have a word with the hyphen of a line end: `"de urbani- zación"` searches for the phrase
 * `de urbanización` too.
 */
function parseQuoted(text: string): ParsedClause[] {
  const parsed = parsePhrases(text)
  const textWithWholeWords = text.replace(wordBreaks, '')
  if (textWithWholeWords === text) return parsed
  const parsedWhole = parsePhrases(textWithWholeWords)
  return parsed.map((each, index) => {
    const whole = parsedWhole[index]?.clause
    if (each.clause.kind !== 'phrase' || whole?.kind !== 'phrase') return each
    return { ...each, clause: addAlternative(each.clause, whole) }
  })
}

/** The phrase and its alternatives, with one alternative more. */
function addAlternative(phrase: PhraseClause, alternative: PhraseClause): PhraseClause {
  const { orPhrase } = phrase
  return { ...phrase, orPhrase: orPhrase === undefined ? alternative : addAlternative(orPhrase, alternative) }
}

/** The hyphens, and the white space after them, in words of at least two letters on each side. */
const wordBreaks = /(?<=\p{L}{2})[-\u2010\u00ad]\s+(?=\p{L}{2})/gu

/** A phrase, a prefix and another phrase for `plan parc* sur`: a phrase has whole words only, so a prefix ends it. */
function parsePhrases(text: string): ParsedClause[] {
  const parsed: ParsedClause[] = []
  let phrase: PhraseGroup[] = []
  const endPhrase = () => {
    if (phrase.length > 0) parsed.push(toQuotedPhrase(phrase))
    phrase = []
  }
  for (const { groups, isPrefix, isAfterPunctuation } of toTermTokens(text)) {
    if (!isPrefix) {
      // Only punctuation separates the groups of a token.
      phrase.push(...groups.map((group, index) => ({ ...group, isSeparated: index > 0 || isAfterPunctuation })))
      continue
    }
    endPhrase()
    parsed.push(...toPrefixClauses(groups).map((clause) => ({ ...clause, isQuoted: true })))
  }
  endPhrase()
  return parsed
}
