// A word after analysis, as the index stores it. The clauses of search terms (term.ts) match its form or its stem.

export interface Word {
  /** The folded spelling (fold.ts), which prefix clauses match. */
  readonly form: string
  /** The stem (stemmer.ts), which word clauses and phrase clauses match. */
  readonly stem: string
}

/**
 * Whether the form of a word of a text or term is digits, also for the ordinal `2ª`, whose form is `2`. Such a form has
 * either digits only or none, so the first character decides. A joined form such as `4a` may have both.
 */
export function isDigits({ form }: Word): boolean {
  const first = form.charCodeAt(0)
  return first >= zero && first <= nine
}

/** Whether the word is an ordinal in digits, such as `2ª`, which has the form `2` and the stem `2º`. */
export function isOrdinalInDigits({ stem }: Word): boolean {
  return stem.endsWith('º')
}

const zero = 0x30
const nine = 0x39
