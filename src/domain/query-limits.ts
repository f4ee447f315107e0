// The limits on the parameters of a request.

/**
 * The longest value of a filter other than `search`, in characters. An import refuses a longer code, id, registration
 * number or municipality name.
 */
export const valueCharactersMax = 200

/** The longest `search`: a whole title as people paste it. */
export const termCharactersMax = 500

/** The most words of a `search`. */
export const termWordsMax = 40

/** The most records, or changes, on a page. */
export const limitMax = 1000

/**
 * The longest cursor: a letter and a digit, a full stop, a date of 10 characters, a full stop and the longest
 * inscription code.
 */
export const cursorCharactersMax: number = valueCharactersMax + 14

/**
 * The largest `limit` of a request for passages (pieces of the documents around the words of the term), because the
 * text of every record on the page has to be read.
 */
export const passageRecordsMax = 100

/** At most this many passages for a single record, which is requested by its code. */
export const passagesOfRecordMax = 100
