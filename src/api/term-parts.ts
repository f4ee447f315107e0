// The parts of a search term, from which suggestions of other terms are made: the words between spaces, or the pieces
// of a word. `C/Serano,5`, with `Serrano` misspelt, has the pieces `C/`, `Serano,` and `5`. term-suggestions.ts
// corrects parts by the vocabulary, the list of the most frequent words of the records, or leaves them out. A folded
// word is in lower case and without accents.
import { expansionsByAcronym } from '../analysis/acronym-expansions.ts'
import { analyseTerm } from '../analysis/analyser.ts'
import { foldWord } from '../analysis/fold.ts'
import { wordOf } from '../analysis/lexicon.ts'
import { numberWord } from '../analysis/number-words.ts'
import { stopWords } from '../analysis/stop-words.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import type { Vocabulary } from '../registry/vocabulary.ts'

/** A word of the term, or a piece: `sur/norte` is one part, but two if one of `sur` and `norte` is in no record. */
export interface Part {
  /** As typed, with the punctuation around it; but `ordenación,` for `ordenacion,`, which was typed without accents. */
  readonly text: string
  /** The part without punctuation around it, folded; empty for a code or number, such as `UE-1` and `5` (`isWord`). */
  readonly folded: string
  /** Whether no record contains the part as it was typed. It stays true after term-suggestions.ts corrects the text. */
  readonly wasMissing: boolean
  /** How frequent the word is (`VocabularyWord.weight`); 0 if the vocabulary does not have it. */
  readonly weight: number
  /** The index of the part in the term as typed. */
  readonly index: number
  /** Whether no space separates it from the part before: the `Serano,` and the `5` of `C/Serano,5`. */
  readonly isAttached: boolean
}

/** Whether the part has only letters, apart from the punctuation around it. */
export function isWord({ folded }: Part): boolean {
  return folded !== ''
}

export function isStopWord({ folded }: Pick<Part, 'folded'>): boolean {
  return stopWords.has(folded)
}

