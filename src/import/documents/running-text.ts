// Turns the lines of a document's pages into running text, as a reader would quote it: a word that is broken at the end
// of a line is joined, and line breaks become spaces. The rest of the document decides how a word is joined.
import { stopWords } from '../../analysis/stop-words.ts'

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
/**
 * A word in capital letters with an accent or a cedilla that is drawn separately: `INTRODUCCI ÓN`, `LICENÇ A`. The
 * accent begins further right than its letter, and the cedilla ends further left. pdf.js takes the gap before the
 * accent, or after the cedilla, for a space.
 */
const splitCapitals = /(?<![\p{L}\p{M}])(\p{Lu}+)(?:(?<=Ç) | (?=[ÀÁÂÃÈÉÊÌÍÎÏÒÓÔÕÙÚÛÜ]))(\p{Lu}+)(?![\p{L}\p{M}])/gu
const whiteSpace = /\s+/g
/** A word, or a compound such as `técnico-económico`. */
const wordOrCompound = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu
const lowerCaseStart = /^\p{Ll}/u
/** `y`, `e`, `o`, `u` in Spanish, `i` in Catalan. It follows a hyphen that is no word break: `pre- y posoperatorio`. */
const conjunction = /^[yeiou]$/
const upperCaseWord = /^\p{Lu}{2,}$/u
/**
 * Endings of Spanish and Catalan words. Some are words too, such as `mente`, but seldom the second part of a compound,
 * so a hyphen before any of them is taken for a word break.
 */
const wordEnding = /^(?:[cs]?i[óo]n|[cs]?iones|mientos?|mente|ments?|dad|dades)$/i
/** Once there are more spellings to look for (`findSpellings`), no further page adds any, so that memory is bounded. */
const wantedSpellingsMax = 200_000
/**
 * Two words of the document make a compound only if both have at least this length. Shorter words, such as `con` and
 * `de`, are often syllables of another word.
 */
const compoundPartLettersMin = 4

/**
 * The ending of an adjective that is the first part of a compound: the `técnico` of `técnico-económica`, `voluntario`,
 * `normativo`. With fewer than six letters it is rather a part of a broken word: `psico-lógico`.
 */
const adjectiveOfCompound = /^(?=[\p{L}\p{M}]{6})[\p{L}\p{M}]*(?:ico|ario|tivo)$/iu

