// Decides whether the text layer of a page is readable. It is not if the fonts do not map their glyphs to letters (no
// `ToUnicode`): then the text has other characters in their place, such as the numbers of the glyphs.

/** With a larger share of characters from unmapped glyphs, a text is unmapped. */
const unmappedShareMax = 0.3
/** With a larger share of control characters, a font does not map the space, and perhaps no letter either. */
const controlShareMax = 0.05
/** Spanish text has a larger share of vowels among its letters. */
const vowelShareMin = 0.35
/** Text with unmapped glyphs is kept only if its words have at least this many letters together. */
const wordLettersMin = 200

/** Private-use, unassigned and control characters. Text has none of them but line breaks. */
const noText = /[[\p{Co}\p{Cn}\p{Cc}]--\n]/gv
/** These, and symbols, which are dingbats (`❆✁✂✄`) or the replacement character in the place of letters. */
const noTextOrSymbol = /[[\p{Co}\p{Cn}\p{Cc}\p{So}]--\n]/gv
/** The control characters of layout do not count. */
const control = /[\p{Cc}--[\t\n\f\r]]/gv
const vowel = /[aeiouáéíóúü]/giu
const letter = /\p{L}/gu
/** Fewer than four letters may be unmapped glyphs. */
const words = /\p{L}{4,}/gu

/**
 * | start of the page | readable |
 * |---|---|
 * | `NORMAS URBANÍSTICAS` | yes |
 * | `❆✁✂✄ ❅✁`: nearly all symbols | no |
 * | `1250$6\x0385%`: glyph numbers of "NORMAS URB", with a control character as the space | no |
 * | `NORMAS\x03URB`: only the space is unmapped, and the letters have vowels | yes |
 * | an unmapped body, with words in the header and footer | no |
 * | a table of symbols, with words in its title and headings | yes |
 */
export function isReadable(text: string): boolean {
  // The start of the page decides.
  const sample = text.slice(0, 5_000)
  return !isUnmapped(sample) || hasWords(sample)
}

/** Whether the fonts do not map glyphs to letters. */
function isUnmapped(sample: string): boolean {
  if (count(sample, noTextOrSymbol) > sample.length * unmappedShareMax) return true
  return hasManyControls(sample) && count(sample, vowel) < count(sample, letter) * vowelShareMin
}

/**
 * Whether the sample has Spanish words with at least as many letters as it has unmapped glyphs. If the font of the body
 * is unmapped, the words of header and footer have fewer. Symbols do not count as unmapped glyphs here, so that the
 * title and headings of a table of symbols are kept.
 */
function hasWords(sample: string): boolean {
  const letters = sample.match(words)?.join('') ?? ''
  const isSpanish = count(letters, vowel) >= letters.length * vowelShareMin
  return letters.length >= Math.max(wordLettersMin, count(sample, noText)) && isSpanish
}

function hasManyControls(sample: string): boolean {
  return count(sample, control) > sample.length * controlShareMax
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
