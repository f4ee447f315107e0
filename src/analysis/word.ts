// A word after analysis, as the index stores it.

/** The occurrences of a word in texts share one object while that object is in the cache of lexicon.ts. */
export interface Word {
  /** The folded spelling, which prefix clauses match. */
  readonly form: string
  /** The stem, which word clauses and phrase clauses match. */
  readonly stem: string
}

/** Whether a word of a text is digits. Its form has either digits only or none, so the first character decides. */
export function isDigits({ form }: Word): boolean {
  const first = form.charCodeAt(0)
  return first >= zero && first <= nine
}

const zero = 0x30
const nine = 0x39
