// Character folding: maps different spellings of the same letters to one form. `Ordenación` and `ORDENACION` become
// `ordenacion`. Folding ignores case, accents, the tilde of ñ, ligatures, full-width forms, soft hyphens and zero-width
// characters. subtokens.ts folds each subtoken.

/**
 * Characters that are removed: combining marks (`\p{M}`); format characters such as soft hyphens, joiners and direction
 * marks (`\p{Cf}`); modifier symbols such as the backtick (`\p{Sk}`). Callers pass no spacing accent such as `´`, which
 * NFKC turns into a space and a mark.
 */
const ignoredCharacters = /[\p{M}\p{Cf}\p{Sk}]/gu

/** The folded form of a word: `ordenacion` for `Ordenación`. A folded form folds to itself. */
export function foldWord(word: string): string {
  if (foldedAscii.test(word)) return word
  if (ascii.test(word)) return word.toLowerCase()
  return latin.test(word) ? foldByCharacter(word) : foldByRules(word)
}

/** A word in lower-case ASCII is folded already. */
const foldedAscii = /^[a-z0-9]*$/
const ascii = /^[A-Za-z0-9]*$/

/** ASCII and the Latin blocks up to U+024F. How one of these folds does not depend on the characters beside it. */
const latin = /^[\x20-\x7e\u00a0-\u024f]*$/

/** The folded form of each Latin character, by code unit; filled on first use. */
const foldedCharacters: string[] = []

function foldByCharacter(word: string): string {
  let folded = ''
  for (let index = 0; index < word.length; index++) {
    const codeUnit = word.charCodeAt(index)
    foldedCharacters[codeUnit] ??= foldByRules(word.charAt(index))
    folded += foldedCharacters[codeUnit]
  }
  return folded
}

function foldByRules(word: string): string {
  let folded = word
  // Decomposition can produce characters that fold again, so the rules are applied until nothing changes.
  for (let pass = 0; pass < foldPassesMax; pass++) {
    const next = foldOnce(folded)
    if (next === folded) break
    folded = next
  }
  return folded
}

/** Enough for every Unicode character; the limit only guards against a cycle. */
const foldPassesMax = 3

/**
 * Upper case comes before lower case, because some letters are equal only in upper case (ß and SS, ſ and S, ı and I).
 * NFKC comes before both, because some compatibility forms have no upper or lower case of their own (`𝐀`, which NFKC
 * turns into `A`). The lower case of a Σ at the end of a word is ς, which is the same letter as σ.
 */
function foldOnce(word: string): string {
  return word
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(ignoredCharacters, '')
    .replaceAll('ς', 'σ')
    .replace(/[øłđðħæœþ]/g, (letter) => undecomposedLetters[letter] ?? letter)
}

/** Letters that Unicode does not decompose. */
const undecomposedLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
