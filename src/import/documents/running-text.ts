// Turns the lines of a document's pages into running text, as a reader would quote it: a word that is broken at the end
// of a line is joined, and line breaks become spaces. The rest of the document decides how a word is joined.
import { stopWords } from '../../analysis/stop-words.ts'

// Each of the following two patterns matches two parts that may be one word, `head` and `tail`.
/**
 * The last letters or digit of a line, its hyphen, and the first letters or digit of the next line: `apro-\nbación`.
 * The hyphen is the ordinary one, U+2010 or, in a text file, the soft hyphen (U+00AD). The lookbehind keeps a match
 * from being tried at every letter of a long run.
 */
const lineEndBreak = /(?<![\p{L}\p{M}])([\p{L}\p{M}]+|\p{N})[-\u2010\u00ad][^\S\n]*\n\s*([\p{L}\p{M}]+|\p{N})/gu
/**
 * The last word of a line without a hyphen, and the first of the next. They may be one word, because pdf.js leaves soft
 * hyphens (U+00AD) out.
 */
const lineEndWords = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,})\n(\p{Ll}[\p{L}\p{M}]*)/gu

/** `pages` are texts with the line breaks of the layout. The result has the same number of pages. */
export function toRunningText(pages: readonly string[]): string[] {
  const composed = pages.map((page) => page.normalize('NFC'))
  const spellings = findSpellings(composed)
  const joinBreaks = (page: string): string =>
    page.replace(lineEndBreak, (_, head: string, tail: string) => joinBreak(head, tail, spellings))
  const joinIfOneWord = (pair: string, head: string, tail: string): string =>
    isOneWord(head, tail, spellings) ? head + tail : pair
  return composed.map((page) =>
    // A narrow column of a table breaks a word more than once. The first pass joins pairs of parts, the second joins
    // pairs of these pairs.
    joinBreaks(joinBreaks(page)).replace(lineEndWords, joinIfOneWord).replace(/\s+/g, ' ').trim(),
  )
}

/** Once there are more spellings to look for, no further page adds any, so that memory is bounded. */
const wantedSpellingsMax = 200_000
/** A word, or a compound such as `técnico-económico`. */
const wordOrCompound = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu

/**
 * Returns the spellings, in lower case, that the document contains and that decide about its word breaks. For a break
 * between `apro-` and `bación` these are `aprobación`, `apro-bación`, `apro` and `bación`, if they occur elsewhere.
 */
function findSpellings(pages: readonly string[]): Set<string> {
  const wanted = new Set<string>()
  for (const pattern of [lineEndBreak, lineEndWords]) {
    for (const page of pages) {
      if (wanted.size > wantedSpellingsMax) break
      for (const [, head = '', tail = ''] of page.matchAll(pattern)) {
        const [lowerHead, lowerTail] = [head.toLowerCase(), tail.toLowerCase()]
        for (const each of [lowerHead + lowerTail, `${lowerHead}-${lowerTail}`, lowerHead, lowerTail]) wanted.add(each)
      }
    }
  }
  const found = new Set<string>()
  if (wanted.size === 0) return found
  for (const page of pages) {
    // The parts of words that are, or may be, broken do not count.
    const withoutBreaks = page.replace(lineEndBreak, ' ').replace(lineEndWords, ' ')
    for (const [each] of withoutBreaks.matchAll(wordOrCompound)) {
      const lowerCased = each.toLowerCase()
      if (wanted.has(lowerCased)) found.add(lowerCased)
    }
  }
  return found
}

/**
 * Which spellings of the parts `apro` and `bación` the document has elsewhere: `aprobación`, `apro-bación`, or both
 * parts as words. `spellings` comes from `findSpellings`.
 */
function lookElsewhere(head: string, tail: string, spellings: ReadonlySet<string>) {
  const [lowerHead, lowerTail] = [head.toLowerCase(), tail.toLowerCase()]
  return {
    hasJoined: spellings.has(lowerHead + lowerTail),
    hasHyphenated: spellings.has(`${lowerHead}-${lowerTail}`),
    hasBothParts: spellings.has(lowerHead) && spellings.has(lowerTail),
  }
}

/**
 * Whether two words are one that lost its hyphen at a line end. If the document has `bienestar`, but also
 * `bien` and `estar`, the words stay apart. A stop word, such as `de`, stays apart too.
 */
function isOneWord(head: string, tail: string, spellings: ReadonlySet<string>): boolean {
  const { hasJoined, hasBothParts } = lookElsewhere(head, tail, spellings)
  return hasJoined && !hasBothParts && !stopWords.has(head.toLowerCase())
}

/**
 * Joins the two parts of a word break; the first rule that applies decides. A search also finds a word that keeps its
 * hyphen by mistake: the analyser indexes hyphenated words as one too (joined form).
 */
function joinBreak(head: string, tail: string, spellings: ReadonlySet<string>): string {
  const [joined, hyphenated] = [head + tail, `${head}-${tail}`]
  const { hasJoined, hasHyphenated, hasBothParts } = lookElsewhere(head, tail, spellings)
  const areUpperCase = upperCaseWord.test(head) && upperCaseWord.test(tail)
  const isTailLowerCase = lowerCaseStart.test(tail)
  // The capital letter of `Post-` `Script` may be inside a word. That of `U-` `E` may be a code, and that of `Vila-`
  // `Real` belongs to a double name if the document has it with a hyphen elsewhere.
  const mayHaveInnerCapital = head.length > 1 && tail.length > 1 && !hasHyphenated

  // `multico-` `lor`, if the document has `multicolor` elsewhere.
  if (hasJoined && (isTailLowerCase || areUpperCase || mayHaveInnerCapital)) return joined
  // `URBANIZA-` `CIÓN`.
  if (areUpperCase && wordEnding.test(tail)) return joined
  // `UE-` `23`, `1998-` `2004`, `e-` `learning`.
  if (!isTailLowerCase || head.length === 1) return hyphenated
  // `físico-` `químico`, if the document has `físico-químico` elsewhere.
  if (hasHyphenated) return hyphenated
  // `pre-` `y`, of `pre- y posoperatorio`.
  if (conjunction.test(tail)) return `${head}- ${tail}`
  // `técnico-` `económica`.
  if (adjectiveOfCompound.test(head)) return hyphenated
  // `suelo-` `vivienda`, if the document has both words elsewhere.
  const areLong = Math.min(head.length, tail.length) >= compoundPartLettersMin
  if (hasBothParts && areLong && !wordEnding.test(tail)) return hyphenated
  // `edificabi-` `lidad`.
  return joined
}

const lowerCaseStart = /^\p{Ll}/u
const upperCaseWord = /^\p{Lu}{2,}$/u
/**
 * Endings of Spanish and Catalan words. Some are words too, such as `mente`, but seldom the second part of a compound,
 * so a hyphen before any of them is taken for a word break.
 */
const wordEnding = /^(?:[cs]?i[óo]n|[cs]?iones|mientos?|mente|ments?|dad|dades)$/i
/** `y`, `e`, `o`, `u` in Spanish, `i` in Catalan. */
const conjunction = /^[yeiou]$/
/**
 * The ending of an adjective that is the first part of a compound: the `técnico` of `técnico-económica`, `voluntario`,
 * `normativo`. With fewer than six letters it is rather a part of a broken word: `psico-lógico`.
 */
const adjectiveOfCompound = /^(?=[\p{L}\p{M}]{6})[\p{L}\p{M}]*(?:ico|ario|tivo)$/iu
/** The words of a compound have at least this length. Shorter ones, such as `con`, are often syllables of a word. */
const compoundPartLettersMin = 4
