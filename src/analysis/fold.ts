// Folding: what makes two spellings the same letters. Case, accents, ñ, ligatures, full-width forms, soft hyphens and
// zero-width characters do not matter. Where words begin and end is scan.ts.

/** Everything that leaves no trace in a word: combining marks, soft hyphens, joiners, direction marks. */
const unseen = /[\p{M}\p{Cf}\p{Sk}]/gu

/**
 * The letters and digits of a word as they are compared. Upper case comes before lower case because some letters only
 * meet there (ß and SS, ſ and S, ı and I).
 */
export function foldWord(word: string): string {
  if (plain.test(word)) return word
  if (plainUpper.test(word)) return word.toLowerCase()
  return latin.test(word) ? foldLetters(word) : foldWhole(word)
}

/** Letters whose folding does not depend on their neighbours. */
const latin = /^[\x20-\x7e\u00a0-\u024f]*$/
const foldedLetters: string[] = []

function foldLetters(word: string): string {
  let folded = ''
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    foldedLetters[unit] ??= foldWhole(word.charAt(at))
    folded += foldedLetters[unit]
  }
  return folded
}

function foldWhole(word: string): string {
  let folded = word
  // Decomposing may bring to light what is itself foldable; no letter of Unicode needs a third turn.
  for (let turn = 0; turn < 3; turn++) {
    const next = foldOnce(folded)
    if (next === folded) break
    folded = next
  }
  return folded
}

const plain = /^[a-z0-9]*$/
const plainUpper = /^[A-Za-z0-9]*$/

function foldOnce(word: string): string {
  return word
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(unseen, '')
    .replaceAll('ς', 'σ')
    .replace(/[øłđðħæœþ]/g, (letter) => atomicLetters[letter] ?? letter)
}

/** Letters that Unicode does not take apart and Spanish keyboards do not have. */
const atomicLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