/** `(plan),` becomes `plan`. */
export function trimPunctuation(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/**
 * The parts of a term. `occurs` says whether any record has a word that is not in the vocabulary. A word is split only
 * if one of its pieces is missing. Otherwise it is one part, so that a code such as `SUNC-R-3` is kept or left out as a
 * whole.
 */
export async function toParts(
  term: string,
  vocabulary: Vocabulary,
  occurs: (word: string) => Promise<boolean>,
): Promise<Part[]> {
  const parts: Part[] = []
  for (const word of term.split(/\s+/u)) {
    // A lone hyphen is not a word.
    if (!/[\p{L}\p{N}]/u.test(word)) continue
    const pieces = word.match(piece) ?? []
    const missing: string[] = []
    for (const text of toSearchedTexts(word, pieces)) {
      const unquoted = text.split(quotationMark).join('')
      const isMissing = vocabulary.find(foldWord(unquoted)) === undefined && !(await occurs(unquoted))
      if (isMissing) missing.push(text)
    }
    const isSplit = missing.length > 0 && !missing.includes(word)
    for (const [pieceIndex, text] of (isSplit ? pieces : [word]).entries()) {
      const known = lookUpPart(text, vocabulary)
      parts.push({ ...known, wasMissing: missing.includes(text), index: parts.length, isAttached: pieceIndex > 0 })
    }
  }
  return parts
}

/**
 * What is searched to see if a word is missing: of several pieces, as in `bravo-murillo`, those with three letters in a
 * row, because shorter ones are mostly parts of codes. Otherwise the word itself, unless it is a code such as `UE-1` or
 * a prefix such as `plan*`: these can take as long as the search that found nothing.
 */
function toSearchedTexts(word: string, pieces: readonly string[]): readonly string[] {
  const longPieces = pieces.length > 1 ? pieces.filter((text) => /\p{L}{3}/u.test(text)) : []
  if (longPieces.length > 0) return longPieces
  const { clauses } = analyseTerm(word.split(quotationMark).join(''))
  return clauses.length === 1 && clauses[0]?.kind === 'word' ? [word] : []
}

/** A run of letters or of digits with the punctuation after it; in the first piece also the punctuation before it. */
const piece = /(?:^[^\p{L}\p{N}]+)?(?:\p{L}[\p{L}\p{M}]*|\p{N}+)[^\p{L}\p{N}]*/gu

/** The folded form of a part, and its spelling and weight in the vocabulary. */
function lookUpPart(text: string, vocabulary: Vocabulary): Pick<Part, 'text' | 'folded' | 'weight'> {
  // `(plan),` has the core `plan`; `UE-1` has none, because a core has only letters.
  const [core = ''] = /^\p{L}[\p{L}\p{M}]*$/u.exec(trimPunctuation(text)) ?? []
  const folded = foldWord(core)
  const known = folded === '' ? undefined : vocabulary.find(folded)
  // A word that was typed without accents and capitals gets the spelling of the vocabulary.
  const shown = known !== undefined && core === folded ? text.replace(core, known.spelling) : text
  return { text: shown, folded, weight: known?.weight ?? 0 }
}

/**
 * Joins the parts to a term, without stop words or a delimiter at its end: if `xyz` was left out, `plan de xyz` becomes
 * `plan`, not `plan de`, and `bravo-xyz` becomes `bravo`. If `keepQuotationMarks` is false, they are removed, so that
 * the words of a phrase are searched one by one.
 */
export function toTerm(
  parts: readonly Part[],
  { keepQuotationMarks = true }: { readonly keepQuotationMarks?: boolean } = {},
): string {
  // Stop words at the beginning go only if the words before them were left out: `xyz de loreto` becomes `loreto`, but
  // `la granja` stays.
  const first =
    parts[0]?.index === 0
      ? 0
      : Math.max(
          0,
          parts.findIndex((part) => !isStopWord(part)),
        )
  const kept = parts.slice(first, parts.findLastIndex((part) => !isStopWord(part)) + 1)
  // The pieces of a word are joined as typed: `C/` and `5` become `C/ 5` only if `Serano,` between them is left out.
  let term = ''
  for (const [position, { text, index, isAttached }] of kept.entries()) {
    const continuesWord = isAttached && kept[position - 1]?.index === index - 1
    term += position === 0 || continuesWord ? text : ` ${text}`
  }
  // If one quotation mark of a pair was left out with a stop word, the other is removed too: `"zona A"` becomes `zona`.
  const pieces = term.split(quotationMark)
  const hasPairsOnly = pieces.length % 2 === 1
  const withPairs = keepQuotationMarks && hasPairsOnly ? term : pieces.join('').trim()
  return withPairs.replace(delimiterAtEnd, '')
}

/**
 * Whether a part may be a term by itself. Most words and codes may. Too many records have the other parts:
 * - a number of up to four digits: `24`, `23-25`, `nº24`; or the word for one: `nº`, `número`
 * - a single letter: `B`, `B.`; but `C/` is the word `calle`
 * - the initials of a name: `s.s.`; but `P.G.O.U.` is an acronym
 * - a stop word: `de`
 */
export function saysEnough(part: Part): boolean {
  const { text, folded } = part
  const core = trimPunctuation(text)
  if (smallNumber.test(core) || singleLetter.test(text)) return false
  if (initials.test(core)) return expansionsByAcronym.has(foldWord(core.replaceAll('.', '')))
  const isNumberWord = isWord(part) && wordOf(folded).queryStem === numberWord.stem
  return !isStopWord(part) && !isNumberWord
}

const smallNumber = /^(?:n\.?[º°])?(?:\d{1,4}(?:-\d{1,4})?)?$/iu
const singleLetter = /^\p{L}\.?$/u
const initials = /^\p{L}{1,2}(?:\.\p{L}{1,2})+$/u

/** A delimiter after two letters or digits at least. The slash of `C/` stays, because it is part of an abbreviation. */
const delimiterAtEnd = /(?<=[\p{L}\p{N}]{2})[-,/']$/u
