// The shapes of requests and answers as JSON Schema, written once: parse.ts checks parameters by them, openapi.ts
// publishes them, and the contract tests hold every answer against them.

export const valueCharactersMax = 200
export const termWordsMax = 16
export const limitMax = 1000
/** The longest code, and before it a digit, a date and two full stops. */
const cursorCharactersMax = valueCharactersMax + 13

/** JSON Schema as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

/** The few words of JSON Schema that parameters need, so that checking them needs no library. */
export type ParameterSchema =
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern: string }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }

/** One parameter of the query, or the code in the path. */
export interface Parameter {
  readonly schema: ParameterSchema
  readonly meaning: string
}

export type ParameterName = 'cod_archivo' | 'municipality' | 'checkin_date' | 'search' | 'limit' | 'cursor'

/** No control characters, and something beside spaces. */
const visibleText =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** Whatever keeps to it is taken for a cursor, so that no request is refused that keeps to its schema. */
const cursorText = '^[01]\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[^\\s\\u0000-\\u001F\\u007F-\\u009F]+$'

export const parameters: Readonly<Record<ParameterName, Parameter>> = {
  cod_archivo: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: '^[A-Za-z0-9._/-]+-[0-9]+$' },
    meaning:
      'Inscription code of one record, `<prefix>-<number>`, compared without regard to case; a slash is sent as `%2F`.',
  },
  municipality: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: visibleText },
    meaning:
      'Name of the municipality, whole: case, accents, punctuation and the place of the article do not matter; either ' +
      'half of a bilingual name and former official names match.',
  },
  checkin_date: {
    schema: { type: 'string', pattern: '^[0-9]{4}$' },
    meaning: 'Year of entry, four digits.',
  },
  search: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: visibleText },
    meaning:
      'Term looked for in the title and in the content; every word must occur, in any Spanish form of it. At most ' +
      `${termWordsMax} words. \`"in quotes"\` is a phrase, a trailing \`*\` after three letters or more a prefix; ` +
      'nothing else is syntax.',
  },
  limit: {
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    meaning: 'Records a page. Without it everything that matches is sent. The `Link` header leads to the next page.',
  },
  cursor: {
    schema: { type: 'string', maxLength: cursorCharactersMax, pattern: cursorText },
    meaning:
      'Where the page begins: opaque, taken from the `Link` header of the page before. It stays right when the ' +
      'registry has been refreshed in between.',
  },
}

const patterns = new Map<string, RegExp>()

/** Whether a value keeps to the schema of its parameter. Characters are Unicode code points. */
export function keepsTo(schema: ParameterSchema, value: string): boolean {
  if (schema.type === 'integer') {
    return /^[1-9][0-9]*$/.test(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
  }
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const form = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, form)
  const characters = value.length > maxLength ? [...value].length : value.length
  return characters >= minLength && characters <= maxLength && form.test(value)
}

const text = (description: string): Schema => ({ type: 'string', description })
const date = (description: string): Schema => ({ type: 'string', format: 'date', description })
const count = (description: string): Schema => ({ type: 'integer', minimum: 1, description })
const year = (description: string): Schema => ({ type: 'integer', minimum: 0, maximum: 9999, description })

/** Every property is there unless it is named as optional, and there is no other. */
function closedObject(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

export const recordSchema: Schema = closedObject(
  {
    id: text('Record code.'),
    registration_number: text('Registration (inscription) number.'),
    title: text('Title of the record.'),
    area: text('Area the record affects; empty where the registry has none.'),
    checkin_date: date('Date the record entered the registry.'),
    inscription_date: { ...date('Date of inscription, null where there is none.'), type: ['string', 'null'] },
    municipality: text('Municipality of the record.'),
    links: text('URL of the technical (index) document, exactly as the registry holds it; empty where there is none.'),
    agreement_link: text('URL of the agreement; present only where a separate agreement exists.'),
  },
  ['agreement_link'],
)

export const searchResultSchema: Schema = closedObject({
  resultadoBusqueda: { type: 'array', items: { $ref: '#/components/schemas/Record' }, minItems: 1 },
})

const ineCode: Schema = {
  type: ['string', 'null'],
  pattern: '^[0-9]{5}$',
  description: 'Five-digit code of the Instituto Nacional de Estadística, null where no list knows the name.',
}

export const municipalitiesSchema: Schema = closedObject({
  municipalities: {
    type: 'array',
    items: closedObject({
      name: text('As most of its records write it.'),
      ine_code: ineCode,
      other_names: { type: 'array', items: { type: 'string' }, description: 'Other names it is found by.' },
      records: count('Number of records.'),
      first_year: year('Year of entry of its oldest record.'),
      last_year: year('Year of entry of its newest record.'),
    }),
  },
})

export const summarySchema: Schema = closedObject({
  total: count('Number of records that match.'),
  by_year: {
    type: 'array',
    items: closedObject({ year: year('Year of entry.'), records: count('Number of records.') }),
    description: 'Years of entry, ascending.',
  },
  by_municipality: {
    type: 'array',
    items: closedObject({ name: text('Municipality.'), ine_code: ineCode, records: count('Number of records.') }),
    description: 'Most records first.',
  },
})

export const problemSchema: Schema = closedObject(
  {
    type: { ...text('Which problem it is; the address opens its page.'), format: 'uri' },
    title: text('The same for every problem of the type.'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text('What is wrong with this very request.'),
    parameter: text('The parameter at fault.'),
    suggestions: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'What was probably meant, best first.',
    },
  },
  ['parameter', 'suggestions'],
)
