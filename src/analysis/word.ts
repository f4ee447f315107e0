// A word after analysis, as the index stores it: `Aprobación` has the form `aprobacion` and the stem `aprobar`. A
// search term finds it by its form or its stem, depending on the kind of clause (term.ts).

export interface Word {
  /** Every object of a word has another number. A cache by word is an array, which is faster than a map. */
  readonly id: number
  /** The folded spelling (fold.ts), which a prefix such as `aprob*` matches. */
  readonly form: string
  /** The stem (stemmer.ts), which all inflections of the word share. The words and phrases of a term match it. */
  readonly stem: string
}

/**
 * Whether the form of the word is digits: true for `12`, and for the ordinal `2ª`, whose form is `2`. Checks only the
 * first character, because a word of a text or of a term has only digits or none. Do not call it for the joined form of
 * a code, which may have both: `4a`.
 */
export function isDigits({ form }: Word): boolean {
  const first = form.charCodeAt(0)
  return first >= zero && first <= nine
}

/**
 * Whether the word is an ordinal in digits: true for `2ª`, which has the form `2` and the stem `2º`, not for `segunda`.
 */
export function isOrdinalInDigits({ stem }: Word): boolean {
  return stem.endsWith('º')
}

const zero = 0x30
const nine = 0x39
