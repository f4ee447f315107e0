// JSON Schemas of parameters and responses. openapi.ts publishes them, parameters.ts validates the parameters that have
// a fixed format with them, and the tests validate every response with them.
import { includeNames, valueCharactersMax } from '../domain/query.ts'

export { valueCharactersMax } from '../domain/query.ts'

/** The longest `search` and its most words: a whole title as people paste it. */
export const termCharactersMax = 500
export const termWordsMax = 40
/** The most records on a page. */
export const limitMax = 1000
/**
 * The longest cursor: a letter and a digit, a full stop, a date of 10 characters, a full stop and the longest
 * inscription code.
 */
const cursorCharactersMax = valueCharactersMax + 14

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

/** The keywords of JSON Schema that parameters use. There are so few that `matchesSchema` needs no library. */
export type ParameterSchema =
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern: string }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }

/** A parameter of the query string or of the path. */
export interface Parameter {
  readonly schema: ParameterSchema
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

/** Text without control characters and with at least one character that is not white space. */
const visibleTextPattern =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** The same, but line breaks and tabs are allowed: a title may be pasted with them. */
const termPattern = visibleTextPattern.replaceAll('\\u0000-\\u001F', '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F')

/** `isInscriptionCode` as a pattern: letters and digits of any script inside the basic multilingual plane. */
const codePattern = '^(?!.*[^\\u0000-\\uFFFF])[\\p{L}\\p{N}._/-]+-[0-9]+$'

/** The service accepts every text that matches this pattern as a cursor. */
const cursorPattern = '^t[123]\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[^\\s\\u0000-\\u001F\\u007F-\\u009F]+$'

/** Three numbers with their full stops and, while records are listed, a cursor. */
const sinceCharactersMax = cursorCharactersMax + 45
const sincePattern = `^[0-9a-f]{16}\\.[0-9]{1,10}\\.[0-9]{1,15}(\\.${cursorPattern.slice(1, -1)})?$`

/** Names separated by commas, in any order. */
const includePattern = `^(${includeNames.join('|')})(,(${includeNames.join('|')}))*$`

const textParameterSchema: ParameterSchema = {
  type: 'string',
  minLength: 1,
  maxLength: valueCharactersMax,
  pattern: visibleTextPattern,
}

/** A year, a month or a day. A pattern cannot tell whether the day exists. */
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
    meaning: 'Record code, complete. Case does not matter. Several records may have the same one.',
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
      'Number of records on a page. The `Link` header has the address of the next page. Without `limit`, the response ' +
      'contains all matching records.',
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
      'Where to go on: an opaque value from the `Link` header of the previous response. Without it, every record in ' +
      'service is listed as new.',
  },
  include: {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: includePattern },
    meaning:
      'Properties to add to each record, separated by commas: `cod_archivo` is its inscription code, `place` the INE ' +
      'code, province and autonomous community of its municipality, `documents` what of each document can be searched, ' +
      '`passages` where the words of `search` stand in the documents. `passages` needs `search`, and `limit` of at ' +
      'most 100 or a code in the path.',
  },
}

/** `include` of `summary`. */
export const summaryInclude: Parameter = {
  schema: { type: 'string', maxLength: valueCharactersMax, pattern: '^documents(,documents)*$' },
  meaning: '`documents` adds the pages of the documents: how many there are, and how many can be searched.',
}

/** Compiled patterns, by their source. */
const expressions = new Map<string, RegExp>()

/** Whether the value of a parameter is valid. Lengths are counted in Unicode code points. */
export function matchesSchema(schema: ParameterSchema, value: string): boolean {
  if (schema.type === 'integer') {
    return /^[1-9][0-9]*$/.test(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
  }
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u')
  expressions.set(pattern, expression)
  // There are never more code points than UTF-16 code units, so only a long value has to be counted.
  const characters = value.length > maxLength ? [...value].length : value.length
  return characters >= minLength && characters <= maxLength && expression.test(value)
}

const textSchema = (description: string): Schema => ({ type: 'string', description })
const dateSchema = (description: string): Schema => ({ type: 'string', format: 'date', description })
const countSchema = (description: string): Schema => ({ type: 'integer', minimum: 1, description })
const yearSchema = (description: string): Schema => ({ type: 'integer', minimum: 0, maximum: 9999, description })

const pagesSchema = (description: string): Schema => ({ type: 'integer', minimum: 0, description })
const nullable = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] })

