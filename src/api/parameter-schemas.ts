// JSON Schemas of the parameters, which openapi.ts publishes, and the limits on their values. parameters.ts checks the
// values.
import { includeNames, limitMax, termCharactersMax, termWordsMax, valueCharactersMax } from '../domain/query.ts'

export { limitMax, termCharactersMax, termWordsMax, valueCharactersMax } from '../domain/query.ts'

/**
 * The longest cursor: a letter and a digit, a full stop, a date of 10 characters, a full stop and the longest
 * inscription code.
 */
export const cursorCharactersMax: number = valueCharactersMax + 14

/** The keywords of JSON Schema that parameters use. */
export type ParameterSchema =
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern: string }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }

/** A parameter of the query string or of the path. */
export interface Parameter {
  readonly schema: ParameterSchema
  /** Its description in OpenAPI and on the English reference page, in Markdown. */
  readonly meaning: string
}

export type ParameterName =
  | 'cod_archivo'
  | 'municipality'
  | 'province'
  | 'community'
  | 'checkin_date'
  | 'checkin_from'
  | 'checkin_to'
  | 'registration_number'
  | 'id'
  | 'search'
  | 'limit'
  | 'cursor'
  | 'include'
  | 'since'

/**
 * Text without control characters (U+0000 to U+001F, U+007F to U+009F) and with at least one character that is not
 * white space.
 */
const visibleTextPattern =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** Like `visibleTextPattern`, but with line breaks and tabs allowed: a title may be pasted with them. */
const termPattern = visibleTextPattern.replaceAll('\\u0000-\\u001F', '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F')

/**
 * The format that `isInscriptionCode` (domain/inscription-code.ts) checks, such as `05019-PU-20110520-202255`. The
 * look-ahead refuses characters outside the basic multilingual plane, because databases would sort them differently.
 */
const codePattern = '^(?!.*[^\\u0000-\\uFFFF])[\\p{L}\\p{N}._/-]+-[0-9]+$'

/**
 * A cursor, for example `t3.2011-07-18.05019-202266`: tier, date and code of the last record of a page. The tier, from
 * 1 to 3, tells how well the title of the record matches the term. The date need not exist, and no record need have the
 * code. The code may be any text without control characters, and has no white space at its ends.
 */
const cursorPattern =
  '^t[123]\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[^\\s\\u0000-\\u001F\\u007F-\\u009F]' +
  '([^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F])?$'

/**
 * The longest token of `since`: the id of the change log (16 digits), the number of a change (10) and its time in
 * milliseconds (15), three full stops and a cursor.
 */
const sinceCharactersMax = cursorCharactersMax + 44
/**
 * A token of `since` (changes.ts). It has a cursor at the end only while a client lists all records page by page, which
 * begins without `since`. The pattern of the cursor is used without its anchors `^` and `$`.
 */
const sincePattern = `^[0-9a-f]{16}\\.[0-9]{1,10}\\.[0-9]{1,15}(\\.${cursorPattern.slice(1, -1)})?$`

/** Names separated by commas, in any order: `place,cod_archivo`. */
const includePattern = `^(${includeNames.join('|')})(,(${includeNames.join('|')}))*$`

const textParameterSchema: ParameterSchema = {
  type: 'string',
  minLength: 1,
  maxLength: valueCharactersMax,
  pattern: visibleTextPattern,
}

/** A year, a month or a day. A pattern cannot tell whether the day exists; parameters.ts checks it. */
const periodSchema: ParameterSchema = {
  type: 'string',
  pattern: '^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$',
}

export const parameters: Readonly<Record<ParameterName, Parameter>> = {
  cod_archivo: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: codePattern },
    meaning:
      'Inscription code of the record, `<prefix>-<number>`. Upper and lower case do not matter. Send a slash as `%2F`.',
  },
  municipality: {
    schema: textParameterSchema,
    meaning:
      'Full name of the municipality. Case, accents, punctuation and the position of the article do not matter. ' +
      'Either part of a bilingual name matches, and so do former official names. The five-digit INE code tells ' +
      'municipalities of the same name apart.',
  },
  province: {
    schema: textParameterSchema,
    meaning: 'Province: its name in any official spelling, or its two-digit INE code. All its municipalities match.',
  },
  community: {
    schema: textParameterSchema,
    meaning: 'Autonomous community: its name in any official spelling, or its two-digit INE code.',
  },
  checkin_date: {
    schema: { type: 'string', pattern: '^[0-9]{4}$' },
    meaning: 'Year of entry into the registry, four digits.',
  },
  checkin_from: {
    schema: periodSchema,
    meaning: 'First day of entry, included: `YYYY-MM-DD`, or `YYYY-MM` or `YYYY` for the first day of that time.',
  },
  checkin_to: {
    schema: periodSchema,
    meaning: 'Last day of entry, included: `YYYY-MM-DD`, or `YYYY-MM` or `YYYY` for the last day of that time.',
  },
  registration_number: {
    schema: textParameterSchema,
    meaning: 'Registration number, complete. Case does not matter. Several records may have the same one.',
  },
  id: {
    schema: textParameterSchema,
    meaning:
      'Id of the record (not its inscription code), complete. Case does not matter. Several records may have the ' +
      'same one.',
  },
  search: {
    schema: { type: 'string', minLength: 1, maxLength: termCharactersMax, pattern: termPattern },
    meaning:
      'Words to search in the title and the content. Every word must occur, in any of its Spanish forms. At most ' +
      `${termWordsMax} words. \`"in quotes"\` is a phrase; \`*\` after at least three letters searches for a prefix. ` +
      'There is no other syntax.',
  },
  limit: {
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    meaning:
      'Number of records on a page. The `Link` header has the address of the next page. Without `limit`, the ' +
      'response contains all matching records.',
  },
  cursor: {
    schema: { type: 'string', maxLength: cursorCharactersMax, pattern: cursorPattern },
    meaning:
      'Start of the page: an opaque value from the `Link` header of the previous page. It stays valid when the ' +
      'registry is updated between two pages.',
  },
  since: {
    schema: { type: 'string', maxLength: sinceCharactersMax, pattern: sincePattern },
    meaning:
      'Where to go on: an opaque value from the `Link` header of the previous response. Without it, every record ' +
      'is listed as new.',
  },
  include: {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: includePattern },
    meaning:
      'Properties to add to each record, separated by commas: `cod_archivo` is its inscription code; `place` is the ' +
      'INE code, province and autonomous community of its municipality; `documents` says which pages of each ' +
      'document can be searched; `passages` shows where the words of `search` stand in the documents. `passages` ' +
      'needs `search`, and `limit` of at most 100 or a code in the path.',
  },
}

/** The id of an operation, a full stop, and the name of a parameter that differs in this operation. */
export type OperationParameterName = 'summariseRecords.include' | 'listChanges.limit'

/** Parameters that differ in one operation. */
export const operationParameters: Readonly<Record<OperationParameterName, Parameter>> = {
  'summariseRecords.include': {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: '^documents(,documents)*$' },
    meaning: '`documents` adds the pages of the documents: how many there are, and how many can be searched.',
  },
  'listChanges.limit': {
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    meaning:
      'Number of changes on a page. The `Link` header has the address of the next page. Without `limit`, a page has ' +
      `up to ${limitMax} changes.`,
  },
}
