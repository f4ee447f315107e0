// Normalises the characters of a token before subtokens.ts splits it. Sources and PDFs have several characters for one
// hyphen, apostrophe or ordinal sign, and some write the accent of a letter as a character of its own.

/**
 * Unifies hyphens, apostrophes and ordinal signs, replaces compatibility forms (`ﬁ`, `²`, `Ａ`) by plain characters, and
 * removes invisible characters. The order matters as far as the removal; the replacements after it are independent.
 */
export function normaliseCharacters(token: string): string {
  if (pluralOfNumber.test(token)) return 'nº'
  if (unchangedCharacters.test(token) && !dottedL.test(token)) return token
  const text = token
    // Decomposition comes first because it can produce an accent that NFKC must not see (U+1FFD is canonically `´`).
    .normalize('NFD')
    // NFKC would turn `№` into `No`.
    .replaceAll('№', 'nº')
    .replaceAll('°', 'º')
    // NFKC would turn an ordinal sign into a letter, and a spacing accent into a space with a combining mark.
    .replace(/[^ºª´¨˜`]+/g, (run) => run.normalize('NFKC'))
    // Format characters (soft hyphen, zero-width space), and combining marks that follow no letter.
    .replace(/\p{Cf}|(?<![\p{L}\p{M}])\p{M}+/gu, '')
    // The plural `nºs` is `nº`.
    .replace(/(n\.?º)s(?![\p{L}\p{N}])/giu, '$1')
    // The middle dot of the Catalan `l·l`.
    .replace(/(l)[·•‧∙⋅](?=l)/giu, '$1')
    // It is also typed as a dot: `parcel.la`, `PARCEL.LA`.
    .replace(/(?<=\p{L})l\.(?=l\p{Ll})|(?<=\p{L})L\.(?=L\p{Lu})/gu, (dotted) => dotted.charAt(0))
    // Curly apostrophes, the prime and the modifier letter apostrophe.
    .replace(/[\u2018\u2019\u2032\u02bc]/g, "'")
    // Hyphens, dashes up to the en dash, and the minus sign.
    .replace(/[\u2010-\u2013\u2212]/g, '-')
  return spacingAccent.test(text) ? resolveSpacingAccents(text) : text
}

/** `n.os 4 y 5` is `nº 4 y 5`. */
const pluralOfNumber = /^n\.os$/i

/**
 * Characters that `normaliseCharacters` does not change: ASCII without the backtick, which may be an accent, and the
 * Latin letters up to U+024F that are not compatibility forms.
 */
const unchangedCharacters =
  /^[\x20-\x5f\x61-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0180-\u01c3\u01cd-\u01f0\u01f4-\u024f]*$/

/** The `l.l` of `parcel.la`. */
const dottedL = /l\.l/i

/** An accent that is a character of its own. */
const spacingAccent = /[´¨˜`]/

/** A spacing accent is an apostrophe (`l´Alcúdia`), or the accent of a letter beside it in a PDF (`ordenaci´on`). */
function resolveSpacingAccents(text: string): string {
  return (
    text
      // The apostrophe of an elided word: `d´Oliva`. Before a dotless i it is the accent of the i: `l´ınea`.
      .replace(/(?<!\p{L})([dlmnst])[´`](?![ıºª])(?=\p{L})/giu, "$1'")
      // The apostrophe of `O´Donnell`, and of `O´Reilly`: an accented letter has no capital after it.
      .replace(/(?<!\p{L})(o)[´`](?=d)/giu, "$1'")
      .replace(/(?<!\p{L})(O)[´`](?=\p{Lu}\p{Ll})/gu, "$1'")
      // Beside any other letter it is an accent, and folding removes accents anyway.
      .replace(/(?<=\p{L})[´¨˜`]+|[´¨˜`]+(?=\p{L})/gu, '')
  )
}
