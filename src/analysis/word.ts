// A word after analysis, as the index stores it: `Aprobación` has the form `aprobacion` and the stem `aprobar`. The
// clauses of search terms (term.ts) match its form or its stem.

export interface Word {
  /** The folded spelling (fold.ts), which prefix clauses match. */
  readonly form: string
  /** The stem (stemmer.ts), which word clauses and phrase clauses match. */
  readonly stem: string
}

/**
 * Whether the form of the word is digits: true for `12`, and for the ordinal `2ª`, whose form is `2`. The word must be
 * one of a text or a term. Such a form has only digits or none, so the first character decides. Do not call it for a
 * joined form, which may have both: `4a`.
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
