// Stop words, folded: `de`, `la`, `y`. They are indexed like other words, so that phrases match them. A term ignores a
// stop word (`plan de la vega` searches for `plan` and `vega`), except
// - in quotes, and in a term of stop words only;
// - if it is a capital letter that may start a code: `A 6`, but not `1 A 6`, which means 1 to 6.
// The last line is Catalan, Galician and Basque. `no` is not a stop word because `suelo no urbanizable` is the opposite
// of `suelo urbanizable`; nor are `este` (also the east) and `bajo` (also a ground floor).

export const stopWords: ReadonlySet<string> = new Set(
  `a al con de del desde durante e el en entre hacia hasta la las le les lo los mediante ni o para pero por que se segun
  si sobre su sus tras u un una unas unos y ya
  als amb dels els pel pels per ao aos da das do na nas os pola polo eta`.split(/\s+/),
)

/** The stop words of one letter, which may also be letters of codes: the A of `A-6`. */
export const oneLetterStopWords: ReadonlySet<string> = new Set([...stopWords].filter((form) => form.length === 1))
