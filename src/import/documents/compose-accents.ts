// Composes the accents and cedillas that a PDF draws apart from their letters: `funci´on` becomes `función`. The first
// step from the lines of a document to running text (running-text.ts).

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
/** A cedilla before its letter, as TeX draws it, or after it: `pla¸ca`, `franc¸ais`. */
const separateCedilla = /¸(c)|(c)¸(?!c)/giu
const accentedLetter = /[áéíóúüñàèìòùâêîôûäëïöãõ]/giu

/** The accent after a single d, l, m, n, o, s or t may be the apostrophe of an article or a name: `L´EIXAMPLE`. */
const notAfterArticle = String.raw`(?<!(?<!\p{L})[dlmnostDLMNOST])`
/**
 * Two patterns for an accent and its letter. TeX prints an accent over the i without a dot (ı).
 *
 * | text | `certainAccent` | `accentInWord` |
 * |---|---|---|
 * | `funci´on`, `Cap´ıtulo` | matches | matches |
 * | `L´EIXAMPLE`, `m´as`: may be an apostrophe | – | – |
 * | `l´ınea`: an apostrophe has no dotless i after it | matches | – |
 * | `´area`: may be a quotation mark | matches | – |
 * | `Sant´Anna`: before a capital letter, may be the apostrophe of a name | matches | – |
 * | `cafˆe`: no accent of Spanish | matches | – |
 */
const certainAccent = new RegExp(`${notAfterArticle}[´\`¨˜ˆ˚ˇ]\\p{L}|[´\`¨˜ˆ˚ˇ]ı`, 'giu')
const accentInWord = new RegExp(`(?<=\\p{L})${notAfterArticle}([´¨˜])([aeiounı])`, 'gu')

/**
 * Fonts of TeX without accented letters print an accent and its letter: `funci´on`, `se˜nal`. Other texts use an accent
 * as an apostrophe: `l´Alcúdia`. A document is taken to have such a font if it has more certain accents than accented
 * letters. The whole document is counted, because `m´as` and `n´umero` alone look like an article and its noun. Any
 * other document may have such a font for a few words, so an accent inside a word is composed (`accentInWord`).
 */
export function composeAccents(pages: readonly string[]): string[] {
  const count = (pattern: RegExp): number => pages.reduce((sum, page) => sum + countMatches(page, pattern), 0)
  const hasSeparateAccents = count(certainAccent) > count(accentedLetter)
  return pages.map((page) => {
    const composed = page.replace(hasSeparateAccents ? separateAccent : accentInWord, composeAccent)
    return composed.replace(separateCedilla, '$1$2\u0327').normalize('NFC')
  })
}

/** Returns `ó` for `´o`; the pair itself if there is no such letter. */
function composeAccent(pair: string, accent: string, letter: string): string {
  const base = letter === 'ı' ? 'i' : letter
  const composed = `${base}${combiningAccents.get(accent)}`.normalize('NFC')
  return composed.length === 1 ? composed : pair
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
