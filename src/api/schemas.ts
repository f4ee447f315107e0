// JSON Schemas of parameters and responses. parameters.ts validates parameters with them, openapi.ts publishes them,
// and the tests validate every response with them.

export const valueCharactersMax = 200
export const termWordsMax = 16
export const limitMax = 1000
/** A digit, a full stop, a date, a full stop and the longest inscription code. */
const cursorCharactersMax = valueCharactersMax + 13

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

export type ParameterName = 'cod_archivo' | 'municipality' | 'checkin_date' | 'search' | 'limit' | 'cursor'

/** Text without control characters and with at least one character that is not white space. */
const visibleText =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** Every text that matches this pattern is accepted as a cursor, so the schema and the service agree. */
const cursorText = '^[01]\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[^\\s\\u0000-\\u001F\\u007F-\\u009F]+$'

export const parameters: Readonly<Record<ParameterName, Parameter>> = {
  cod_archivo: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: '^[A-Za-z0-9._/-]+-[0-9]+$' },
    meaning:
      'Inscription code of the record, `<prefix>-<number>`. Upper and lower case do not matter. Send a slash as `%2F`.',
  },
  municipality: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: visibleText },
    meaning:
      'Full name of the municipality. Case, accents, punctuation and the position of the article do not matter. ' +
      'Either part of a bilingual name matches, and so do former official names.',
  },
  checkin_date: {
    schema: { type: 'string', pattern: '^[0-9]{4}$' },
    meaning: 'Year of entry into the registry, four digits.',
  },
  search: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: visibleText },
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
    schema: { type: 'string', maxLength: cursorCharactersMax, pattern: cursorText },
    meaning:
      'Start of the page: an opaque value from the `Link` header of the previous page. It stays valid when the ' +
      'registry is updated between two pages.',
  },
}

const patterns = new Map<string, RegExp>()

/** Lengths are counted in Unicode code points. */
export function matchesSchema(schema: ParameterSchema, value: string): boolean {
  if (schema.type === 'integer') {
    return /^[1-9][0-9]*$/.test(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
  }
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const expression = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, expression)
  const characters = value.length > maxLength ? [...value].length : value.length
  return characters >= minLength && characters <= maxLength && expression.test(value)
}

const text = (description: string): Schema => ({ type: 'string', description })
const date = (description: string): Schema => ({ type: 'string', format: 'date', description })
const count = (description: string): Schema => ({ type: 'integer', minimum: 1, description })
const year = (description: string): Schema => ({ type: 'integer', minimum: 0, maximum: 9999, description })

/** An object without other properties. Every property that is not optional is required. */
function closedObject(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

export const recordSchema: Schema = closedObject(
  {
    id: text('Record code.'),
    registration_number: text('Registration (inscription) number.'),
    title: text('Title of the record.'),
    area: text('Area that the record affects; empty if the registry has none.'),
    checkin_date: date('Date of entry into the registry.'),
    inscription_date: { ...date('Date of inscription; null if there is none.'), type: ['string', 'null'] },
    municipality: text('Municipality of the record.'),
    links: text('URL of the technical (index) document, unchanged from the registry; empty if there is none.'),
    agreement_link: text('URL of the agreement; present only if there is a separate agreement.'),
  },
  ['agreement_link'],
)

export const searchResultSchema: Schema = closedObject({
  resultadoBusqueda: { type: 'array', items: { $ref: '#/components/schemas/Record' }, minItems: 1 },
})

const ineCode: Schema = {
  type: ['string', 'null'],
  pattern: '^[0-9]{5}$',
  description: 'Five-digit code of the Instituto Nacional de Estadística; null if the name is in no official list.',
}

export const municipalitiesSchema: Schema = closedObject({
  municipalities: {
    type: 'array',
    items: closedObject({
      name: text('The spelling that most of its records use.'),
      ine_code: ineCode,
      other_names: { type: 'array', items: { type: 'string' }, description: 'Other names that find the municipality.' },
      records: count('Number of records.'),
      first_year: year('Year of entry of its oldest record.'),
      last_year: year('Year of entry of its newest record.'),
    }),
  },
})

export const summarySchema: Schema = closedObject({
  total: count('Number of matching records.'),
  by_year: {
    type: 'array',
    items: closedObject({ year: year('Year of entry.'), records: count('Number of records.') }),
    description: 'Years of entry, ascending.',
  },
  by_municipality: {
    type: 'array',
    items: closedObject({ name: text('Municipality.'), ine_code: ineCode, records: count('Number of records.') }),
    description: 'Municipalities, most records first.',
  },
})

export const problemSchema: Schema = closedObject(
  {
    type: { ...text('Identifies the problem; the address opens its documentation.'), format: 'uri' },
    title: text('Summary of the problem, the same for every problem of this type.'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text('What is wrong with this request.'),
    parameter: text('The name of the wrong parameter.'),
    suggestions: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Values that were probably meant, best match first.',
    },
  },
  ['parameter', 'suggestions'],
)