/** A cedilla before its letter, as TeX draws it, or after it: `pla¸ca`, `franc¸ais`. */
const separateCedilla = /¸(c)|(c)¸(?!c)/giu
/** Spacing accents, and the combining marks for them. */
const combiningAccents: ReadonlyMap<string, string> = new Map([
  ['´', '\u0301'],
  ['`', '\u0300'],
  ['¨', '\u0308'],
  ['˜', '\u0303'],
  ['ˆ', '\u0302'],
  ['˚', '\u030a'],
  ['ˇ', '\u030c'],
])
/** An accent and its letter: `´o`. */
const separateAccent = /([´`¨˜ˆ˚ˇ])(\p{L})/gu
/**
 * A separate accent that is certainly no apostrophe. After a single d, l, m, n, o, s or t it may be the apostrophe of
 * an article or a name (`L´EIXAMPLE`, `O´Donnell`), unless a dotless i follows.
 */
const certainAccent = /(?<!(?<!\p{L})[dlmnost])[´`¨˜ˆ˚ˇ]\p{L}|[´`¨˜ˆ˚ˇ]ı/giu
/**
 * A certain accent inside a word, for documents in which accents may also be apostrophes or quotation marks. It must be
 * an accent of Spanish before a small vowel or an n. Before a capital letter, an accent may be the apostrophe of a name
 * (`Sant´Anna`).
 */
const accentInWord = /(?<=\p{L})(?<!(?<!\p{L})[dlmnostDLMNOST])([´¨˜])([aeiounı])/gu
const accentedLetter = /[áéíóúüñàèìòùâêîôûäëïöãõ]/giu

/** `pages` are texts with the line breaks of the layout. The result has the same number of pages. */
export function toRunningText(pages: readonly string[]): string[] {
  const composed = composeAccents(pages)
  const knownSpellings = findSpellings(composed)
  const joinBreaks = (page: string): string =>
    page.replace(lineEndBreak, (_, head: string, tail: string) => joinBreak(head, tail, knownSpellings))
  const joinIfOneWord = (pair: string, head: string, tail: string): string =>
    isOneWord(head, tail, knownSpellings) ? head + tail : pair
  return composed.map((page) =>
    // A narrow column of a table breaks a word more than once. The first pass joins pairs of parts, the second joins
    // pairs of these pairs.
    joinBreaks(joinBreaks(page))
      .replace(lineEndWords, joinIfOneWord)
      .replace(splitCapitals, joinIfOneWord)
      .replace(whiteSpace, ' ')
      .trim(),
  )
}

/**
 * Fonts of TeX without accented letters print an accent and its letter: `funci´on`, `se˜nal`, `Cap´ıtulo`. Other texts
 * use an accent as an apostrophe: `l´Alcúdia`. A document is taken to have such a font if it has more certain accents
 * than accented letters. The whole document is counted, because `m´as` and `n´umero` alone look like an article and its
 * noun. Any other document may have such a font for a few words, so an accent inside a word is composed
 * (`accentInWord`).
 */
function composeAccents(pages: readonly string[]): string[] {
  const count = (pattern: RegExp): number => pages.reduce((sum, page) => sum + countMatches(page, pattern), 0)
  const hasSeparateAccents = count(certainAccent) > count(accentedLetter)
  return pages.map((page) => {
    const composed = page.replace(hasSeparateAccents ? separateAccent : accentInWord, composeAccent)
    return composed.replace(separateCedilla, '$1$2\u0327').normalize('NFC')
  })
}

/** Returns `ó` for `´o`; the pair itself if there is no such letter. */
function composeAccent(pair: string, accent: string, letter: string): string {
  // TeX prints an accent over the i without a dot.
  const base = letter === 'ı' ? 'i' : letter
  const composed = `${base}${combiningAccents.get(accent)}`.normalize('NFC')
  return composed.length === 1 ? composed : pair
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/**
 * Returns the spellings, in lower case, that the document contains and that decide about its word breaks. For a break
 * between `apro-` and `bación` these are `aprobación`, `apro-bación`, `apro` and `bación`, if they occur elsewhere.
 */
function findSpellings(pages: readonly string[]): Set<string> {
  const wanted = new Set<string>()
  for (const pattern of [lineEndBreak, lineEndWords, splitCapitals]) {
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
    const withoutBreaks = page.replace(lineEndBreak, ' ').replace(lineEndWords, ' ').replace(splitCapitals, ' ')
    for (const [each] of withoutBreaks.matchAll(wordOrCompound)) {
      const lowerCased = each.toLowerCase()
      if (wanted.has(lowerCased)) found.add(lowerCased)
    }
  }
  return found
}

/**
 * Whether two words are one that lost its hyphen at a line end, or was split: the document has the joined word
 * elsewhere, it does not have both parts, and the first part is no stop word. If it has `bienestar`, `bien` and
 * `estar`, the words stay apart. `knownSpellings` comes from `findSpellings`.
 */
function isOneWord(head: string, tail: string, knownSpellings: ReadonlySet<string>): boolean {
  const [lowerHead, lowerTail] = [head.toLowerCase(), tail.toLowerCase()]
  const areBothWords = knownSpellings.has(lowerHead) && knownSpellings.has(lowerTail)
  return knownSpellings.has(lowerHead + lowerTail) && !areBothWords && !stopWords.has(lowerHead)
}

/**
 * Joins the two parts of a word break. `knownSpellings` comes from `findSpellings`. The first row that applies decides:
 *
 * | parts | result |
 * |---|---|
 * | one word elsewhere in the document (`mayBeOneWord`): `multico-` `lor` | joined |
 * | in capital letters, with the ending of a word: `URBANIZA-` `CIÓN` | joined |
 * | the second begins without a small letter, or the first is one letter: `UE-` `23`, `1998-` `2004` | hyphen |
 * | with a hyphen elsewhere in the document: `físico-` `químico` | hyphen |
 * | the second is a conjunction: `pre-` `y` | hyphen and space |
 * | two words of the document (`isCompound`), or the first is an adjective: `técnico-` `económica` | hyphen |
 * | any other: `edificabi-` `lidad` | joined |
 *
 * A search also finds a word that keeps its hyphen by mistake: the analyser indexes hyphenated words as one too (joined
 * form).
 */
function joinBreak(head: string, tail: string, knownSpellings: ReadonlySet<string>): string {
  const [lowerHead, lowerTail] = [head.toLowerCase(), tail.toLowerCase()]
  const areUpperCase = upperCaseWord.test(head) && upperCaseWord.test(tail)
  const isHyphenatedElsewhere = knownSpellings.has(`${lowerHead}-${lowerTail}`)
  // `PostScript` has a capital letter inside. A code in single letters (`U-E`) is no word, and a name with two capital
  // letters is a double name (`Vila-Real`) if the document also has it with a hyphen.
  const mayHaveInnerCapital = head.length > 1 && tail.length > 1 && !isHyphenatedElsewhere
  const mayBeOneWord = lowerCaseStart.test(tail) || areUpperCase || mayHaveInnerCapital
  if (mayBeOneWord && knownSpellings.has(lowerHead + lowerTail)) return head + tail
  if (areUpperCase && wordEnding.test(tail)) return head + tail
  const hyphenated = `${head}-${tail}`
  if (!lowerCaseStart.test(tail) || head.length < 2) return hyphenated
  if (isHyphenatedElsewhere) return hyphenated
  if (conjunction.test(tail)) return `${head}- ${tail}`
  const isLongEnough = Math.min(head.length, tail.length) >= compoundPartLettersMin
  const areBothWords = knownSpellings.has(lowerHead) && knownSpellings.has(lowerTail)
  const isCompound = isLongEnough && areBothWords && !wordEnding.test(tail)
  return isCompound || adjectiveOfCompound.test(head) ? hyphenated : head + tail
}