/** An object with no other properties than these. All are required except the `optional` ones. */
function closedObject(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

export const recordSchema: Schema = closedObject(
  {
    id: textSchema('Record code.'),
    registration_number: textSchema('Registration (inscription) number.'),
    title: textSchema('Title of the record.'),
    area: textSchema('Area that the record affects; empty if the registry has none.'),
    checkin_date: dateSchema('Date of entry into the registry.'),
    inscription_date: { ...dateSchema('Date of inscription; null if there is none.'), type: ['string', 'null'] },
    municipality: textSchema('Municipality of the record.'),
    links: textSchema('URL of the technical (index) document, unchanged from the registry; empty if there is none.'),
    agreement_link: textSchema('URL of the agreement; present only if there is a separate agreement.'),
    cod_archivo: textSchema('Inscription code; present only with `include=cod_archivo`.'),
    place: {
      description: 'Where the municipality is; present only with `include=place`. Null if no list knows its name.',
      oneOf: [
        closedObject({
          ine_code: { type: 'string', pattern: '^[0-9]{5}$', description: 'INE code of the municipality.' },
          province: textSchema('Province.'),
          community: textSchema('Autonomous community.'),
        }),
        { type: 'null' },
      ],
    },
    documents: {
      description: 'What of each document can be searched; present only with `include=documents`.',
      type: 'array',
      items: closedObject({
        href: nullable(textSchema('Public address; null if it has none.')),
        pages: pagesSchema('Number of pages; 1 for text without pages.'),
        read: pagesSchema('Pages with text of their own.'),
        recognised: pagesSchema('Pages whose text was recognised from an image (OCR).'),
        unread: pagesSchema('Pages that cannot be searched.'),
        reason: nullable(textSchema('Why pages are unread; null if all were read.')),
        sha256: nullable({ type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file.' }),
      }),
    },
    passages: {
      description:
        'Where the words of `search` stand in the documents; present only with `include=passages`. In a list at most ' +
        '3, the best first; of a single record at most 100, in reading order. Empty if only the title matches.',
      type: 'array',
      maxItems: 100,
      items: closedObject({
        document: {
          type: ['integer', 'null'],
          minimum: 1,
          description: 'Number of the document; null for other text.',
        },
        page: { type: ['integer', 'null'], minimum: 1, description: 'Page of the file; null for text without pages.' },
        text: textSchema('About 200 characters of plain text, cut at word ends.'),
        marks: {
          type: 'array',
          description: 'Start and end (excluded) of each match in `text`, in UTF-16 code units.',
          items: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
        },
        href: nullable(textSchema('Address of the document at the page; null if it has no public address.')),
        recognised: { type: 'boolean', description: 'The text was recognised from an image (OCR).' },
      }),
    },
  },
  ['agreement_link', 'cod_archivo', 'place', 'documents', 'passages'],
)

export const csvSchema: Schema = textSchema('A line with the names of the columns, then a line for each record.')

export const searchResultSchema: Schema = closedObject({
  resultadoBusqueda: { type: 'array', items: { $ref: '#/components/schemas/Record' }, minItems: 1 },
})

const ineCodeSchema: Schema = {
  type: ['string', 'null'],
  pattern: '^[0-9]{5}$',
  description: 'Five-digit code of the Instituto Nacional de Estadística; null if the name is in no official list.',
}

export const municipalitiesSchema: Schema = closedObject({
  municipalities: {
    type: 'array',
    items: closedObject({
      name: textSchema('The spelling that most of its records use.'),
      ine_code: ineCodeSchema,
      other_names: { type: 'array', items: { type: 'string' }, description: 'Other names that find the municipality.' },
      records: countSchema('Number of records.'),
      first_year: yearSchema('Year of entry of its oldest record.'),
      last_year: yearSchema('Year of entry of its newest record.'),
    }),
  },
})

export const changesSchema: Schema = closedObject({
  changes: {
    type: 'array',
    items: closedObject({
      kind: {
        type: 'string',
        enum: ['new', 'changed', 'gone'],
        description: 'With filters, a record that does not match (any more) is gone.',
      },
      cod_archivo: textSchema('Inscription code of the record.'),
      at: { type: 'string', format: 'date-time', description: 'When the change was published.' },
    }),
    description: 'Oldest first.',
  },
})

export const summarySchema: Schema = closedObject(
  {
    total: countSchema('Number of matching records.'),
    by_year: {
      type: 'array',
      items: closedObject({ year: yearSchema('Year of entry.'), records: countSchema('Number of records.') }),
      description: 'Years of entry, ascending.',
    },
    by_municipality: {
      type: 'array',
      items: closedObject({
        name: textSchema('Municipality.'),
        ine_code: ineCodeSchema,
        records: countSchema('Number of records.'),
      }),
      description: 'Municipalities, most records first.',
    },
    by_province: {
      type: 'array',
      items: closedObject({
        name: textSchema('Province.'),
        ine_code: { type: 'string', pattern: '^[0-9]{2}$', description: 'Two-digit INE code.' },
        records: countSchema('Number of records.'),
      }),
      description: 'Provinces, most records first. Records of a municipality without an INE code are in none of them.',
    },
    documents: {
      ...closedObject({
        pages: pagesSchema('Number of pages.'),
        read: pagesSchema('Pages with text of their own.'),
        recognised: pagesSchema('Pages whose text was recognised from an image (OCR).'),
        unread: pagesSchema('Pages that cannot be searched.'),
      }),
      description: 'The documents of the matching records; present only with `include=documents`.',
    },
  },
  ['documents'],
)

export const problemSchema: Schema = closedObject(
  {
    type: { ...textSchema('Identifies the problem; the address opens its documentation.'), format: 'uri' },
    title: textSchema('Summary of the problem, the same for every problem of this type.'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: textSchema('What is wrong with this request.'),
    parameter: textSchema('The name of the wrong parameter.'),
    suggestions: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Values that were probably meant, best match first.',
    },
  },
  ['parameter', 'suggestions'],
)
