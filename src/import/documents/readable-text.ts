// Decides whether the text layer of a page is readable. It is not if the fonts do not map their glyphs to letters (no
// `ToUnicode`): then the text has other characters in their place, such as the numbers of the glyphs.

/** Without words, a text with a larger share of symbols and unmapped glyphs is not readable. */
const unmappedShareMax = 0.3
/** With a larger share of control characters, a font does not map the space, and perhaps no letter either. */
const controlShareMax = 0.05
/** Spanish text has a larger share of vowels among its letters. */
const vowelShareMin = 0.35
/** Text with many unmapped glyphs is kept only if its words have at least this many letters together. */
const wordLettersMin = 200

/** Private-use, unassigned and control characters. Text has none of them but those of layout. */
const unmapped = /[[\p{Co}\p{Cn}\p{Cc}]--[\t\n\f\r]]/gv
/** These, and symbols, which are dingbats (`❆✁✂✄`) or the replacement character in the place of letters. */
const unmappedOrSymbol = /[[\p{Co}\p{Cn}\p{Cc}\p{So}]--[\t\n\f\r]]/gv
const control = /[\p{Cc}--[\t\n\f\r]]/gv
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
  const hasControls = count(sample, control) > sample.length * controlShareMax
  if (count(sample, unmappedOrSymbol) <= sample.length * unmappedShareMax && !(hasControls && !isSpanish(sample)))
    return true
  // If the font of the body is unmapped, the words of header and footer have fewer letters than it has glyphs.
  const letters = sample.match(words)?.join('') ?? ''
  return letters.length >= Math.max(wordLettersMin, count(sample, unmapped)) && isSpanish(letters)
}

/** Whether the letters have as many vowels as in Spanish. */
function isSpanish(text: string): boolean {
  return count(text, /[aeiouáéíóúü]/giu) >= count(text, /\p{L}/gu) * vowelShareMin
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
